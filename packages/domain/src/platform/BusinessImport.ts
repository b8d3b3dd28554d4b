/**
 * The steps of an import. The business is suspended until all of its rows are there and their sums equal those of the
 * export.
 *
 * Each batch is a transaction of its own. The audit log has the checksum of the export, from the transaction that creates
 * the business, so that another run with the same export continues after the rows that are there.
 */
import { Effect, Option, Schema, Stream } from "effect"
import { AuditLog } from "../audit/AuditLog.ts"
import type { BusinessStatus } from "../business/Business.ts"
import { Conflict } from "../kernel/Errors.ts"
import type { BusinessId } from "../kernel/Ids.ts"
import type { OnProgress } from "../kernel/Progress.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { VendorSlug } from "../settings/BusinessProfile.ts"
import { totalRows } from "./BusinessExport.ts"
import { BusinessRows, type BusinessTable, type RowShape } from "./BusinessRows.ts"
import type { ExportedBusiness } from "./ExportLines.ts"
import { ImportedBusinesses, transferActions } from "./ImportedBusinesses.ts"

/** An export without its rows. */
type Exported = Omit<ExportedBusiness<never>, "batches">

/** How a business is imported. */
export interface ImportOptions {
  /** The author in the audit log. */
  readonly actor: string
  /** Another slug for the booking page; by default that of the export. */
  readonly slug?: string | undefined
  readonly onProgress: OnProgress
}

/** A business that was imported. */
export interface ImportResult {
  readonly businessId: BusinessId
  readonly rows: number
  /** Whether an earlier run began the import. */
  readonly isResumed: boolean
}

/** The tables or columns that an export has and this version has not, or the reverse; `undefined` if there are none. */
export const otherData = (
  exported: Pick<Exported, "business" | "columns" | "tables">,
  { business, tables }: RowShape
): string | undefined => {
  const expected = new Map(tables.map(({ columns, table }) => [table, columns]))
  expected.set("businesses", business)
  const given = { ...exported.columns, businesses: Object.keys(exported.business) }
  for (const [table, columns] of Object.entries(given)) {
    const known = expected.get(table) ?? []
    const other = [
      ...columns.filter((column) => !known.includes(column)),
      ...known.filter((column) => !columns.includes(column))
    ]
    if (other.length > 0) return `${table} (${other.join(", ")})`
  }
  const unknown = Object.keys(exported.tables).filter((name) => !expected.has(name))
  return unknown.length > 0 ? unknown.join(", ") : undefined
}

/** `Conflict` if this installation cannot hold the rows of an export. */
const requireSameVersion = (exported: Exported, shape: RowShape): Effect.Effect<void, Conflict> => {
  const other = otherData(exported, shape)
  return other === undefined
    ? Effect.void
    : Effect.fail(
        new Conflict({
          reason: `The export is of another version of Livery, which has other data in ${other}: export and import with the same version`
        })
      )
}

const suspended: BusinessStatus = "D"

const textOf = (value: Schema.Json | undefined) => (typeof value === "string" ? value : "")

const readSlug = Schema.decodeUnknownOption(VendorSlug)

/** The slug in its stored form; `Conflict` if no booking page can have it. */
export const requireSlug = (slug: string): Effect.Effect<string, Conflict> =>
  Effect.mapError(
    Effect.fromOption(readSlug(slug)),
    () =>
      new Conflict({
        reason: `The slug ${slug} has another form than 1 to 60 lower-case letters, digits and single hyphens: choose another with --slug`
      })
  )

/**
 * Makes the function that imports a business. `Conflict` if the export was imported already, if it is of another version,
 * if its slug is taken or has a wrong form, if its plan is not here, or if the imported rows differ from the export; the
 * business then stays suspended.
 */
export const makeBusinessImport = Effect.gen(function* () {
  const transaction = yield* Transaction
  const audit = yield* AuditLog
  const businesses = yield* ImportedBusinesses
  const stored = yield* BusinessRows

  /** The business of an earlier run with this export, or a new one, which is suspended. */
  const startOrResume = Effect.fnUntraced(function* (
    exported: Exported,
    { actor, slug = textOf(exported.business["vendor_slug"]) }: ImportOptions
  ) {
    const earlier = Option.getOrUndefined(yield* businesses.find(exported.sha256))
    if (earlier?.isComplete === true)
      return yield* new Conflict({ reason: `This export was imported as business ${earlier.businessId}` })
    if (earlier !== undefined) return { businessId: earlier.businessId, isResumed: true }
    const vendor_slug = yield* requireSlug(slug)
    const created = yield* Effect.mapError(
      businesses.insert({ ...exported.business, vendor_slug, status: suspended }, exported.plan),
      () =>
        new Conflict({
          reason: `Another business has the slug ${vendor_slug} already: choose another with --slug`
        })
    )
    if (Option.isNone(created))
      return yield* new Conflict({ reason: `There is no plan ${exported.plan} here` })
    const businessId = created.value
    yield* audit.record({
      actor,
      action: transferActions.importStarted,
      subject: `business:${businessId}`,
      businessId,
      after: { sha256: exported.sha256, source_business_id: exported.sourceId }
    })
    return { businessId, isResumed: false }
  })

  /** Stores all rows, except those that an earlier run has stored, and then their references. */
  const insertAll = Effect.fnUntraced(function* <E>(
    batches: ExportedBusiness<E>["batches"],
    tables: ReadonlyArray<BusinessTable>,
    businessId: BusinessId,
    onRows: (rows: number) => void
  ) {
    const byName = new Map(tables.map((table) => [table.table, table]))
    const present = new Map<string, number>()
    for (const table of tables) present.set(table.table, yield* stored.count(businessId, table))
    let processed = 0
    yield* Stream.runForEach(
      batches,
      Effect.fnUntraced(function* (rows) {
        const table = byName.get(rows[0]?.table ?? "")
        if (table === undefined) return
        // Rows come in the order of their keys, so those of an earlier run are the first ones.
        const skipped = Math.min(present.get(table.table) ?? 0, rows.length)
        present.set(table.table, (present.get(table.table) ?? 0) - skipped)
        if (skipped < rows.length) yield* stored.insert(businessId, table, rows.slice(skipped))
        processed += rows.length
        onRows(processed)
      })
    )
    yield* Stream.runForEach(batches, (rows) => {
      const table = byName.get(rows[0]?.table ?? "")
      const column = table?.refersToItself
      if (table === undefined || column === undefined) return Effect.void
      const referring = rows.filter(({ row }) => row[column] !== null)
      return referring.length === 0 ? Effect.void : stored.link(businessId, table, referring)
    })
  })

  /** Fails if the rows of a table differ from those of the export. */
  const compareSums = Effect.fnUntraced(function* (
    businessId: BusinessId,
    table: BusinessTable,
    { tables: { [table.table]: exported } }: Exported
  ) {
    const imported = yield* stored.sum(businessId, table)
    if (exported !== undefined && (imported.rows !== exported.rows || imported.sum !== exported.sum))
      return yield* new Conflict({
        reason: `${table.table} has ${imported.rows} of ${exported.rows} rows, or other values: business ${businessId} stays suspended`
      })
  })

  return Effect.fnUntraced(function* <E>(
    exported: ExportedBusiness<E>,
    options: ImportOptions
  ): Effect.fn.Return<ImportResult, E | Conflict> {
    const shape = yield* stored.shape
    yield* requireSameVersion(exported, shape)
    const { businessId, isResumed } = yield* transaction.run(startOrResume(exported, options))
    const total = totalRows(exported.tables)
    yield* insertAll(exported.batches, shape.tables, businessId, (rows) => options.onProgress(rows, total))
    for (const table of shape.tables) {
      yield* stored.reserveIds(businessId, table)
      yield* compareSums(businessId, table, exported)
    }
    yield* atomically(transaction, function* () {
      yield* businesses.setStatus(businessId, exported.business["status"] === "A" ? "A" : suspended)
      yield* audit.record({
        actor: options.actor,
        action: transferActions.imported,
        subject: `business:${businessId}`,
        businessId,
        after: { rows: total, source_business_id: exported.sourceId }
      })
    })
    return { businessId, rows: total, isResumed }
  })
})
