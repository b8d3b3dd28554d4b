/** The name of the installation, which the database was given when it was made. */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { oneRow, rowsAs } from "../sql/rows/Rows.ts"

const names = rowsAs(Schema.Struct({ name: Schema.String }))

/** The name: 32 hexadecimal digits, the same for all nodes on the database, and kept by its backups. */
export const installationName = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { name } = yield* oneRow(names(sql`SELECT name FROM installation`))
  return name
})
