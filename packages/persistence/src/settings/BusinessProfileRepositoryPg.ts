import { Effect } from "effect"
import { BusinessProfile, BusinessProfileInput, BusinessProfileRepository, slugTaken } from "@livery/domain"
import { columnsOf, columnsSetBy, valuesOf } from "../sql/rows/Columns.ts"
import { instant, oneRow, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const profiles = rowsAs(BusinessProfile)

const setByCallers = columnsSetBy(BusinessProfileInput, BusinessProfile)

/** Profiles, which are columns of the table `businesses`. */
export const layer = onPostgres(BusinessProfileRepository, (sql) => {
  const columns = sql.literal(columnsOf(BusinessProfile))
  return {
    find: (businessId) =>
      firstOf(profiles(sql`SELECT ${columns} FROM businesses WHERE business_id = ${businessId}`)),
    findBySlug: (slug) =>
      firstOf(profiles(sql`SELECT ${columns} FROM businesses WHERE vendor_slug = ${slug}`)),
    lock: (businessId) =>
      firstOf(
        profiles(sql`SELECT ${columns} FROM businesses WHERE business_id = ${businessId} FOR NO KEY UPDATE`)
      ),
    update: Effect.fnUntraced(function* (businessId, profile, now) {
      const row = {
        ...valuesOf(setByCallers, profile),
        // The driver would write a list as an array of PostgreSQL.
        default_taxes: JSON.stringify(profile.default_taxes),
        holidays: JSON.stringify(profile.holidays),
        updated_at: instant(now)
      }
      const updated = yield* sql<object>`
        UPDATE businesses SET ${sql.update(row)} WHERE business_id = ${businessId} RETURNING ${columns}`.pipe(
        Effect.catchReason("SqlError", "UniqueViolation", () => Effect.fail(slugTaken())),
        Effect.catchTag("SqlError", Effect.die)
      )
      return yield* oneRow(profiles(Effect.succeed(updated)))
    })
  }
})
