/**
 * The form of the busiest writes (a booking, an event and a position), and of the look at all followed boards.
 *
 * On a plain PostgreSQL each is one statement, in which `WITH` clauses write, because each further statement costs a round trip. On a
 * distributed database such a statement reaches every node, and fails while one of them is down. There each write is plain
 * statements in one transaction, which reach the node of the business only. The followed boards of several businesses are read by one
 * statement for the same reason, and on a distributed database by one for each business.
 */
import { Context, Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { oneRow, rowsAs } from "../rows/Rows.ts"

/** Whether these are plain statements. By default the database decides: they are if it has Citus. */
export const PlainWrites = Context.Reference<boolean | undefined>("@livery/persistence/PlainWrites", {
  defaultValue: () => undefined
})

/** Both forms, with the same outcome. */
interface Forms<A, E> {
  readonly oneStatement: Effect.Effect<A, E>
  readonly plain: Effect.Effect<A, E>
}

const databases = rowsAs(Schema.Struct({ is_plain: Schema.Boolean }))

/** Makes the choice between the forms, which its first use makes for all later ones. */
export const makeWriteForm = (sql: SqlClient.SqlClient) =>
  Effect.map(PlainWrites, (given) => {
    let isPlain = given
    const ask = oneRow(databases(sql`SELECT to_regclass('pg_dist_partition') IS NOT NULL AS is_plain`))
    return <A, E>({ oneStatement, plain }: Forms<A, E>): Effect.Effect<A, E> =>
      isPlain === undefined
        ? Effect.flatMap(ask, ({ is_plain }) => {
            isPlain = is_plain
            return is_plain ? plain : oneStatement
          })
        : isPlain
          ? plain
          : oneStatement
  })
