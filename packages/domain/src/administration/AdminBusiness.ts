/** A business as a super-admin sees and changes it (docs/api/administration.md). */
import { Schema } from "effect"
import { BusinessStatus, businessMachine, SubscriptionStatus } from "../business/Business.ts"
import { ClashPolicy } from "../business/ClashPolicy.ts"
import { ChangeReason, maxReasonLength } from "../kernel/ChangeReason.ts"
import * as Field from "../kernel/fields/Field.ts"
import { check } from "../kernel/fields/FieldIssue.ts"
import { oneOf } from "../kernel/fields/OneOf.ts"
import { undecodedBody } from "../kernel/fields/References.ts"
import { text, textOrBlank } from "../kernel/fields/Text.ts"
import * as Value from "../kernel/fields/Value.ts"
import { BusinessId } from "../kernel/Ids.ts"
import { TimeZone } from "../kernel/time/WallClock.ts"
import { businessProfileFields, VendorSlug, slugPattern } from "../settings/BusinessProfile.ts"

/** The largest balance of email credits, and the largest change of it. */
export const maxEmailCredits = 1_000_000_000

/** A field that members change in `settings`, and super-admins only read. */
const readOnly = <F extends Required<Pick<Field.Field, "stored" | "wire">> & Pick<Field.Field, "toWire">>({
  stored,
  toWire,
  wire
}: F): Pick<F, "stored" | "wire" | "toWire"> => ({ stored, toWire, wire })

/**
 * The fields of a business. Super-admins change those that are not assigned; members change others in `settings`.
 * `subscription_item_id` is the item of the business's subscription at the payment provider whose quantity is the number
 * of its seats; null: the provider does not charge for its seats.
 */
export const adminBusinessFields = Field.ofNobody({
  business_id: Field.assigned(Value.id(BusinessId)),
  business_name: Field.required(Value.name(200)),
  business_email: Field.required(Value.emailAddress),
  vendor_slug: Field.required(Value.checkedText(VendorSlug, { maxLength: 60, pattern: slugPattern })),
  status: Field.assigned(Value.unchanged(BusinessStatus)),
  allowed_transitions: Field.computed(Schema.Array(BusinessStatus)),
  subscription_plan_id: Field.required(Value.wholeNumber(1, 2_147_483_647)),
  subscription_status: Field.required(Value.oneOf(SubscriptionStatus)),
  subscription_item_id: Field.optional(Value.text(255)),
  email_credits: Field.assigned(Value.unchanged(Schema.Int)),
  currency: Field.required(Value.currency),
  timezone: Field.required(Value.checkedText(TimeZone, {})),
  phone: Field.assignedOrNull(Value.text(40)),
  address: Field.assignedOrNull(Value.text(500)),
  website_url: Field.assignedOrNull(Value.webAddress),
  logo_url: Field.assignedOrNull(Value.webAddress),
  accent_color: readOnly(businessProfileFields.accent_color),
  clash_policy: Field.assigned(Value.oneOf(ClashPolicy)),
  drive_time_enforced: Field.assigned(Value.boolean),
  turnaround_minutes: Field.assigned(Value.wholeNumber(0, 1440)),
  early_start_minutes: readOnly(businessProfileFields.early_start_minutes),
  holidays: readOnly(businessProfileFields.holidays),
  booking_confirmation_required: Field.assigned(Value.boolean),
  pickup_pin: Field.assigned(Value.boolean),
  country: readOnly(businessProfileFields.country),
  locale: readOnly(businessProfileFields.locale),
  vat_number: readOnly(businessProfileFields.vat_number),
  tax_number: readOnly(businessProfileFields.tax_number),
  registration_number: readOnly(businessProfileFields.registration_number),
  iban: readOnly(businessProfileFields.iban),
  bic: readOnly(businessProfileFields.bic),
  payment_terms_days: readOnly(businessProfileFields.payment_terms_days),
  dunning: readOnly(businessProfileFields.dunning),
  untaxed_as: readOnly(businessProfileFields.untaxed_as),
  untaxed_reason: readOnly(businessProfileFields.untaxed_reason),
  default_taxes: readOnly(businessProfileFields.default_taxes),
  prices_include_tax: readOnly(businessProfileFields.prices_include_tax),
  accounting: readOnly(businessProfileFields.accounting),
  email_wording: readOnly(businessProfileFields.email_wording),
  part_payments_allowed: Field.assigned(Value.boolean),
  booking_page: readOnly(businessProfileFields.booking_page),
  created_at: Field.assigned(Value.instant),
  updated_at: Field.assigned(Value.instant)
})

/** A business as stored. */
export const AdminBusiness = Field.storedOf(adminBusinessFields)
export type AdminBusiness = typeof AdminBusiness.Type

/** A business in a response to a super-admin. */
export const AdminBusinessRecord = Field.recordOf(adminBusinessFields)
export type AdminBusinessRecord = typeof AdminBusinessRecord.Type

/** The fields that super-admins may change. */
export const AdminBusinessInput = Field.inputOf(adminBusinessFields)
export type AdminBusinessInput = typeof AdminBusinessInput.Type

/** A change by a super-admin: at least one of the fields. */
export const AdminBusinessChanges = Field.changesOf(adminBusinessFields)
export type AdminBusinessChanges = typeof AdminBusinessChanges.Type

/** {@link AdminBusinessChanges} as sent. The use case decodes it, because it names a plan. */
export const AdminBusinessPatch = undecodedBody(AdminBusinessChanges, 1)
export type AdminBusinessPatch = typeof AdminBusinessPatch.Type

/** The record of a business. */
export const adminBusinessRecord = Field.encoderOf<typeof adminBusinessFields, void>(adminBusinessFields, {
  allowed_transitions: ({ status }) => businessMachine.next(status, "administrator")
})

/** The filter of the list of businesses: a part of the name, the email or the slug, in any case. */
export const AdminBusinessFilter = Schema.Struct({
  search: Schema.optionalKey(
    textOrBlank(200).pipe(
      Schema.annotateEncoded({
        description: "A part of the name, the email or the slug, in any case.",
        examples: ["ada cars"]
      })
    )
  )
})
export type AdminBusinessFilter = typeof AdminBusinessFilter.Type

/** A change of a business's email credits: a negative number deducts. Zero would change nothing and is refused. */
export const CreditsInput = Schema.Struct({
  credits: Schema.Int.check(
    check<number>(
      "out_of_range",
      (credits) => credits !== 0 && Math.abs(credits) <= maxEmailCredits,
      {
        // Generators of clients read `not` beside the type as any value.
        anyOf: [
          { type: "integer", minimum: -maxEmailCredits, maximum: -1 },
          { type: "integer", minimum: 1, maximum: maxEmailCredits }
        ]
      },
      `-${maxEmailCredits} to ${maxEmailCredits}, but not 0`
    )
  ),
  reason: text(maxReasonLength)
})
export type CreditsInput = typeof CreditsInput.Type

/** The actions that change a business's status, and the status that each leads to. */
export const statusAfter = { suspend: "D", activate: "A" } as const

/** Suspends or reactivates a business. */
export const SuspensionInput = Schema.Struct({
  action: oneOf(Schema.Literals(["suspend", "activate"])),
  reason: Schema.optionalKey(Schema.NullOr(ChangeReason))
})
export type SuspensionInput = typeof SuspensionInput.Type
