/**
 * The target's side of a move (docs/operations/data.md). The source sends one step after the other. Each can be repeated: the id of
 * the move names the business, and rows that are there stay.
 */
import { Effect, Option, Schema } from "effect"
import { makeAuditTrail } from "../audit/AuditTrail.ts"
import { CurrentActor } from "../kernel/CurrentActor.ts"
import { Conflict, NotFound } from "../kernel/Errors.ts"
import type { BusinessId, UserId } from "../kernel/Ids.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { traced } from "../kernel/TracedFunction.ts"
import { BusinessProfileRepository } from "../settings/BusinessProfileRepository.ts"
import { otherData, requireSlug } from "./BusinessImport.ts"
import { MovedEndpoint, MovedKey, type StoredArrival, StoredSums } from "./BusinessMoves.ts"
import { BusinessRows, type BusinessTable, RowBlocks, type RowValues } from "./BusinessRows.ts"
import { ImportedBusinesses, transferActions } from "./ImportedBusinesses.ts"

const Values = Schema.Record(Schema.String, Schema.Json)

/** What the target has to accept before anything is copied. */
const Announced = {
  business: Values,
  plan: Schema.String,
  slug: Schema.String,
  columns: Schema.Record(Schema.String, Schema.Array(Schema.String))
}

const Rows = { move_id: Schema.String, table: Schema.String, rows: Schema.Array(Values) }

/**
 * A step of a move.
 *
 * - `check`: whether this installation can take the business. Nothing is stored.
 * - `begin`: stores the business, which is suspended, or gives that of an earlier run the present values.
 * - `compare`: answers with the blocks of all tables that have rows; `keys`: with the keys of the rows in some blocks.
 * - `rows`: stores rows of a table; `link`: their references to rows of the same table; `remove`: deletes the rows with these keys.
 * - `credentials`: stores API keys and webhook endpoints, and where the event feed continues.
 * - `complete`: compares the sums of these tables.
 * - `open`: from now on, the business is used here.
 * - `discard`: erases a business that is not open.
 */
export const MoveStep = Schema.Union([
  Schema.Struct({ step: Schema.Literal("check"), ...Announced }),
  Schema.Struct({
    step: Schema.Literal("begin"),
    move_id: Schema.String,
    source_business_id: Schema.Int,
    ...Announced
  }),
  Schema.Struct({ step: Schema.Literal("compare"), move_id: Schema.String }),
  Schema.Struct({
    step: Schema.Literal("keys"),
    move_id: Schema.String,
    table: Schema.String,
    blocks: Schema.Array(Schema.String)
  }),
  Schema.Struct({ step: Schema.Literal("remove"), ...Rows }),
  Schema.Struct({ step: Schema.Literal("rows"), ...Rows }),
  Schema.Struct({ step: Schema.Literal("link"), ...Rows }),
  Schema.Struct({
    step: Schema.Literal("credentials"),
    move_id: Schema.String,
    keys: Schema.Array(MovedKey),
    endpoints: Schema.Array(MovedEndpoint),
    last_position: Schema.Int
  }),
  Schema.Struct({ step: Schema.Literal("complete"), move_id: Schema.String, tables: StoredSums }),
  Schema.Struct({ step: Schema.Literal("open"), move_id: Schema.String, active: Schema.Boolean }),
  Schema.Struct({ step: Schema.Literal("discard"), move_id: Schema.String })
])
export type MoveStep = typeof MoveStep.Type

/** The response to a step. */
export const MoveAnswer = Schema.Struct({
  /** The business on the target; null before `begin`, and after `discard`. */
  business_id: Schema.NullOr(Schema.Int),
  slug: Schema.NullOr(Schema.String),
  /** The blocks of each table with rows, after `compare`. */
  blocks: Schema.Record(Schema.String, RowBlocks),
  /** The keys that `keys` asks for. */
  keys: Schema.Array(Values)
})
export type MoveAnswer = typeof MoveAnswer.Type

type StepOf<Name extends MoveStep["step"]> = Extract<MoveStep, { readonly step: Name }>

const nothing: MoveAnswer = { business_id: null, slug: null, blocks: {}, keys: [] }

const answerOf = (
  { business_id, slug }: Pick<StoredArrival, "business_id" | "slug">,
  found: Partial<Pick<MoveAnswer, "blocks" | "keys">> = {}
): MoveAnswer => ({ ...nothing, business_id, slug, ...found })

/** Makes the use case of a move to this installation. */
export const makeBusinessArrival = Effect.gen(function* () {
  const transaction = yield* Transaction
  const imported = yield* ImportedBusinesses
  const { arrivals } = imported
  const stored = yield* BusinessRows
  const profiles = yield* BusinessProfileRepository
  const writeAudit = yield* makeAuditTrail

  const slugIsTaken = (slug: string) =>
    new Conflict({
      reason: `Another business of the target has the slug ${slug}: choose another with --slug`
    })

  /** `Conflict` if this installation cannot take the business. */
  const requireFit = Effect.fnUntraced(function* ({
    business,
    columns,
    plan,
    slug
  }: StepOf<"check"> | StepOf<"begin">) {
    const other = otherData({ business, columns, tables: {} }, yield* stored.linkedShape)
    if (other !== undefined)
      return yield* new Conflict({
        reason: `The installations have different versions of Livery, whose data differs in ${other}: use the same version on both`
      })
    const linkKey = business["link_key"]
    const here = Option.getOrUndefined(yield* arrivals.homeOf(typeof linkKey === "string" ? linkKey : ""))
    if (here !== undefined && here.state !== "finished")
      return yield* new Conflict({
        reason:
          here.state === null
            ? `The business is here already, as business ${here.business_id}`
            : `The business moved away from here, and its copy is still here: livery move --business ${here.business_id} --finish, on this installation`
      })
    yield* requireSlug(slug)
    if (!(yield* arrivals.hasPlan(plan)))
      return yield* new Conflict({ reason: `The target has no plan ${plan}: create it there` })
    const taken = Option.getOrUndefined(yield* profiles.findBySlug(slug))
    if (taken !== undefined && taken.business_id !== here?.business_id) return yield* slugIsTaken(slug)
  })

  const requireArrival = Effect.fnUntraced(function* (moveId: string) {
    return yield* Effect.mapError(
      Effect.fromOption(yield* arrivals.find(moveId)),
      () => new NotFound({ resource: "move" })
    )
  })

  /** The move, which still takes rows. */
  const requireCopying = Effect.fnUntraced(function* (moveId: string) {
    const arrival = yield* requireArrival(moveId)
    if (arrival.state === "open") return yield* new Conflict({ reason: "The business is used here already" })
    return arrival
  })

  const record = Effect.fnUntraced(function* (businessId: BusinessId, action: string, after: Schema.Json) {
    yield* writeAudit({
      actor: yield* CurrentActor,
      action,
      subject: `business:${businessId}`,
      businessId,
      after
    })
  })

  /** Continues a move: the business may have changed since. */
  const again = Effect.fnUntraced(function* (
    arrival: StoredArrival,
    { plan, slug }: StepOf<"begin">,
    row: RowValues
  ) {
    if (arrival.state === "open") return answerOf(arrival)
    yield* requireSlug(slug)
    const taken = Option.getOrUndefined(yield* profiles.findBySlug(slug))
    if (taken !== undefined && taken.business_id !== arrival.business_id) return yield* slugIsTaken(slug)
    return yield* atomically(transaction, function* () {
      if (!(yield* arrivals.refresh(arrival.business_id, row, plan)))
        return yield* new Conflict({ reason: `The target has no plan ${plan}: create it there` })
      yield* arrivals.setState(arrival.move_id, "copying")
      return answerOf({ ...arrival, slug })
    })
  })

  const begin = Effect.fnUntraced(function* (step: StepOf<"begin">) {
    const earlier = Option.getOrUndefined(yield* arrivals.find(step.move_id))
    const row = { ...step.business, vendor_slug: step.slug, status: "D" }
    if (earlier !== undefined) return yield* again(earlier, step, row)
    yield* requireFit(step)
    return yield* atomically(transaction, function* () {
      const reused = yield* arrivals.reuse(row, step.plan)
      const created = Option.isSome(reused)
        ? reused
        : yield* Effect.mapError(imported.insert(row, step.plan), () => slugIsTaken(step.slug))
      if (Option.isNone(created))
        return yield* new Conflict({ reason: `The target has no plan ${step.plan}` })
      const business_id = created.value
      yield* arrivals.start({ move_id: step.move_id, business_id })
      // An entry stays for ever, and keeps the row of its business: this business may be discarded, and is named by the subject only.
      yield* writeAudit({
        actor: yield* CurrentActor,
        action: transferActions.importStarted,
        subject: `business:${business_id}`,
        after: { move_id: step.move_id, source_business_id: step.source_business_id }
      })
      return answerOf({ business_id, slug: step.slug })
    })
  })

  const tableOf = Effect.fnUntraced(function* (name: string) {
    const { tables } = yield* stored.linkedShape
    const table = tables.find((one) => one.table === name)
    return table ?? (yield* new Conflict({ reason: `There is no table ${name} here` }))
  })

  const compare = Effect.fnUntraced(function* ({ move_id }: StepOf<"compare">) {
    const arrival = yield* requireCopying(move_id)
    const found: Record<string, RowBlocks> = {}
    for (const table of (yield* stored.linkedShape).tables)
      found[table.table] = yield* stored.blocks(arrival.business_id, table)
    return answerOf(arrival, { blocks: found })
  })

  const keysIn = Effect.fnUntraced(function* ({ blocks, move_id, table }: StepOf<"keys">) {
    const arrival = yield* requireCopying(move_id)
    return answerOf(arrival, {
      keys: yield* stored.keysIn(arrival.business_id, yield* tableOf(table), blocks)
    })
  })

  const remove = Effect.fnUntraced(function* ({ move_id, rows, table }: StepOf<"remove">) {
    const arrival = yield* requireCopying(move_id)
    yield* stored.remove(arrival.business_id, yield* tableOf(table), rows)
    return answerOf(arrival)
  })

  const store = Effect.fnUntraced(function* ({ move_id, rows, step, table: name }: StepOf<"rows" | "link">) {
    const arrival = yield* requireCopying(move_id)
    const table: BusinessTable = yield* tableOf(name)
    const use = step === "rows" ? stored.insert : stored.link
    yield* use(
      arrival.business_id,
      table,
      rows.map((row) => ({ table: name, row }))
    )
    return answerOf(arrival)
  })

  const complete = Effect.fnUntraced(function* ({ move_id, tables }: StepOf<"complete">) {
    const arrival = yield* requireCopying(move_id)
    const { business_id } = arrival
    for (const table of (yield* stored.linkedShape).tables) {
      yield* stored.reserveIds(business_id, table)
      const sent = tables[table.table]
      if (sent === undefined) continue
      const { rows, sum } = yield* stored.sum(business_id, table)
      if (rows !== sent.rows || sum !== sent.sum)
        return yield* new Conflict({
          reason: `${table.table} has ${rows} of ${sent.rows} rows at the target, or other values`
        })
    }
    yield* arrivals.setState(move_id, "complete")
    return answerOf(arrival)
  })

  const open = Effect.fnUntraced(function* (arrival: StoredArrival, active: boolean) {
    const { move_id } = arrival
    if (arrival.state === "open") return answerOf(arrival)
    if (arrival.state === "copying")
      return yield* new Conflict({ reason: "The business has not arrived completely" })
    return yield* atomically(transaction, function* () {
      yield* imported.setStatus(arrival.business_id, active ? "A" : "D")
      yield* arrivals.becomeHome(arrival)
      yield* record(arrival.business_id, transferActions.imported, { move_id })
      return answerOf(arrival)
    })
  })

  const discard = Effect.fnUntraced(function* (arrival: StoredArrival | undefined) {
    if (arrival === undefined) return nothing
    if (arrival.state === "open") return yield* new Conflict({ reason: "The business is used here already" })
    if (!(yield* arrivals.discard(arrival)))
      return yield* new Conflict({
        reason: `The audit log or an invoice of the target names business ${arrival.business_id}, so that the copy stays there, suspended: end the move with --abort --without-target`
      })
    return nothing
  })

  /** The move of a business that arrives here. */
  const requireArriving = Effect.fnUntraced(function* (businessId: BusinessId) {
    return yield* Effect.mapError(
      Effect.fromOption(yield* arrivals.ofBusiness(businessId)),
      () => new Conflict({ reason: `Business ${businessId} does not arrive here from another installation` })
    )
  })

  return {
    /** Takes a step of a move. The user is named as the author of API keys that arrive. `Conflict` says why it cannot. */
    take: traced("BusinessArrival.take")(function* (step: MoveStep, userId: UserId) {
      switch (step.step) {
        case "check":
          return yield* Effect.as(requireFit(step), nothing)
        case "begin":
          return yield* begin(step)
        case "compare":
          return yield* compare(step)
        case "keys":
          return yield* keysIn(step)
        case "remove":
          return yield* remove(step)
        case "rows":
        case "link":
          return yield* store(step)
        case "credentials": {
          const arrival = yield* requireCopying(step.move_id)
          yield* transaction.run(arrivals.storeCredentials(arrival.business_id, step, userId))
          yield* stored.reserveIds(arrival.business_id, { table: "webhook_endpoints", key: [], columns: [] })
          return answerOf(arrival)
        }
        case "complete":
          return yield* complete(step)
        case "open":
          return yield* open(yield* requireArrival(step.move_id), step.active)
        case "discard":
          return yield* discard(Option.getOrUndefined(yield* arrivals.find(step.move_id)))
      }
    }),

    /**
     * Opens a business that has arrived completely and whose source is lost: from now on, it is used here. A source that still runs
     * may be its home too, and cannot finish the move any more. `Conflict` unless all of its rows are here.
     */
    openWithoutSource: traced("BusinessArrival.openWithoutSource")(function* (businessId: BusinessId) {
      return yield* open(yield* requireArriving(businessId), true)
    }),

    /** Erases a business that arrives, and whose source does not continue. `Conflict` if none of that id arrives. */
    discardWithoutSource: traced("BusinessArrival.discardWithoutSource")(function* (businessId: BusinessId) {
      const arrival = yield* requireArriving(businessId)
      yield* discard(arrival)
      yield* writeAudit({
        actor: yield* CurrentActor,
        action: transferActions.arrivalDiscarded,
        subject: `business:${businessId}`,
        after: { move_id: arrival.move_id }
      })
    })
  }
})
