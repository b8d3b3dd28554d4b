/** Businesses: the tenants that all other records belong to. */
import { type DateTime, Schema } from "effect"
import { BusinessId } from "../kernel/Ids.ts"
import { Currency } from "../kernel/money/Currency.ts"
import * as StateMachine from "../kernel/StateMachine.ts"
import { rfc3339 } from "../kernel/time/WallClock.ts"

/** `A` active, `D` suspended. */
export const BusinessStatus = Schema.Literals(["A", "D"])
export type BusinessStatus = typeof BusinessStatus.Type

/** `A ⇄ D`: a platform administrator suspends a business and reactivates it. */
export const businessMachine = StateMachine.make<BusinessStatus>("business", BusinessStatus.literals, {
  A: { D: ["administrator"] },
  D: { A: ["administrator"] }
})

/** The plan of a new business. */
export const freePlanId = 1

/** A business as stored. */
export interface Business {
  readonly business_id: BusinessId
  readonly business_name: string
  readonly business_email: string
  readonly vendor_slug: string
  readonly status: BusinessStatus
  readonly subscription_plan_id: number
  readonly subscription_status: string
  readonly email_credits: number
  readonly currency: Currency
  readonly timezone: string
  readonly created_at: DateTime.Utc
  readonly updated_at: DateTime.Utc
}

/** A business in a response. */
export const BusinessRecord = Schema.Struct({
  business_id: Schema.Int,
  business_name: Schema.String,
  business_email: Schema.String,
  vendor_slug: Schema.String,
  status: BusinessStatus,
  subscription_plan_id: Schema.Int,
  subscription_status: Schema.String,
  email_credits: Schema.Int,
  currency: Schema.String,
  timezone: Schema.String,
  created_at: Schema.String,
  updated_at: Schema.String
})
export type BusinessRecord = typeof BusinessRecord.Type

/** The record of a business. */
export const businessRecord = ({ created_at, updated_at, ...business }: Business): BusinessRecord => ({
  ...business,
  created_at: rfc3339(created_at),
  updated_at: rfc3339(updated_at)
})

/** A business in a list to choose from. */
export const BusinessSummary = Schema.Struct({ business_id: Schema.Int, business_name: Schema.String })
export type BusinessSummary = typeof BusinessSummary.Type

/** The business that a caller acts for, with the fields that most use cases need: its status, currency and time zone. */
export const ActingBusiness = Schema.Struct({
  business_id: BusinessId,
  business_name: Schema.String,
  status: BusinessStatus,
  currency: Currency,
  timezone: Schema.String
})
export type ActingBusiness = typeof ActingBusiness.Type
