/** How much of its plan a business uses, and when it was last active. */
import { Schema } from "effect"
import { SubscriptionStatus } from "../business/Business.ts"
import { rfc3339OrNull } from "../kernel/time/WallClock.ts"
import type { AdminBusiness } from "./AdminBusiness.ts"
import { PlanRecord } from "./PlanRecord.ts"

const count = Schema.Int.annotate({ description: "How many there are" })

/** The counts of a business's records. The counts of a month begin with the first day of the business's month. */
export const UsageCounts = Schema.Struct({
  cars: count,
  drivers: count,
  seats: count,
  members: count,
  customers: count,
  trips: count,
  trips_this_month: count,
  invoices: count,
  invoices_this_month: count,
  events: count,
  webhooks: count,
  api_keys: count,
  last_activity_at: Schema.NullOr(Schema.DateTimeUtc)
})
export type UsageCounts = typeof UsageCounts.Type

const LimitedCount = Schema.Struct({
  limit: Schema.NullOr(Schema.Int.annotate({ description: "How many the plan includes; null: no limit" })),
  used: count
})

const Total = Schema.Struct({ total: count, this_month: count })

/**
 * The usage of a business. `cars` and `drivers` count the active ones, as the plan does; `seats` are the paid ones beyond
 * the plan's drivers. `last_activity_at` is the latest event or the latest request by an API key.
 */
export const BusinessUsageRecord = Schema.Struct({
  business_id: Schema.Int,
  plan: PlanRecord,
  subscription_status: SubscriptionStatus,
  email_credits: Schema.Int,
  allowances: Schema.Struct({ cars: LimitedCount, drivers: LimitedCount, invoices_this_month: LimitedCount }),
  seats: count,
  members: count,
  customers: count,
  trips: Total,
  invoices: Total,
  events: count,
  webhooks: count,
  api_keys: count,
  last_activity_at: Schema.NullOr(Schema.String)
})
export type BusinessUsageRecord = typeof BusinessUsageRecord.Type

/** The usage of a business on a plan. */
export const businessUsageRecord = (
  business: AdminBusiness,
  plan: PlanRecord,
  counts: UsageCounts
): BusinessUsageRecord => {
  const { customers, events, last_activity_at, members, seats, trips, webhooks, ...others } = counts
  return {
    business_id: business.business_id,
    plan,
    subscription_status: business.subscription_status,
    email_credits: business.email_credits,
    allowances: {
      cars: { limit: plan.cars, used: others.cars },
      drivers: { limit: plan.drivers, used: others.drivers },
      invoices_this_month: { limit: plan.invoices, used: others.invoices_this_month }
    },
    seats,
    members,
    customers,
    trips: { total: trips, this_month: others.trips_this_month },
    invoices: { total: others.invoices, this_month: others.invoices_this_month },
    events,
    webhooks,
    api_keys: others.api_keys,
    last_activity_at: rfc3339OrNull(last_activity_at)
  }
}
