import { Array, Effect, Schema } from "effect"
import { BusinessId, DriverId, DriverInvitationRepository } from "@livery/domain"
import { execute, instant, rowsAs } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const invitations = rowsAs(
  Schema.Struct({ business_id: BusinessId, driver_id: DriverId, email: Schema.String })
)

/** Invitations of drivers in the table `driver_invitations`. */
export const layer = onPostgres(DriverInvitationRepository, (sql) => {
  const removeAll = (businessId: BusinessId, driverId: DriverId) =>
    execute(sql`DELETE FROM driver_invitations WHERE business_id = ${businessId} AND driver_id = ${driverId}`)
  return {
    issue: Effect.fnUntraced(function* ({ businessId, codeHash, driverId, email, expiresAt }, now) {
      yield* removeAll(businessId, driverId)
      yield* Effect.orDie(sql`
        INSERT INTO driver_invitations (code_hash, business_id, driver_id, email, expires_at, created_at)
        VALUES (${codeHash}, ${businessId}, ${driverId}, ${email}, ${instant(expiresAt)}, ${instant(now)})`)
    }),
    invited: (businessId, codeHash, now) =>
      Effect.map(
        invitations(sql`
          SELECT business_id, driver_id, email FROM driver_invitations
          WHERE business_id = ${businessId} AND code_hash = ${codeHash} AND used_at IS NULL
            AND expires_at > ${instant(now)}`),
        (rows) =>
          Array.head(
            Array.map(rows, ({ business_id, driver_id, email }) => ({
              businessId: business_id,
              driverId: driver_id,
              email
            }))
          )
      ),
    redeem: (businessId, codeHash, now) =>
      Effect.map(
        invitations(sql`
          UPDATE driver_invitations SET used_at = ${instant(now)}
          WHERE business_id = ${businessId} AND code_hash = ${codeHash} AND used_at IS NULL
            AND expires_at > ${instant(now)}
          RETURNING business_id, driver_id, email`),
        (redeemed) => redeemed.length > 0
      ),
    void: removeAll
  }
})
