/**
 * Reads records by their ids, in batches. Reads of one business that begin together share a statement (`makeSharedWork`): under
 * load, most of the time of such a read is the writing to the connection, the round trip and the statement's start, not the
 * row. An example with three iterations of the event loop:
 *
 *     1. a read of trip 1 begins              SELECT … WHERE trip_id = 1
 *     2. reads of trips 2, 3 and 2 begin      SELECT … WHERE trip_id IN (2, 3, 2, 2, 2, 2, 2, 2), at the end of this iteration
 *     3. a read of trip 4 begins              SELECT … WHERE trip_id = 4, at the end of this iteration
 *
 * - A statement has one business, so that no business waits for another's rows, and a database that is distributed by
 *   `business_id` runs it on one node.
 * - A shared statement whose session ends runs again on another, so that one lost connection does not fail several reads.
 * - A read in a transaction, or one that is traced, never shares.
 */
import { Context, Effect, Tracer } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { type BusinessId, type Group, makeSharedWork } from "@livery/domain"
import { compiled, type Placeholder } from "../statements/Compiled.ts"
import { startDetached } from "../transactions/Detached.ts"
import { isInTransaction } from "../transactions/InTransaction.ts"
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

  const readGroup = (businessId: BusinessId, ids: Group<Id>) => {
    const values: Record<string, BusinessId | Id> = { businessId }
    // The first id fills the remaining parameters.
    for (let at = 0; at < batchSize; at++) values[`id${at}`] = ids[at] ?? ids[0]
    const rows = complete(rereading(sql, readSeveral(values)))
    return startDetached(Effect.map(rows, (all) => new Map(all.map((row) => [idOf(row), [row]]))))
  }

  const readShared = makeSharedWork({
    alone: readAlone,
    together: readGroup,
    resultOf: (rows, id): ReadonlyArray<object> => rows.get(id) ?? noRows,
    most: batchSize,
    atEndOfIteration: setImmediate
  })

  const mayShare = (context: Context.Context<never>) =>
    !isInTransaction(sql, context) && Context.get(context, Tracer.Tracer) === Tracer.nativeTracer

  return (businessId: BusinessId, id: Id): Rows =>
    Effect.withFiber(({ context }) => (mayShare(context) ? readShared : readAlone)(businessId, id))
}
