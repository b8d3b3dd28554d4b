import {
  BusinessId,
  defaultBookingPage,
  type Currency,
  BusinessProfileRepository,
  Transaction,
  unspecifiedSeller,
  unspecifiedTerms,
  unspecifiedUntaxed,
  defaultEmailWording
} from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { at, atOnce, TestPersistence, newBusiness, unique } from "../support/TestPersistence.ts"

layer(TestPersistence)("a business's settings", (it) => {
  it.effect("are read as they were stored, for that business only", () =>
    Effect.gen(function* () {
      const settings = yield* BusinessProfileRepository
      const [one, other] = [yield* newBusiness(), yield* newBusiness()]
      const untouched = yield* settings.find(other)
      const standing = {
        business_name: "Zoë's",
        business_email: "zoe@example.com",
        phone: "+41",
        address: 'Here, "there"',
        website_url: "https://example.com",
        logo_url: "https://example.com/logo.png",
        accent_color: null,
        vendor_slug: unique("zoe"),
        timezone: "Europe/Zurich",
        currency: "CHF" as Currency,
        clash_policy: "enforce",
        turnaround_minutes: 15,
        early_start_minutes: null,
        ...unspecifiedSeller,
        ...unspecifiedTerms,
        ...unspecifiedUntaxed,
        booking_confirmation_required: true,
        pickup_pin: true,
        email_wording: defaultEmailWording,
        booking_page: { ...defaultBookingPage, lead_minutes: 30 }
      } as const
      const stored = yield* settings.update(one, standing, at("12:00:00"))
      assert.deepInclude({ ...stored }, { ...standing, business_id: one, updated_at: at("12:00:00") })
      assert.deepStrictEqual(yield* settings.find(one), Option.some(stored))
      assert.deepStrictEqual(yield* settings.find(other), untouched)
      assert.isTrue(Option.isNone(yield* settings.find(BusinessId.make(999_999_999))))
    })
  )

  it.effect("start with the clash policy warn and without confirmation of bookings", () =>
    Effect.gen(function* () {
      const settings = Option.getOrThrow(yield* (yield* BusinessProfileRepository).find(yield* newBusiness()))
      assert.deepStrictEqual(
        [
          settings.clash_policy,
          settings.booking_confirmation_required,
          settings.phone,
          settings.booking_page
        ],
        ["warn", false, null, defaultBookingPage]
      )
    })
  )

  it.effect("have a unique slug, also under concurrent updates", () =>
    Effect.gen(function* () {
      const settings = yield* BusinessProfileRepository
      const transaction = yield* Transaction
      const vendor_slug = unique("wanted")
      const businesses = yield* atOnce(8, () => newBusiness())
      const wins = yield* Effect.forEach(
        businesses,
        (business) =>
          Effect.isSuccess(
            transaction.run(
              Effect.gen(function* () {
                const current = Option.getOrThrow(yield* settings.lock(business))
                yield* settings.update(business, { ...current, vendor_slug }, at("12:00:00"))
              })
            )
          ),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        wins.filter((won) => won),
        1
      )
    })
  )

  it.effect("do not block other writes of the business, and are not blocked by them", () =>
    Effect.gen(function* () {
      const settings = yield* BusinessProfileRepository
      const transaction = yield* Transaction
      const sql = yield* SqlClient.SqlClient
      const business = yield* newBusiness()
      yield* transaction.run(
        Effect.gen(function* () {
          yield* settings.lock(business)
          // Another session refers to the business, as a new trip does.
          yield* Effect.scoped(
            Effect.flatMap(sql.reserve, (session) =>
              session.executeUnprepared(
                `INSERT INTO cars (business_id, name, created_at, updated_at) VALUES ($1, 'Black', now(), now())`,
                [business],
                undefined
              )
            )
          )
        })
      )
    })
  )
})
