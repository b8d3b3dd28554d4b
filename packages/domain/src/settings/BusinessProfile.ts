/** The profile of a business: how it presents itself, and its clock, currency and policies (docs/api/settings.md). */
import { Schema } from "effect"
import { Accounting, AccountingInput, defaultAccounting } from "../billing/accounting/AccountPlan.ts"
import { sellerFields } from "../billing/invoice/InvoiceParties.ts"
import { paymentTermsFields } from "../billing/invoice/PaymentTerms.ts"
import { businessTaxFields } from "../billing/invoice/LineTaxes.ts"
import { Dunning, noDunning } from "../billing/reminders/Dunning.ts"
import { untaxedDefaults } from "../billing/invoice/Untaxed.ts"
import { brandFields } from "../business/Brand.ts"
import { ClashPolicy } from "../business/ClashPolicy.ts"
import * as Field from "../kernel/fields/Field.ts"
import { check } from "../kernel/fields/FieldIssue.ts"
import { listOf } from "../kernel/fields/List.ts"
import { trimming } from "../kernel/fields/Text.ts"
import * as Value from "../kernel/fields/Value.ts"
import { BusinessId, UploadId } from "../kernel/Ids.ts"
import { DateRange, OrderedDateRange } from "../kernel/time/DateRange.ts"
import { TimeZone } from "../kernel/time/WallClock.ts"
import { maxDurationMinutes } from "../trips/trip/TripWindow.ts"
import { EmailWording, defaultEmailWording } from "./EmailWording.ts"
import {
  BookingPageSettings,
  BookingPageSettingsInput,
  defaultBookingPage,
  StoredBookingPageSettings
} from "./BookingPageSettings.ts"

/** The pattern of a slug. */
export const slugPattern = "^[a-z0-9]+(?:-[a-z0-9]+)*$"

/** The part of a business's public addresses that names it: lower-case letters, digits and single hyphens. */
export const VendorSlug = Schema.String.check(
  check<string>("required", (slug) => slug.trim() !== "", { minLength: 1 }),
  check<string>("too_long", (slug) => slug.trim().length <= 60, { maxLength: 60 }),
  check<string>("invalid", (slug) => slug.trim() === "" || new RegExp(slugPattern, "u").test(slug.trim()), {
    pattern: slugPattern
  })
).pipe(Schema.decodeTo(Schema.String, trimming))

/**
 * The fields of a profile. `turnaround_minutes` is the time that a driver or a car needs between two trips, besides the
 * time to drive. With `drive_time_enforced`, the policy `enforce` covers that time too. A start of a driver more than `early_start_minutes` before the pickup asks for a confirmation. With
 * `pickup_pin`, a driver needs the passenger's code to report that the passenger is on board. `accounting`, `booking_page`, `dunning` and `email_wording` are replaced as a whole.
 * `holidays` are the days that repeats of trips can leave out. `logo_upload_id` is an upload whose address becomes `logo_url`.
 */
export const businessProfileFields = Field.ofNobody({
  business_id: Field.assigned(Value.id(BusinessId)),
  business_name: Field.required(Value.name(200)),
  business_email: Field.required(Value.emailAddress),
  phone: brandFields.phone,
  address: Field.optional(Value.text(500)),
  website_url: Field.optional(Value.webAddress),
  logo_url: brandFields.logo_url,
  logo_upload_id: { change: Schema.optionalKey(Schema.NullOr(UploadId)) },
  accent_color: brandFields.accent_color,
  vendor_slug: Field.required(Value.checkedText(VendorSlug, { maxLength: 60, pattern: slugPattern })),
  timezone: Field.required(Value.checkedText(TimeZone, {})),
  currency: Field.required(Value.currency),
  clash_policy: Field.required(Value.oneOf(ClashPolicy)),
  drive_time_enforced: Field.required(Value.boolean),
  turnaround_minutes: Field.required(Value.wholeNumber(0, 1440)),
  early_start_minutes: Field.optional(Value.wholeNumber(0, maxDurationMinutes)),
  holidays: Field.emptyByDefault(
    {
      required: listOf(OrderedDateRange, { most: 366 }),
      optional: listOf(OrderedDateRange, { most: 366 }),
      stored: Schema.Array(Schema.toType(DateRange)),
      wire: Schema.Array(Schema.toType(DateRange))
    },
    []
  ),
  booking_confirmation_required: Field.required(Value.boolean),
  pickup_pin: Field.required(Value.boolean),
  ...sellerFields,
  ...paymentTermsFields,
  dunning: Field.emptyByDefault(
    {
      required: Dunning,
      optional: Dunning,
      stored: Schema.toType(Dunning),
      wire: Schema.toType(Dunning)
    },
    noDunning
  ),
  ...untaxedDefaults,
  ...businessTaxFields,
  accounting: Field.emptyByDefault(
    {
      required: AccountingInput,
      optional: AccountingInput,
      stored: Schema.toType(Accounting),
      wire: Schema.toType(Accounting)
    },
    defaultAccounting
  ),
  email_wording: Field.emptyByDefault(
    {
      required: EmailWording,
      optional: EmailWording,
      stored: Schema.toType(EmailWording),
      wire: Schema.toType(EmailWording)
    },
    defaultEmailWording
  ),
  booking_page: Field.emptyByDefault(
    {
      required: BookingPageSettingsInput,
      optional: BookingPageSettingsInput,
      stored: StoredBookingPageSettings,
      wire: Schema.toType(BookingPageSettings)
    },
    defaultBookingPage
  ),
  created_at: Field.assigned(Value.instant),
  updated_at: Field.assigned(Value.instant)
})

/** The fields of a profile that callers may change. */
export const BusinessProfileInput = Field.inputOf(businessProfileFields)
export type BusinessProfileInput = typeof BusinessProfileInput.Type

const changesStruct = Field.changesOf(businessProfileFields)
type ChangesStruct = typeof changesStruct

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface BusinessProfileChangesSchema extends ChangesStruct {}

/** A change of a profile: at least one field. `null` clears a field that may be empty. */
export const BusinessProfileChanges: BusinessProfileChangesSchema = changesStruct
export type BusinessProfileChanges = typeof BusinessProfileChanges.Type

/** A profile as stored. */
export const BusinessProfile = Field.storedOf(businessProfileFields)
export type BusinessProfile = typeof BusinessProfile.Type

const recordStruct = Field.recordOf(businessProfileFields)
type RecordStruct = typeof recordStruct

/** As {@link BusinessProfileChangesSchema}. */
export interface BusinessProfileRecordSchema extends RecordStruct {}

/** A profile in a response. */
export const BusinessProfileRecord: BusinessProfileRecordSchema = recordStruct
export type BusinessProfileRecord = typeof BusinessProfileRecord.Type

/** The record of a profile. */
export const businessProfileRecord = Field.encoderOf(businessProfileFields)
