/** The domain's `BusinessProfileRepository` on PostgreSQL. */
import { Array, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { BusinessProfile, BusinessProfileInput, BusinessProfileRepository, slugTaken } from "@livery/domain"
import { columnsOf, columnsSetBy, valuesOf } from "../sql/rows/Columns.ts"
import { instant, oneRow, rowsAs } from "../sql/rows/Rows.ts"

const profiles = rowsAs(BusinessProfile)

const setByCallers = columnsSetBy(BusinessProfileInput, BusinessProfile)

/** Profiles, which are columns of the table `businesses`. */
export const layer = Layer.effect(
  BusinessProfileRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(columnsOf(BusinessProfile))
    return BusinessProfileRepository.of({
      find: (businessId) =>
        Effect.map(
          profiles(sql`SELECT ${columns} FROM businesses WHERE business_id = ${businessId}`),
          Array.head
        ),
      findBySlug: (slug) =>
        Effect.map(profiles(sql`SELECT ${columns} FROM businesses WHERE vendor_slug = ${slug}`), Array.head),
      lock: (businessId) =>
        Effect.map(
          profiles(
            sql`SELECT ${columns} FROM businesses WHERE business_id = ${businessId} FOR NO KEY UPDATE`
          ),
          Array.head
        ),
      update: Effect.fnUntraced(function* (businessId, profile, now) {
        const row = { ...valuesOf(setByCallers, profile), updated_at: instant(now) }
        const updated = yield* sql<object>`
          UPDATE businesses SET ${sql.update(row)} WHERE business_id = ${businessId} RETURNING ${columns}`.pipe(
          Effect.catchReason("SqlError", "UniqueViolation", () => Effect.fail(slugTaken())),
          Effect.catchTag("SqlError", Effect.die)
        )
        return yield* oneRow(profiles(Effect.succeed(updated)))
      })
    })
  })
)
