/** Keeps the ids of imported rows from being given again. */
import type { BusinessId } from "@livery/domain"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { execute, rowsAs } from "../sql/rows/Rows.ts"
import { distribution } from "../sql/schema/Distribution.ts"

/** A column whose ids a sequence draws. */
interface DrawnColumn {
  readonly businessId: BusinessId
  readonly table: string
  readonly column: string
  readonly sequence: string
}

const countsOf = rowsAs(Schema.Struct({ rows: Schema.Int }))
const highestOf = rowsAs(Schema.Struct({ node: Schema.Int, id: Schema.Int }))

const resultsOf = rowsAs(Schema.Struct({ result: Schema.String }))

/** The ids that a node of Citus draws: group n has those from n times this number on. */
const idsOfNode = 2 ** 48

/** Makes the function that raises a sequence to the highest id that a business has. */
export const makeIdReservation = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const raise = Effect.fnUntraced(function* ({ businessId, column, sequence, table }: DrawnColumn) {
    const whereBehind = `
      FROM (SELECT max("${column}") AS highest FROM ${table} WHERE business_id = ${businessId}) s
      WHERE s.highest > coalesce(pg_sequence_last_value('${sequence}'::regclass), 0)`
    const [behind] = yield* countsOf(sql.unsafe(`SELECT count(*)::int8 AS rows ${whereBehind}`).unprepared)
    if (behind?.rows !== 1) return
    yield* sql
      .withTransaction(
        Effect.andThen(
          // An id that is drawn between the comparison and `setval` could be higher than the one that `setval` sets, and
          // the sequence would then give that id again. A change of the sequence, here to what it is, waits for all who
          // have drawn an id and keeps others from drawing one; a lock of the table would not, because ids of trips are
          // drawn before the insertion.
          execute(sql.unsafe(`ALTER SEQUENCE ${sequence} NO CYCLE`).unprepared),
          execute(sql.unsafe(`SELECT setval('${sequence}', s.highest) ${whereBehind}`).unprepared)
        )
      )
      .pipe(Effect.orDie)
  })

  /** Each node draws the ids in between, since Citus does not change a sequence. */
  const raiseOnNodes = Effect.fnUntraced(function* ({ businessId, column, sequence, table }: DrawnColumn) {
    const highest = yield* highestOf(
      sql.unsafe(
        `SELECT ("${column}" / ${idsOfNode})::int8 AS node, max("${column}") AS id FROM ${table}
         WHERE business_id = ${businessId} GROUP BY 1`
      ).unprepared
    )
    if (highest.length === 0) return
    const values = highest.map(({ id, node }) => `(${node}, ${id})`).join(", ")
    const draw = `
      SELECT count(nextval('${sequence}')) FROM pg_dist_local_group l
      JOIN (VALUES ${values}) AS h (node, id) ON h.node = l.groupid
      CROSS JOIN generate_series(
        coalesce(pg_sequence_last_value('${sequence}'::regclass), l.groupid * ${idsOfNode}) + 1, h.id)`
    const failures = yield* resultsOf(
      sql`SELECT result FROM run_command_on_all_nodes(${draw}) WHERE NOT success`.unprepared
    )
    if (failures.length > 0)
      return yield* Effect.die(new Error(failures.map(({ result }) => result).join("; ")))
  })

  return Effect.fnUntraced(function* (drawn: DrawnColumn) {
    const { isDistributed } = yield* Effect.provideService(distribution(), SqlClient.SqlClient, sql)
    yield* isDistributed ? raiseOnNodes(drawn) : raise(drawn)
  })
})
