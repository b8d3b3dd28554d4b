/** The domain's `LinkedIdentityRepository` on PostgreSQL. */
import { Array, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { LinkedIdentityRepository, User, UserId } from "@livery/domain"
import { instant, rowsAs } from "../sql/rows/Rows.ts"
import { userColumns } from "./UserColumns.ts"

const users = rowsAs(User)
const ids = rowsAs(Schema.Struct({ user_id: UserId }))

/** The identities at identity providers in the table `linked_identities`. */
export const layer = Layer.effect(
  LinkedIdentityRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return LinkedIdentityRepository.of({
      userOf: ({ issuer, subject }) =>
        Effect.map(
          users(sql`
            SELECT ${sql.literal(userColumns)}
            FROM linked_identities i JOIN users u USING (user_id)
            WHERE i.issuer = ${issuer} AND i.subject = ${subject}`),
          Array.head
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
    })
  })
)
