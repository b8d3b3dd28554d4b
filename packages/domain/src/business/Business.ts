/** Businesses: the tenants that all other records belong to. */
import { Effect, Schema } from "effect"
import { AccountSuspended } from "../kernel/Errors.ts"
import * as Field from "../kernel/fields/Field.ts"
import * as Value from "../kernel/fields/Value.ts"
import { BusinessId } from "../kernel/Ids.ts"
import * as StateMachine from "../kernel/StateMachine.ts"

/** `A` active, `D` suspended. */
export const BusinessStatus = Schema.Literals(["A", "D"])
export type BusinessStatus = typeof BusinessStatus.Type

/** Whether a business is suspended. */
export const isSuspended = ({ status }: { readonly status: BusinessStatus }): boolean => status === "D"

/** The business, or `AccountSuspended` if it is suspended. */
export const requireActive = <
  B extends { readonly status: BusinessStatus; readonly business_id: BusinessId }
>(
  business: B
): Effect.Effect<B, AccountSuspended> =>
  isSuspended(business)
    ? Effect.fail(new AccountSuspended({ business_id: business.business_id }))
    : Effect.succeed(business)

/** `A ⇄ D`: a platform administrator suspends a business and reactivates it. */
export const businessMachine = StateMachine.make<BusinessStatus>("business", BusinessStatus.literals, {
  A: { D: ["administrator"] },
  D: { A: ["administrator"] }
})

/** The state of a business's subscription, as the platform's operators record it or the payment provider reports it. */
export const SubscriptionStatus = Schema.Literals(["trialing", "active", "past_due", "cancelled"])
export type SubscriptionStatus = typeof SubscriptionStatus.Type

/** The fields of a business that its members see. The profile in `settings` has more. */
export const businessFields = Field.ofNobody({
  business_id: Field.assigned(Value.id(BusinessId)),
  business_name: Field.assigned(Value.name(200)),
  business_email: Field.assigned(Value.emailAddress),
  vendor_slug: Field.assigned(Value.unboundedText),
  status: Field.assigned(Value.unchanged(BusinessStatus)),
  subscription_plan_id: Field.assigned(Value.id(Schema.Int)),
  subscription_status: Field.assigned(Value.unchanged(SubscriptionStatus)),
  email_credits: Field.assigned(Value.unchanged(Schema.Int)),
  currency: Field.assigned(Value.currency),
  timezone: Field.assigned(Value.unboundedText),
  created_at: Field.assigned(Value.instant),
  updated_at: Field.assigned(Value.instant)
})

/** A business as stored. */
export const Business = Field.storedOf(businessFields)
export type Business = typeof Business.Type

/** A business in a response. */
export const BusinessRecord = Field.recordOf(businessFields)
export type BusinessRecord = typeof BusinessRecord.Type

/** The record of a business. */
export const businessRecord = Field.encoderOf(businessFields)

/** A business in a list to choose from. */
export const BusinessSummary = Field.recordOf(Field.pick(businessFields, ["business_id", "business_name"]))
export type BusinessSummary = typeof BusinessSummary.Type

/** The business that a caller acts for, with the fields that most use cases need: its status, currency and time zone. */
export const ActingBusiness = Field.storedOf(
  Field.pick(businessFields, ["business_id", "business_name", "status", "currency", "timezone"])
)
export type ActingBusiness = typeof ActingBusiness.Type
