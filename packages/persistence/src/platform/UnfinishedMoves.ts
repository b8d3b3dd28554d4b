/** Moves of businesses from here and to here that have not ended. */
import { ArrivalState, BusinessId, MoveState } from "@livery/domain"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { rowsAs } from "../sql/rows/Rows.ts"

/** An interrupted move. */
const UnfinishedMove = Schema.Struct({
  business_id: BusinessId,
  target_url: Schema.String,
  state: MoveState,
  /** Whether triggers refuse changes of the business. */
  is_paused: Schema.Boolean,
  is_running: Schema.Boolean
})
type UnfinishedMove = typeof UnfinishedMove.Type

const movesOf = rowsAs(UnfinishedMove)

/** The text, in SQL, whose advisory lock a program holds while it works on the move of a business. */
export const lockOfMove = (businessId: string) =>
  `hashtextextended('livery move ' || (${businessId})::text, 0)`

/** A move to here that is not complete, or whose business is not open. */
const UnfinishedArrival = Schema.Struct({ business_id: BusinessId, state: ArrivalState })
type UnfinishedArrival = typeof UnfinishedArrival.Type

const arrivalsOf = rowsAs(UnfinishedArrival)

/** The moves of businesses to here that have not ended. Their sources continue them; one of them may do so at the moment. */
export const unfinishedArrivals: Effect.Effect<
  ReadonlyArray<UnfinishedArrival>,
  never,
  SqlClient.SqlClient
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* arrivalsOf(sql`
    SELECT business_id, state FROM business_arrivals WHERE state <> 'open' ORDER BY business_id`)
})

/** The moves that were interrupted. */
export const unfinishedMoves: Effect.Effect<
  ReadonlyArray<UnfinishedMove>,
  never,
  SqlClient.SqlClient
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const found = yield* movesOf(
    sql.unsafe(`
        SELECT business_id, target_url, state, is_paused,
          NOT pg_try_advisory_xact_lock(${lockOfMove("business_id")}) AS is_running
        FROM (SELECT business_id, target_url, state, EXISTS (
            SELECT FROM pg_trigger WHERE tgname = 'moving_' || business_id || '_rows') AS is_paused
          FROM business_moves ORDER BY business_id OFFSET 0) m
        WHERE is_paused OR state IN ('copying', 'aborting')`).unprepared
  )
  return found.filter(({ is_running }) => !is_running)
})
