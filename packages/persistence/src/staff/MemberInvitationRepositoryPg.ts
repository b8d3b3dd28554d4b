import { Array, Effect, Schema } from "effect"
import { MemberInvitationRepository, OpenInvitation, Role } from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"
import { pagesOf } from "../sql/lists/Pages.ts"
import { execute, instant, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const invitations = rowsAs(
  Schema.Struct({ email: Schema.String, name: Schema.NullOr(Schema.String), role: Role })
)

const pageOfInvitations = pagesOf(OpenInvitation)

export const layer = onPostgres(MemberInvitationRepository, (sql) => ({
  issue: (businessId, { codeHash, email, expiresAt, name, role }, now) =>
    execute(sql`
          INSERT INTO member_invitations (business_id, code_hash, email, name, role, expires_at, created_at)
          VALUES (${businessId}, ${codeHash}, ${email}, ${name}, ${role}, ${instant(expiresAt)}, ${instant(now)})
          ON CONFLICT (business_id, email) DO UPDATE
          SET code_hash = excluded.code_hash, name = excluded.name, role = excluded.role,
            expires_at = excluded.expires_at, created_at = excluded.created_at`),
  list: (businessId, now, page) =>
    pageOfInvitations(sql, page, {
      columns: sql.literal(columnsOf(OpenInvitation)),
      from: sql`member_invitations`,
      where: sql`business_id = ${businessId} AND expires_at > ${instant(now)}`,
      order: sql`email`
    }),
  revoke: (businessId, email, now) =>
    firstOf(
      invitations(sql`
          DELETE FROM member_invitations
          WHERE business_id = ${businessId} AND email = ${email} AND expires_at > ${instant(now)}
          RETURNING email, name, role`)
    ),
  find: (businessId, codeHash, now) =>
    firstOf(
      invitations(sql`
          SELECT email, name, role FROM member_invitations
          WHERE business_id = ${businessId} AND code_hash = ${codeHash} AND expires_at > ${instant(now)}`)
    ),
  redeem: (businessId, codeHash, now) =>
    Effect.map(
      invitations(sql`
          DELETE FROM member_invitations
          WHERE business_id = ${businessId} AND code_hash = ${codeHash} AND expires_at > ${instant(now)}
          RETURNING email, name, role`),
      Array.isReadonlyArrayNonEmpty
    )
}))
