/** The domain's `BusinessProfileRepository` on PostgreSQL. */
import { Array, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { BusinessId, ClashPolicy, Currency, BusinessProfileRepository, slugTaken } from "@livery/domain"
import { Instant, instant, rowsAs } from "../sql/Rows.ts"

const text = Schema.NullOr(Schema.String)

const ProfileRow = Schema.Struct({
  business_id: BusinessId,
  business_name: Schema.String,
  business_email: Schema.String,
  phone: text,
  address: text,
  website_url: text,
  logo_url: text,
  vendor_slug: Schema.String,
  timezone: Schema.String,
  currency: Currency,
  clash_policy: ClashPolicy,
  booking_confirmation_required: Schema.Boolean,
  created_at: Instant,
  updated_at: Instant
})

const decode = Schema.decodeUnknownEffect(Schema.Array(ProfileRow))
const profiles = rowsAs(ProfileRow)

export const layer = Layer.effect(
  BusinessProfileRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(Object.keys(ProfileRow.fields).join(", "))
    return BusinessProfileRepository.of({
      find: (businessId) =>
        Effect.map(
          profiles(sql`SELECT ${columns} FROM businesses WHERE business_id = ${businessId}`),
          Array.head
        ),
      lock: (businessId) =>
        Effect.map(
          profiles(
            sql`SELECT ${columns} FROM businesses WHERE business_id = ${businessId} FOR NO KEY UPDATE`
          ),
          Array.head
        ),
      update: Effect.fnUntraced(function* (businessId, profile, now) {
        const {
          address,
          booking_confirmation_required,
          business_email,
          business_name,
          clash_policy,
          currency,
          logo_url,
          phone,
          timezone,
          vendor_slug,
          website_url
        } = profile
        const row = {
          address,
          booking_confirmation_required,
          business_email,
          business_name,
          clash_policy,
          currency,
          logo_url,
          phone,
          timezone,
          vendor_slug,
          website_url,
          updated_at: instant(now)
        }
        const updated = yield* sql`
          UPDATE businesses SET ${sql.update(row)} WHERE business_id = ${businessId} RETURNING ${columns}`.pipe(
          Effect.catchReason("SqlError", "UniqueViolation", () => Effect.fail(slugTaken())),
          Effect.catchTag("SqlError", Effect.die)
        )
        const rows = yield* Effect.orDie(decode(updated))
        return yield* Effect.orDie(Effect.fromOption(Array.head(rows)))
      })
    })
  })
)
