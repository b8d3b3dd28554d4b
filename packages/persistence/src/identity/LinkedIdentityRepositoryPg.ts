import { Array, Effect, Schema } from "effect"
import { LinkedIdentityRepository, User, UserId } from "@livery/domain"
import { instant, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { userColumns } from "./UserColumns.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const users = rowsAs(User)
const ids = rowsAs(Schema.Struct({ user_id: UserId }))

/** The identities at identity providers in the table `linked_identities`. */
export const layer = onPostgres(LinkedIdentityRepository, (sql) => ({
  userOf: ({ issuer, subject }) =>
    firstOf(
      users(sql`
          SELECT ${sql.literal(userColumns)}
          FROM linked_identities i JOIN users u USING (user_id)
          WHERE i.issuer = ${issuer} AND i.subject = ${subject}`)
    ),
  link: ({ at, issuer, subject, userId }) =>
    Effect.map(
      ids(sql`
          INSERT INTO linked_identities (issuer, subject, user_id, linked_at)
          VALUES (${issuer}, ${subject}, ${userId}, ${instant(at)})
          ON CONFLICT DO NOTHING
          RETURNING user_id`),
      Array.isReadonlyArrayNonEmpty
    )
}))
