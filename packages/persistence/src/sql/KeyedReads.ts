/**
 * Reads records by their ids. While a read is under way, further reads of one business that begin in the same iteration
 * of the event loop share a statement: under load, most of the time of such a read is the writing to the connection, the
 * round trip and the statement's start, not the row.
 *
 * - A read that begins while no other is under way runs at once, in its caller's fiber, as it would without this.
 * - A later read waits for the end of the iteration. If it is alone in its iteration, it runs as the first one does.
 * - A statement has one business, so that no business waits for another's rows, and a database that is distributed by
 *   `business_id` runs it on one node.
 * - A shared statement whose session ends runs again on another, so that one lost connection does not fail several reads.
 * - A caller that is interrupted continues at once. The statement is cancelled when its last caller is.
 * - A read in a transaction, or one that is traced, never shares.
 */
import { Context, Effect, Exit, type Fiber, Tracer } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { BusinessId } from "@livery/domain"
import { compiled, type Placeholder } from "./Compiled.ts"
import { startDetached } from "./Detached.ts"
import { isInTransaction } from "./InTransaction.ts"
import { rereading } from "./Rereading.ts"

/**
 * The most reads that share a statement. Every shared statement has this many parameters, so that PostgreSQL prepares one
 * statement and keeps its plan. More than that would gain little, and would leave connections unused.
 */
const shareLimit = 8

/** The rows of a statement, as the client returns them. */
type Rows = Effect.Effect<ReadonlyArray<object>, SqlError.SqlError>

/** How records are read. */
interface KeyedRead<Id> {
  /** Selects, among other columns, the id. `ids` is the condition on it: `= $2`, or `IN ($2, …)`. */
  readonly statement: (businessId: Placeholder, ids: Statement.Fragment) => Statement.Statement<object>
  readonly idOf: (row: object) => Id
  /** Completes the rows of the statement. The reads of one record share its row, so nothing else may change it. */
  readonly complete: (rows: Rows) => Rows
}

/** A read whose statement has not been answered. */
interface Waiting<Id> {
  readonly id: Id
  readonly resume: (rows: Rows) => void
  hasLeft: boolean
  shared: Shared | undefined
}

type Together<Id> = readonly [Waiting<Id>, ...ReadonlyArray<Waiting<Id>>]

/** A statement of several reads. */
interface Shared {
  callers: number
  readonly fiber: Fiber.Fiber<unknown, unknown>
}

const none: ReadonlyArray<object> = []

/** Makes the function that reads a record: no row if the business does not have it. */
export const makeKeyedRead = <Id extends number>(
  sql: SqlClient.SqlClient,
  { complete, idOf, statement }: KeyedRead<Id>
) => {
  const one = compiled<{ readonly businessId: BusinessId; readonly id: Id }>(sql, ({ businessId, id }) =>
    statement(businessId, sql`= ${id}`)
  )
  const several = compiled<Readonly<Record<string, BusinessId | Id>>>(sql, ({ businessId, ...ids }) =>
    statement(businessId as Placeholder, sql`IN ${sql.in(Object.values(ids))}`)
  )
  const readAlone = (businessId: BusinessId, id: Id) => complete(one({ businessId, id }))

  const readTogether = (businessId: BusinessId, waiting: Together<Id>) => {
    const values: Record<string, BusinessId | Id> = { businessId }
    // The first id fills the places of those that are missing.
    for (let at = 0; at < shareLimit; at++) values[`id${at}`] = (waiting[at] ?? waiting[0]).id
    return startDetached(complete(rereading(sql, several(values))))
  }

  const share = (businessId: BusinessId, waiting: Together<Id>) => {
    const shared = { callers: waiting.length, fiber: readTogether(businessId, waiting) }
    for (const each of waiting) each.shared = shared
    shared.fiber.addObserver((exit) => {
      if (Exit.isFailure(exit)) for (const { resume } of waiting) resume(exit)
      else {
        const rows = new Map(exit.value.map((row) => [idOf(row), [row]]))
        for (const { id, resume } of waiting) resume(Effect.succeed(rows.get(id) ?? none))
      }
    })
  }

  let iteration = new Map<BusinessId, Array<Waiting<Id>>>()
  const flush = () => {
    const reads = iteration
    iteration = new Map()
    for (const [businessId, begun] of reads) {
      const waiting = begun.filter(({ hasLeft }) => !hasLeft)
      for (let from = 0; from < waiting.length; from += shareLimit) {
        const [first, ...others] = waiting.slice(from, from + shareLimit)
        if (first === undefined) continue
        if (others.length === 0) first.resume(readAlone(businessId, first.id))
        else share(businessId, [first, ...others])
      }
    }
  }

  const leave = (waiting: Waiting<Id>) => {
    waiting.hasLeft = true
    if (waiting.shared === undefined) return
    waiting.shared.callers -= 1
    if (waiting.shared.callers === 0) waiting.shared.fiber.interruptUnsafe()
  }

  const readInIteration = (businessId: BusinessId, id: Id): Rows =>
    Effect.callback((resume) => {
      const waiting: Waiting<Id> = { id, resume, hasLeft: false, shared: undefined }
      if (iteration.size === 0) setImmediate(flush)
      const begun = iteration.get(businessId)
      if (begun === undefined) iteration.set(businessId, [waiting])
      else begun.push(waiting)
      return Effect.sync(() => leave(waiting))
    })

  let underWay = 0

  const readCounted = (businessId: BusinessId, id: Id): Rows => {
    let isCounted = false
    const start = () => {
      const read = underWay === 0 ? readAlone : readInIteration
      underWay += 1
      isCounted = true
      return read(businessId, id)
    }
    const end = () => {
      // An interrupted read may end before it started.
      if (isCounted) underWay -= 1
    }
    return Effect.ensuring(Effect.suspend(start), Effect.sync(end))
  }

  const mayShare = (context: Context.Context<never>) =>
    !isInTransaction(sql, context) && Context.get(context, Tracer.Tracer) === Tracer.nativeTracer

  return (businessId: BusinessId, id: Id): Rows =>
    Effect.withFiber(({ context }) => (mayShare(context) ? readCounted : readAlone)(businessId, id))
}
