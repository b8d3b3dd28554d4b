/** The profile of a business: how it presents itself, and its clock, currency and policies. */
import { type DateTime, Schema } from "effect"
import { ClashPolicy } from "../business/ClashPolicy.ts"
import { oneOf } from "../kernel/fields/OneOf.ts"
import { Currency } from "../kernel/money/Currency.ts"
import { check } from "../kernel/fields/FieldIssue.ts"
import type { BusinessId } from "../kernel/Ids.ts"
import { clearableText, text, trimming } from "../kernel/fields/Text.ts"
import { clearableWebAddress } from "../kernel/fields/WebAddress.ts"
import { EmailAddress } from "../kernel/fields/EmailAddress.ts"
import { rfc3339, TimeZone } from "../kernel/time/WallClock.ts"

/** The part of a business's public addresses that names it: lower-case letters, digits and single hyphens. */
export const VendorSlug = Schema.String.check(
  check<string>("required", (slug) => slug.trim() !== "", { minLength: 1 }),
  check<string>("too_long", (slug) => slug.trim().length <= 60, { maxLength: 60 }),
  check<string>("invalid", (slug) => slug.trim() === "" || /^[a-z0-9]+(?:-[a-z0-9]+)*$/u.test(slug.trim()), {
    pattern: "^[a-z0-9]+(?:-[a-z0-9]+)*$"
  })
).pipe(Schema.decodeTo(Schema.String, trimming))

/** A change of a profile: at least one field. `null` clears a field that may be empty. */
export const BusinessProfileChanges = Schema.Struct({
  business_name: Schema.optionalKey(text(200)),
  business_email: Schema.optionalKey(EmailAddress),
  phone: Schema.optionalKey(clearableText(40)),
  address: Schema.optionalKey(clearableText(500)),
  website_url: Schema.optionalKey(clearableWebAddress),
  logo_url: Schema.optionalKey(clearableWebAddress),
  vendor_slug: Schema.optionalKey(VendorSlug),
  timezone: Schema.optionalKey(TimeZone),
  currency: Schema.optionalKey(Currency),
  clash_policy: Schema.optionalKey(oneOf(ClashPolicy)),
  booking_confirmation_required: Schema.optionalKey(Schema.Boolean)
}).check(check<object>("required", (changes) => Object.keys(changes).length > 0, { minProperties: 1 }))
export type BusinessProfileChanges = typeof BusinessProfileChanges.Type

/** The fields of a profile. */
export interface BusinessProfile {
  readonly business_name: string
  readonly business_email: string
  readonly phone: string | null
  readonly address: string | null
  readonly website_url: string | null
  readonly logo_url: string | null
  readonly vendor_slug: string
  readonly timezone: string
  readonly currency: Currency
  readonly clash_policy: ClashPolicy
  readonly booking_confirmation_required: boolean
}

/** The names of the fields of a profile. */
export const businessProfileFields = Object.keys(BusinessProfileChanges.fields) as ReadonlyArray<
  keyof BusinessProfile
>

/** A profile as stored. */
export interface StoredBusinessProfile extends BusinessProfile {
  readonly business_id: BusinessId
  readonly created_at: DateTime.Utc
  readonly updated_at: DateTime.Utc
}

/** A profile in a response. */
export const BusinessProfileRecord = Schema.Struct({
  business_id: Schema.Int,
  business_name: Schema.String,
  business_email: Schema.String,
  phone: Schema.NullOr(Schema.String),
  address: Schema.NullOr(Schema.String),
  website_url: Schema.NullOr(Schema.String),
  logo_url: Schema.NullOr(Schema.String),
  vendor_slug: Schema.String,
  timezone: Schema.String,
  currency: Schema.String,
  clash_policy: ClashPolicy,
  booking_confirmation_required: Schema.Boolean,
  created_at: Schema.String,
  updated_at: Schema.String
})
export type BusinessProfileRecord = typeof BusinessProfileRecord.Type

/** The record of a profile. */
export const businessProfileRecord = ({
  created_at,
  updated_at,
  ...profile
}: StoredBusinessProfile): BusinessProfileRecord => ({
  ...profile,
  created_at: rfc3339(created_at),
  updated_at: rfc3339(updated_at)
})
