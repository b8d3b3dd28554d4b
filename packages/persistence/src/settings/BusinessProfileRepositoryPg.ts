import { Effect } from "effect"
import {
  type BusinessId,
  BusinessProfile,
  BusinessProfileInput,
  BusinessProfileRepository,
  slugTaken
} from "@livery/domain"
import { columnsOf, columnsSetBy, valuesOf } from "../sql/rows/Columns.ts"
import { execute, instant, oneRow, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { lockBusiness } from "../sql/statements/BusinessLock.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const profiles = rowsAs(BusinessProfile)

const setByCallers = columnsSetBy(BusinessProfileInput, BusinessProfile)

/** Profiles, which are columns of the table `businesses`. */
export const layer = onPostgres(BusinessProfileRepository, (sql) => {
  const columns = sql.literal(columnsOf(BusinessProfile))
  const find = (businessId: BusinessId) =>
    firstOf(profiles(sql`SELECT ${columns} FROM businesses WHERE business_id = ${businessId}`))
  return {
    find,
    findBySlug: (slug) =>
      firstOf(profiles(sql`SELECT ${columns} FROM businesses WHERE vendor_slug = ${slug}`)),
    lock: (businessId) => Effect.andThen(execute(lockBusiness(sql, businessId)), find(businessId)),
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
