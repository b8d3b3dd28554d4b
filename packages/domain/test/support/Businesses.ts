/** Businesses as rows. */
import {
  BusinessId,
  Currency,
  defaultBookingPage,
  unspecifiedSeller,
  noDunning,
  unspecifiedTerms,
  unspecifiedBusinessTaxes,
  unspecifiedUntaxed,
  defaultAccounting,
  defaultEmailWording
} from "@livery/domain"
import type { Store } from "@livery/memory"
import { DateTime } from "effect"

const created_at = DateTime.makeUnsafe(0)
/** The times of a row that a test inserts. */
export const stamps = { created_at, updated_at: created_at }

/** A business with the settings of a new one. */
export const addBusiness = (store: Store["Service"], id: number) => {
  const business_id = BusinessId.make(id)
  store.businesses.set(business_id, {
    business_id,
    business_name: `Business ${id}`,
    business_email: "cars@example.com",
    phone: null,
    address: null,
    website_url: null,
    logo_url: null,
    accent_color: null,
    vendor_slug: `business-${id}`,
    status: "A",
    subscription_plan_id: 1,
    subscription_status: "active",
    subscription_item_id: null,
    email_credits: 0,
    currency: Currency.make("USD"),
    timezone: "UTC",
    clash_policy: "warn",
    drive_time_enforced: false,
    turnaround_minutes: 0,
    early_start_minutes: null,
    holidays: [],
    booking_confirmation_required: false,
    pickup_pin: false,
    ...unspecifiedSeller,
    ...unspecifiedTerms,
    dunning: noDunning,
    ...unspecifiedUntaxed,
    ...unspecifiedBusinessTaxes,
    accounting: defaultAccounting,
    email_wording: defaultEmailWording,
    booking_page: defaultBookingPage,
    ...stamps
  })
}
