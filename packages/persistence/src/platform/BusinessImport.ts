/**
 * The import of a business from the lines of its export. The business is suspended until all of its rows are there and
 * their sums equal those of the export.
 *
 * Each batch is a transaction of its own. The audit log has the checksum of the export, from the transaction that creates
 * the business, so that another run with the same export continues after the rows that are there.
 */
import { AuditLog, BusinessId, Conflict, traced } from "@livery/domain"
import { Effect, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { rowsAs } from "../sql/rows/Rows.ts"
import {
  type BusinessTable,
  businessTables,
  notExported,
  quotedNames,
  selfReferences,
  sumOf,
  type TableSum,
  withPrefix
} from "./BusinessTables.ts"

/** A row of an export. */
export interface ExportedRow {
  readonly table: string
  readonly row: Readonly<Record<string, unknown>>
}

/** A read export, whose checksum is right. */
export interface ExportedBusiness<E> {
  readonly sha256: string
  readonly sourceId: number
  readonly plan: string
  readonly business: Readonly<Record<string, unknown>>
  readonly tables: Readonly<Record<string, TableSum>>
  /** The columns of each table that has rows. */
  readonly columns: Readonly<Record<string, ReadonlyArray<string>>>
  /** The rows in their order, in batches of one table each. */
  readonly batches: Stream.Stream<ReadonlyArray<ExportedRow>, E>
}

const startedAction = "business.import_started"
const importedAction = "business.imported"

const startsOf = rowsAs(Schema.Struct({ business_id: Schema.Int, is_done: Schema.Boolean }))
const idsOf = rowsAs(Schema.Struct({ id: Schema.Int }))
const countsOf = rowsAs(Schema.Struct({ rows: Schema.Int }))
const columnsOf = rowsAs(Schema.Struct({ name: Schema.String }))
const sequencesOf = rowsAs(Schema.Struct({ sequence: Schema.String, column: Schema.String }))

/** Why this installation cannot hold the rows of an export; `undefined` if it can. */
const versionFault = Effect.fnUntraced(function* (
  exported: Omit<ExportedBusiness<never>, "batches">,
  tables: ReadonlyArray<BusinessTable>
) {
  const sql = yield* SqlClient.SqlClient
  const own = yield* columnsOf(sql`
    SELECT attname::text AS name FROM pg_attribute
    WHERE attrelid = 'businesses'::regclass AND attnum > 0 AND NOT attisdropped`)
  const expected = new Map(tables.map(({ columns, table }) => [table, columns]))
  expected.set(
    "businesses",
    own.map(({ name }) => name).filter((name) => !notExported.includes(name))
  )
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
})

/** The business of an earlier run with this export, or a new one, which is suspended. */
const startOrResume = Effect.fnUntraced(function* (
  exported: Omit<ExportedBusiness<never>, "batches">,
  options: { readonly actor: string; readonly slug: string | undefined }
) {
  const sql = yield* SqlClient.SqlClient
  const audit = yield* AuditLog
  const [earlier] = yield* startsOf(sql`
    SELECT a.business_id, EXISTS (
      SELECT FROM audit_history d WHERE d.action = ${importedAction} AND d.subject = a.subject) AS is_done
    FROM audit_history a
    WHERE a.action = ${startedAction} AND a.after ->> 'sha256' = ${exported.sha256} ORDER BY a.audit_id DESC LIMIT 1`)
  if (earlier?.is_done === true)
    return yield* new Conflict({ reason: `This export was imported as business ${earlier.business_id}` })
  if (earlier !== undefined) return { businessId: BusinessId.make(earlier.business_id), isResumed: true }
  const slug = options.slug ?? String(exported.business["vendor_slug"])
  const [other] = yield* idsOf(sql`SELECT business_id AS id FROM businesses WHERE vendor_slug = ${slug}`)
  if (other !== undefined)
    return yield* new Conflict({
      reason: `Business ${other.id} has the slug ${slug} already: choose another with --slug`
    })
  const [plan] = yield* idsOf(sql`SELECT plan_id AS id FROM plans WHERE code = ${exported.plan}`)
  if (plan === undefined) return yield* new Conflict({ reason: `There is no plan ${exported.plan} here` })
  const row = { ...exported.business, vendor_slug: slug, status: "D", subscription_plan_id: plan.id }
  const columns = quotedNames(Object.keys(row))
  const [created] = yield* idsOf(
    sql.unsafe(
      `INSERT INTO businesses (${columns}) SELECT ${columns} FROM jsonb_populate_record(NULL::businesses, $1::jsonb)
       RETURNING business_id AS id`,
      [JSON.stringify(row)]
    )
  )
  const businessId = BusinessId.make(created?.id ?? 0)
  yield* audit.record({
    actor: options.actor,
    action: startedAction,
    subject: `business:${businessId}`,
    businessId,
    after: { sha256: exported.sha256, source_business_id: exported.sourceId }
  })
  return { businessId, isResumed: false }
})

/** Inserts rows of a table, without their references to rows of the same table. */
const insertRows = Effect.fnUntraced(function* (
  { columns, table }: BusinessTable,
  businessId: number,
  rows: ReadonlyArray<ExportedRow>
) {
  const sql = yield* SqlClient.SqlClient
  const reference = selfReferences[table]
  const values = rows.map(({ row }) => ({
    ...row,
    business_id: businessId,
    ...(typeof row["search"] === "string" ? { search: withPrefix(row["search"], 0, businessId) } : {}),
    ...(reference === undefined ? {} : { [reference]: null })
  }))
  const all = quotedNames(["business_id", ...columns])
  yield* sql.unsafe(
    `INSERT INTO ${table} (${all}) OVERRIDING SYSTEM VALUE
     SELECT ${all} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb) ON CONFLICT DO NOTHING`,
    [JSON.stringify(values)]
  )
})

/** Sets the references to rows of the same table, which are all inserted now. */
const setSelfReferences = Effect.fnUntraced(function* (
  { key, table }: BusinessTable,
  businessId: number,
  rows: ReadonlyArray<ExportedRow>
) {
  const sql = yield* SqlClient.SqlClient
  const reference = selfReferences[table]
  if (reference === undefined) return
  const referring = rows.flatMap(({ row }) => (row[reference] === null ? [] : [row]))
  if (referring.length === 0) return
  const isSame = key.map((column) => `t."${column}" = r."${column}"`).join(" AND ")
  yield* sql.unsafe(
    `UPDATE ${table} t SET "${reference}" = r."${reference}" FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb) r
     WHERE t.business_id = ${businessId} AND ${isSame}`,
    [JSON.stringify(referring)]
  )
})

/** Raises the sequences of a table, so that new rows of the business get ids that no imported row has. */
const advanceSequences = Effect.fnUntraced(function* ({ table }: BusinessTable, businessId: number) {
  const sql = yield* SqlClient.SqlClient
  const sequences = yield* sequencesOf(sql`
    SELECT pg_get_serial_sequence(${table}, attname) AS sequence, attname::text AS column FROM pg_attribute
    WHERE attrelid = ${table}::regclass AND attidentity <> '' AND attname <> 'business_id'`)
  for (const { column, sequence } of sequences)
    yield* sql.unsafe(`
      SELECT setval('${sequence}', greatest(
        coalesce(pg_sequence_last_value('${sequence}'::regclass), 1),
        coalesce((SELECT max("${column}") FROM ${table} WHERE business_id = ${businessId}), 1)))`).unprepared
})

/** The tables by name. Fails if this installation cannot hold the rows of the export. */
const tablesOf = Effect.fnUntraced(function* (exported: Omit<ExportedBusiness<never>, "batches">) {
  const tables = yield* businessTables
  const fault = yield* versionFault(exported, tables)
  if (fault !== undefined)
    return yield* new Conflict({
      reason: `The export is of another version of Livery, which has other data in ${fault}: export and import with the same version`
    })
  return new Map(tables.map((table) => [table.table, table]))
})

/** Inserts all rows, except those that an earlier run has inserted, and then their references. */
const insertAll = Effect.fnUntraced(function* <E>(
  batches: ExportedBusiness<E>["batches"],
  tables: ReadonlyMap<string, BusinessTable>,
  businessId: number,
  onRows: (rows: number) => void
) {
  const sql = yield* SqlClient.SqlClient
  const present = new Map<string, number>()
  for (const table of tables.keys()) {
    const [count] = yield* countsOf(
      sql.unsafe(`SELECT count(*)::int8 AS rows FROM ${table} WHERE business_id = ${businessId}`)
    )
    present.set(table, count?.rows ?? 0)
  }
  let processed = 0
  yield* Stream.runForEach(batches, (rows) =>
    Effect.gen(function* () {
      const table = tables.get(rows[0]?.table ?? "")
      if (table === undefined) return
      // Rows come in the order of their keys, so those of an earlier run are the first ones.
      const skipped = Math.min(present.get(table.table) ?? 0, rows.length)
      present.set(table.table, (present.get(table.table) ?? 0) - skipped)
      if (skipped < rows.length) yield* insertRows(table, businessId, rows.slice(skipped))
      processed += rows.length
      onRows(processed)
    })
  )
  yield* Stream.runForEach(batches, (rows) => {
    const table = tables.get(rows[0]?.table ?? "")
    return table === undefined ? Effect.void : setSelfReferences(table, businessId, rows)
  })
})

/** Fails if the rows of a table differ from those of the export. */
const compareSums = Effect.fnUntraced(function* (
  table: BusinessTable,
  businessId: number,
  exported: TableSum | undefined
) {
  const imported = yield* sumOf(table, businessId)
  if (exported !== undefined && (imported.rows !== exported.rows || imported.sum !== exported.sum))
    return yield* new Conflict({
      reason: `${table.table} has ${imported.rows} of ${exported.rows} rows, or other values: business ${businessId} stays suspended`
    })
})

/**
 * Imports a business and returns its id. `Conflict` if the export was imported already, if its slug is taken, or if the
 * imported rows differ from the export; the business then stays suspended.
 */
export const importBusiness = traced("BusinessImport.importBusiness")(function* <E>(
  exported: ExportedBusiness<E>,
  options: {
    readonly actor: string
    readonly slug?: string | undefined
    readonly onProgress: (rows: number, total: number) => void
  }
) {
  const sql = yield* SqlClient.SqlClient
  const audit = yield* AuditLog
  const tables = yield* tablesOf(exported)
  const { businessId, isResumed } = yield* sql.withTransaction(
    startOrResume(exported, { actor: options.actor, slug: options.slug })
  )
  const total = Object.values(exported.tables).reduce((sum, { rows }) => sum + rows, 0)
  yield* insertAll(exported.batches, tables, businessId, (rows) => options.onProgress(rows, total))
  for (const table of tables.values()) {
    yield* advanceSequences(table, businessId)
    yield* compareSums(table, businessId, exported.tables[table.table])
  }
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`UPDATE businesses SET status = ${String(exported.business["status"])} WHERE business_id = ${businessId}`
      yield* audit.record({
        actor: options.actor,
        action: importedAction,
        subject: `business:${businessId}`,
        businessId,
        after: { rows: total, source_business_id: exported.sourceId }
      })
    })
  )
  return { businessId, rows: total, isResumed }
})
