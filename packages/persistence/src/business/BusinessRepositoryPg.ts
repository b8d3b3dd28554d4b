import { Array, DateTime, Effect, Option, Schema } from "effect"
import {
  Brand,
  Business,
  BusinessId,
  BusinessProfile,
  BusinessRepository,
  makeOldestFirstCache
} from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"
import { firstOf, instant, oneRow, rowsAs } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"
import { balance, makeEmailCredits } from "../sql/EmailCredits.ts"

const businesses = rowsAs(Business)
const brands = rowsAs(Brand)
const holidaysOf = rowsAs(Schema.Struct({ holidays: BusinessProfile.fields.holidays }))
const ids = rowsAs(Schema.Struct({ business_id: BusinessId }))

const linkKeys = rowsAs(Schema.Struct({ link_key: Schema.String }))

/** How many businesses are remembered with their link keys, which never change. */
const rememberedKeys = 10_000

/** Businesses in the table `businesses`, and their members in `business_members`. */
export const layer = onPostgres(BusinessRepository, (sql) => {
  const columns = sql.literal(columnsOf(Business, "b", { email_credits: balance }))
  const emailCredits = makeEmailCredits(sql)
  const keys = makeOldestFirstCache<string>(rememberedKeys)
  const named = makeOldestFirstCache<BusinessId>(rememberedKeys)
  const brandColumns = sql.literal(columnsOf(Brand))
  return {
    insert: Effect.fnUntraced(function* ({ email, name, planId, slug, websiteUrl }) {
      const now = instant(yield* DateTime.now)
      const inserted = yield* ids(sql`
        INSERT INTO businesses
          (business_name, business_email, vendor_slug, subscription_plan_id, website_url, created_at, updated_at)
        VALUES (${name}, ${email}, ${slug}, ${planId}, ${websiteUrl}, ${now}, ${now})
        ON CONFLICT (vendor_slug) DO NOTHING
        RETURNING business_id`)
      return Array.head(Array.map(inserted, ({ business_id }) => business_id))
    }),
    addMember: Effect.fnUntraced(function* (businessId, userId, role) {
      const now = instant(yield* DateTime.now)
      yield* Effect.orDie(sql`
        INSERT INTO business_members (business_id, user_id, role, created_at)
        VALUES (${businessId}, ${userId}, ${role}, ${now})
        ON CONFLICT DO NOTHING`)
    }),
    find: (businessId) =>
      firstOf(
        businesses(sql`
          SELECT ${columns}
          FROM businesses b LEFT JOIN business_counters c ON c.business_id = ${businessId}
          WHERE b.business_id = ${businessId}`)
      ),
    linkKeyOf: Effect.fnUntraced(function* (businessId) {
      const known = keys.get(String(businessId))
      if (known !== undefined) return known
      const { link_key } = yield* oneRow(
        linkKeys(sql`SELECT link_key FROM businesses WHERE business_id = ${businessId}`)
      )
      keys.set(String(businessId), link_key)
      return link_key
    }),
    findByLinkKey: Effect.fnUntraced(function* (key) {
      const known = named.get(key)
      if (known !== undefined) return Option.some(known)
      const [row] = yield* ids(sql`SELECT business_id FROM businesses WHERE link_key = ${key}`)
      if (row !== undefined) named.set(key, row.business_id)
      return Option.fromUndefinedOr(row?.business_id)
    }),
    brand: (businessId) =>
      firstOf(brands(sql`SELECT ${brandColumns} FROM businesses WHERE business_id = ${businessId}`)),
    holidays: (businessId) =>
      Effect.map(
        holidaysOf(sql`SELECT holidays FROM businesses WHERE business_id = ${businessId}`),
        ([row]) => row?.holidays ?? []
      ),
    takeEmailCredit: emailCredits.take
  }
})
