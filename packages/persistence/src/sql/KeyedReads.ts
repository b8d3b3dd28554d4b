/**
 * Reads records by their ids, in batches. While a read is under way, further reads of one business that begin in the same
 * iteration of the event loop share a statement: under load, most of the time of such a read is the writing to the
 * connection, the round trip and the statement's start, not the row. An example with three iterations:
 *
 *     1. a read of trip 1 begins              SELECT … WHERE trip_id = 1
 *     2. reads of trips 2, 3 and 2 begin      SELECT … WHERE trip_id IN (2, 3, 2, 2, 2, 2, 2, 2), at the end of this iteration
 *     3. a read of trip 4 begins              SELECT … WHERE trip_id = 4, at the end of this iteration
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
const batchSize = 8

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
  isInterrupted: boolean
  statement: SharedStatement | undefined
}

type NonEmptyBatch<Id> = readonly [Waiting<Id>, ...ReadonlyArray<Waiting<Id>>]

/** A running statement of several reads. */
interface SharedStatement {
  callers: number
  readonly fiber: Fiber.Fiber<unknown, unknown>
}

const noRows: ReadonlyArray<object> = []

/** Makes the function that reads a record: no row if the business does not have it. */
export const makeKeyedRead = <Id extends number>(
  sql: SqlClient.SqlClient,
  { complete, idOf, statement }: KeyedRead<Id>
) => {
  const readOne = compiled<{ readonly businessId: BusinessId; readonly id: Id }>(sql, ({ businessId, id }) =>
    statement(businessId, sql`= ${id}`)
  )
  const readSeveral = compiled<Readonly<Record<string, BusinessId | Id>>>(sql, ({ businessId, ...ids }) =>
    statement(businessId as Placeholder, sql`IN ${sql.in(Object.values(ids))}`)
  )
  const readAlone = (businessId: BusinessId, id: Id) => complete(readOne({ businessId, id }))

  const readBatch = (businessId: BusinessId, batch: NonEmptyBatch<Id>) => {
    const values: Record<string, BusinessId | Id> = { businessId }
    // The first id fills the remaining parameters.
    for (let at = 0; at < batchSize; at++) values[`id${at}`] = (batch[at] ?? batch[0]).id
    return startDetached(complete(rereading(sql, readSeveral(values))))
  }

  const runBatch = (businessId: BusinessId, batch: NonEmptyBatch<Id>) => {
    const shared = { callers: batch.length, fiber: readBatch(businessId, batch) }
    for (const waiting of batch) waiting.statement = shared
    shared.fiber.addObserver((exit) => {
      if (Exit.isFailure(exit)) for (const { resume } of batch) resume(exit)
      else {
        const rows = new Map(exit.value.map((row) => [idOf(row), [row]]))
        for (const { id, resume } of batch) resume(Effect.succeed(rows.get(id) ?? noRows))
      }
    })
  }

  let iteration = new Map<BusinessId, Array<Waiting<Id>>>()
  const flush = () => {
    const waitingByBusiness = iteration
    iteration = new Map()
    for (const [businessId, begun] of waitingByBusiness) {
      const waiting = begun.filter(({ isInterrupted }) => !isInterrupted)
      for (let from = 0; from < waiting.length; from += batchSize) {
        const [first, ...others] = waiting.slice(from, from + batchSize)
        if (first === undefined) continue
        if (others.length === 0) first.resume(readAlone(businessId, first.id))
        else runBatch(businessId, [first, ...others])
      }
    }
  }

  const interrupt = (waiting: Waiting<Id>) => {
    waiting.isInterrupted = true
    if (waiting.statement === undefined) return
    waiting.statement.callers -= 1
    if (waiting.statement.callers === 0) waiting.statement.fiber.interruptUnsafe()
  }

  const readInIteration = (businessId: BusinessId, id: Id): Rows =>
    Effect.callback((resume) => {
      const waiting: Waiting<Id> = { id, resume, isInterrupted: false, statement: undefined }
      if (iteration.size === 0) setImmediate(flush)
      const begun = iteration.get(businessId)
      if (begun === undefined) iteration.set(businessId, [waiting])
      else begun.push(waiting)
      return Effect.sync(() => interrupt(waiting))
    })

  let runningReads = 0

  const readCounted = (businessId: BusinessId, id: Id): Rows => {
    let isCounted = false
    const start = () => {
      const read = runningReads === 0 ? readAlone : readInIteration
      runningReads += 1
      isCounted = true
      return read(businessId, id)
    }
    const end = () => {
      // An interrupted read may end before it started.
      if (isCounted) runningReads -= 1
    }
    return Effect.ensuring(Effect.suspend(start), Effect.sync(end))
  }

  const mayShare = (context: Context.Context<never>) =>
    !isInTransaction(sql, context) && Context.get(context, Tracer.Tracer) === Tracer.nativeTracer

  return (businessId: BusinessId, id: Id): Rows =>
    Effect.withFiber(({ context }) => (mayShare(context) ? readCounted : readAlone)(businessId, id))
}
