/** Moves of businesses from here that have not ended, and that no program continues at the moment. */
import { BusinessId, MoveState } from "@livery/domain"
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
