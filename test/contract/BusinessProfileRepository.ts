/** The contract of `BusinessProfileRepository`. */
import { BusinessId, BusinessProfileRepository, Currency } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Exit, Option } from "effect"
import { at, atOnce, contract, unique } from "./Contract.ts"
import { newBusiness } from "./Given.ts"

const profile = (vendor_slug: string) => ({
  business_name: "Ada Cars",
  business_email: "ada@example.com",
  phone: "+41 44 123 45 67",
  address: null,
  website_url: null,
  logo_url: "https://ada.example/logo.png",
  accent_color: "#1F4FD8",
  vendor_slug,
  timezone: "Europe/Zurich",
  currency: Currency.make("CHF"),
  clash_policy: "enforce" as const,
  drive_time_enforced: true,
  booking_confirmation_required: true,
  part_payments_allowed: true,
  pickup_pin: true,
  turnaround_minutes: 15,
  early_start_minutes: 240,
  holidays: [
    { from: "12-25", to: "12-26" },
    { from: "2026-04-03", to: null }
  ],
  payment_terms_days: 14,
  dunning: { automatic: true, levels: [{ days: 3, fee: 5 }, { days: 10 }] },
  untaxed_as: "exempt" as const,
  untaxed_reason: "Art. 10 MWSTG",
  default_taxes: [{ name: "MWST", rate: 8.1 }],
  prices_include_tax: true,
  country: "CH",
  locale: "de-CH",
  vat_number: "CHE123456788",
  tax_number: "12/345",
  registration_number: "CHE-123.456.788",
  iban: "CH9300762011623852957",
  bic: "POFICHBEXXX",
  accounting: {
    datev: { chart: "skr04" as const, rates: [{ rate: 19, account: "4400", tax_key: null }] },
    xero: null
  },
  email_wording: {
    quote_sent: { subject: "Offer {{reference}}", text: "Dear {{customer_name}}, {{link}}" },
    quote_accepted: null,
    booking_confirmed: null,
    booking_cancelled: null
  },
  booking_page: {
    lead_minutes: 60,
    class_leads: [{ vehicle_class: "bus" as const, minutes: 1440 }],
    opening_hours: [{ from: "06:00", to: "22:00", weekdays: ["mon" as const], dates: [] }],
    blackout_dates: [{ from: "12-25", to: null }],
    manual_pricing_hours: 4,
    embed_origins: ["https://www.example.com"],
    asks_payment: true
  }
})

export const businessProfileRepository = contract("a business's profile", (it) => {
  it.effect("is returned as it was stored", () =>
    Effect.gen(function* () {
      const profiles = yield* BusinessProfileRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const others = yield* profiles.find(other)
      const before = Option.getOrThrow(yield* profiles.find(business))
      const given = profile(unique("ada"))
      const stored = yield* profiles.update(business, given, at("10:00:00"))
      const expected = {
        ...given,
        business_id: business,
        created_at: before.created_at,
        updated_at: at("10:00:00")
      }
      assert.deepStrictEqual(stored, expected)
      assert.deepStrictEqual(yield* profiles.find(business), Option.some(expected))
      assert.deepStrictEqual(yield* profiles.lock(business), Option.some(expected))
      assert.deepStrictEqual(yield* profiles.find(other), others)
      assert.deepStrictEqual(yield* profiles.findBySlug(given.vendor_slug), Option.some(expected))
      assert.deepStrictEqual(yield* profiles.findBySlug(unique("nobody")), Option.none())
      assert.deepStrictEqual(
        Option.map(yield* profiles.findBySlug(before.vendor_slug), ({ business_id }) => business_id),
        Option.none()
      )
      assert.deepStrictEqual(yield* profiles.find(BusinessId.make(999_999_999)), Option.none())
    })
  )

  it.effect("is not stored with a slug that another business has, also under concurrent updates", () =>
    Effect.gen(function* () {
      const profiles = yield* BusinessProfileRepository
      const businesses = yield* Effect.all([newBusiness, newBusiness, newBusiness])
      const slug = unique("ada")
      const updates = yield* atOnce(3, (index) =>
        Effect.exit(profiles.update(businesses[index] ?? BusinessId.make(1), profile(slug), at("10:00:00")))
      )
      assert.lengthOf(updates.filter(Exit.isSuccess), 1)
      assert.isFalse(updates.some(Exit.hasDies))
    })
  )
})
