/** The contract of `DepartureRepository`. */
import { BookingRepository, DepartureRepository } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { businessWithProduct } from "./BookingRepository.ts"
import { at, contract } from "./Contract.ts"
import { changeTrip, newBusiness, newTrip, now } from "./Given.ts"

export const departureRepository = contract("the departures of a tour", (it) => {
  it.effect("count the seats of each booking that shares them, until it was cancelled or has expired", () =>
    Effect.gen(function* () {
      const booked = yield* DepartureRepository
      const bookings = yield* BookingRepository
      const { business, product, stored } = yield* businessWithProduct
      const { trip_id } = yield* newTrip(business)
      const shared = { shares_trip: true } as const
      const confirmed = { ...shared, status: "confirmed", trip_id } as const
      const late = { starts_at: at("20:00:00"), ends_at: at("21:00:00"), expires_at: null }
      yield* stored({ ...confirmed, participants_count: 3 })
      yield* stored({ ...confirmed, status: "completed", participants_count: 4 })
      const pending = yield* stored(shared)
      for (const status of ["cancelled", "expired"] as const) yield* stored({ ...confirmed, status })
      const { booking_id } = yield* stored(shared)
      yield* bookings.remove(business, booking_id, now)
      // A booking with a trip of its own takes no seat.
      yield* stored({ status: "confirmed", trip_id })
      yield* stored({ ...shared, ...late })
      const departures = (from: string, before: string, time = now) =>
        booked.booked(business, product.product_id, { from: at(from), before: at(before) }, time)
      const six = {
        starts_at: pending.starts_at,
        taken: 9,
        on_trip: 7,
        trip_id,
        is_cancelled: false
      }
      const eight = { starts_at: late.starts_at, taken: 2, on_trip: 0, trip_id: null, is_cancelled: false }
      assert.deepStrictEqual(yield* departures("18:00:00", "20:00:01"), [six, eight])
      assert.deepStrictEqual(yield* departures("18:00:00", "20:00:00"), [six])
      assert.deepStrictEqual(yield* departures("18:00:01", "20:00:00"), [])
      assert.deepStrictEqual(
        yield* booked.booked(
          yield* newBusiness,
          product.product_id,
          { from: now, before: at("23:00:00") },
          now
        ),
        []
      )
      assert.deepStrictEqual(yield* departures("18:00:00", "20:00:00", at("17:00:00")), [
        { ...six, taken: 7 }
      ])
      yield* changeTrip(business, trip_id, { status: "cancelled" })
      assert.deepStrictEqual(yield* departures("18:00:00", "20:00:00"), [{ ...six, is_cancelled: true }])
      yield* changeTrip(business, trip_id, { status: "confirmed", deleted_at: now })
      assert.deepStrictEqual(yield* departures("18:00:00", "20:00:00"), [{ ...six, is_cancelled: true }])
    })
  )
})
