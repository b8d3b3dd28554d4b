import {
  Brand,
  Business,
  BusinessId,
  BusinessRepository,
  Currency,
  defaultAccounting,
  defaultBookingPage,
  unspecifiedSeller,
  noDunning,
  unspecifiedTerms,
  unspecifiedBusinessTaxes,
  unspecifiedUntaxed,
  defaultEmailWording
} from "@livery/domain"
import { DateTime, Effect, Option } from "effect"
import { only } from "../store/Fields.ts"
import { pair, inMemory } from "../store/Store.ts"

const currency = Currency.make("USD")

/** The link key of a business. In memory, where it has to hide nothing, it is made of the id. */
const linkKeyOf = (businessId: BusinessId) =>
  `b${BigInt.asUintN(44, BigInt(businessId) * 0x9e37_79b9_7f4a_7c15n)
    .toString(16)
    .padStart(11, "0")}`

export const layer = inMemory(BusinessRepository, ({ businesses, members, step }) => ({
  insert: ({ email, name, planId, slug, websiteUrl }) =>
    Effect.flatMap(DateTime.now, (now) =>
      step(() => {
        if (businesses.find(({ vendor_slug }) => vendor_slug === slug)) return Option.none()
        const business_id = BusinessId.make(businesses.next())
        businesses.set(business_id, {
          business_id,
          business_name: name,
          business_email: email,
          phone: null,
          address: null,
          website_url: websiteUrl,
          logo_url: null,
          accent_color: null,
          vendor_slug: slug,
          status: "A",
          subscription_plan_id: planId,
          subscription_status: "active",
          subscription_item_id: null,
          email_credits: 0,
          currency,
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
          created_at: now,
          updated_at: now
        })
        return Option.some(business_id)
      })
    ),
  addMember: (business_id, user_id, role) =>
    Effect.flatMap(DateTime.now, (created_at) =>
      step(() => {
        const key = pair(business_id, user_id)
        if (members.get(key) === undefined) members.set(key, { business_id, user_id, role, created_at })
      })
    ),
  find: (businessId) =>
    step(() => Option.map(Option.fromUndefinedOr(businesses.get(businessId)), (row) => only(Business, row))),
  linkKeyOf: (businessId) => step(() => linkKeyOf(businessId)),
  findByLinkKey: (key) =>
    step(() =>
      Option.map(
        Option.fromUndefinedOr(businesses.find(({ business_id }) => linkKeyOf(business_id) === key)),
        ({ business_id }) => business_id
      )
    ),
  brand: (businessId) =>
    step(() => Option.map(Option.fromUndefinedOr(businesses.get(businessId)), (row) => only(Brand, row))),
  holidays: (businessId) => step(() => businesses.get(businessId)?.holidays ?? []),
  takeEmailCredit: (businessId) =>
    Effect.flatMap(DateTime.now, (now) =>
      step(() => {
        const { email_credits = 0 } = businesses.get(businessId) ?? {}
        if (email_credits === 0) return Option.none()
        businesses.change(businessId, { email_credits: email_credits - 1, updated_at: now })
        return Option.some(email_credits - 1)
      })
    )
}))
