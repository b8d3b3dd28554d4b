import { defaultBookingPage, BusinessProfileRepository, Transaction } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestPersistence, newBusiness } from "../support/TestPersistence.ts"

layer(TestPersistence)("a business's settings", (it) => {
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
