/** The contract of `CalendarRepository`. */
import {
  type BusinessId,
  CalendarRepository,
  calendarPeriod,
  type CalendarOwner,
  MemberRepository
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { businessWithProduct } from "./BookingRepository.ts"
import { at, contract, unique } from "./Contract.ts"
import {
  assign,
  changeTrip,
  newBusiness,
  newCustomer,
  newDriver,
  newTrip,
  newUser,
  now,
  setStatus
} from "./Given.ts"

const noon = at("12:00:00")

const office = (id: number): CalendarOwner => ({ kind: "office", id })
const driverOf = (id: number): CalendarOwner => ({ kind: "driver", id })
const customerOf = (id: number): CalendarOwner => ({ kind: "customer", id })

/** The references and states of a feed at noon. */
const shown = Effect.fnUntraced(function* (
  business: BusinessId,
  owner: CalendarOwner,
  change: Partial<ReturnType<typeof calendarPeriod>> = {}
) {
  const { entries } = yield* CalendarRepository
  const found = yield* entries(business, owner, { ...calendarPeriod(noon), ...change })
  return found.map(({ reference, state }) => [reference, state])
})

export const calendarRepository = contract("a calendar", (it) => {
  it.effect("has one link of each owner at a time, found by its hash in its business alone", () =>
    Effect.gen(function* () {
      const calendars = yield* CalendarRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const driver = driverOf(yield* newDriver(business))
      const customer = customerOf(yield* newCustomer(business))
      const [first, second, third] = [unique("link"), unique("link"), unique("link")]
      const ownerOf = (hash: string, id = business) =>
        Effect.map(
          calendars.findLink(id, hash),
          Option.map(({ owner }) => owner)
        )
      assert.isFalse(yield* calendars.setLink(other, driver, first, now))
      assert.isFalse(yield* calendars.hasOwner(other, customer))
      assert.isTrue(yield* calendars.hasOwner(business, customer))
      assert.isFalse(yield* calendars.setLink(business, driverOf(driver.id + 1000), first, now))
      assert.isTrue(yield* calendars.setLink(business, driver, first, now))
      assert.isTrue(yield* calendars.setLink(business, customer, third, now))
      assert.deepStrictEqual(yield* ownerOf(first), Option.some(driver))
      assert.deepStrictEqual(yield* ownerOf(third), Option.some(customer))
      assert.deepStrictEqual(yield* ownerOf(first, other), Option.none())
      assert.isTrue(yield* calendars.setLink(business, driver, second, now))
      assert.deepStrictEqual(yield* ownerOf(first), Option.none())
      const link = Option.getOrThrow(yield* calendars.findLink(business, second))
      assert.strictEqual(link.business.business_id, business)
      assert.isFalse(yield* calendars.removeLink(other, driver))
      assert.isTrue(yield* calendars.removeLink(business, driver))
      assert.isFalse(yield* calendars.removeLink(business, driver))
      assert.deepStrictEqual(yield* ownerOf(second), Option.none())
      assert.deepStrictEqual(yield* ownerOf(third), Option.some(customer))
    })
  )

  it.effect(
    "has a link of a member only while the member stays: a member who comes back needs a new one",
    () =>
      Effect.gen(function* () {
        const calendars = yield* CalendarRepository
        const members = yield* MemberRepository
        const business = yield* newBusiness
        const user = yield* newUser
        const owner = office(user)
        const hash = unique("link")
        const isFound = Effect.map(calendars.findLink(business, hash), Option.isSome)
        assert.isFalse(yield* calendars.setLink(business, owner, hash, now))
        yield* members.add(business, user, "dispatcher")
        assert.isTrue(yield* calendars.setLink(business, owner, hash, now))
        assert.isTrue(yield* isFound)
        yield* members.remove(business, user)
        assert.isFalse(yield* isFound)
        yield* members.add(business, user, "dispatcher")
        assert.isFalse(yield* isFound)
      })
  )

  it.effect(
    "of the office shows the trips of the period with their drivers, and cancelled ones for a week",
    () =>
      Effect.gen(function* () {
        const calendars = yield* CalendarRepository
        const [business, other] = [yield* newBusiness, yield* newBusiness]
        const trip = (date: DateTime.Utc, status: "pending" | "confirmed" = "confirmed") =>
          newTrip(business, { trip_date: date, status })
        const [long, early, pending, late] = [
          yield* trip(DateTime.subtract(noon, { days: 31 })),
          yield* trip(DateTime.subtract(noon, { days: 30 })),
          yield* trip(at("13:00:00"), "pending"),
          yield* trip(DateTime.add(noon, { days: 179 }))
        ]
        const [fresh, stale, deleted] = [
          yield* trip(at("14:00:00")),
          yield* trip(at("15:00:00")),
          yield* trip(at("16:00:00"))
        ]
        yield* trip(DateTime.add(noon, { days: 180 }))
        yield* newTrip(other)
        const cancelled = (days: number) => ({
          status: "cancelled",
          cancel_reason: "other",
          cancelled_by: "operator",
          cancelled_at: DateTime.subtract(noon, { days })
        })
        yield* changeTrip(business, fresh.trip_id, cancelled(7))
        yield* changeTrip(business, stale.trip_id, cancelled(8))
        yield* changeTrip(business, deleted.trip_id, { deleted_at: now })
        const driver = yield* newDriver(business, { name: "Dan" })
        yield* assign(late, driver)
        yield* assign(early, yield* newDriver(business), "cancelled")
        assert.notStrictEqual(long.reference, early.reference)
        const expected = [
          [early.reference, "confirmed"],
          [pending.reference, "tentative"],
          [fresh.reference, "cancelled"],
          [late.reference, "confirmed"]
        ]
        assert.deepStrictEqual(yield* shown(business, office(1)), expected)
        assert.deepStrictEqual(yield* shown(business, office(1), { maxUpcoming: 1 }), expected.slice(0, 2))
        assert.deepStrictEqual(yield* shown(business, office(1), { maxPast: 0 }), expected.slice(1))
        const entries = yield* calendars.entries(business, office(1), calendarPeriod(noon))
        assert.deepStrictEqual(
          entries.map(({ drivers }) => drivers),
          [[], [], [], ["Dan"]]
        )
        assert.deepInclude(entries[1], {
          title: null,
          pickup_address: "Here",
          dropoff_address: "There",
          customer_name: "Ada",
          starts_at: at("13:00:00"),
          ends_at: at("14:00:00")
        })
      })
  )

  it.effect("of a driver shows the last assignment to each trip, cancelled if the driver was taken off", () =>
    Effect.gen(function* () {
      const calendars = yield* CalendarRepository
      const business = yield* newBusiness
      const [dan, eve] = [yield* newDriver(business), yield* newDriver(business)]
      const trip = (time: string) => newTrip(business, { trip_date: at(time) })
      const [one, two, three, four] = [
        yield* trip("11:00:00"),
        yield* trip("13:00:00"),
        yield* trip("14:00:00"),
        yield* trip("15:00:00")
      ]
      yield* assign(one, dan, "completed")
      const { assignment_id } = yield* assign(two, dan)
      yield* setStatus(business, assignment_id, "cancelled", at("10:00:00"))
      yield* assign(two, eve)
      yield* assign(three, dan, "cancelled")
      yield* assign(three, dan)
      yield* assign(four, eve)
      assert.deepStrictEqual(yield* shown(business, driverOf(dan)), [
        [one.reference, "confirmed"],
        [two.reference, "cancelled"],
        [three.reference, "confirmed"]
      ])
      assert.deepStrictEqual(yield* shown(business, driverOf(dan), { cancelledSince: at("10:00:01") }), [
        [one.reference, "confirmed"],
        [three.reference, "confirmed"]
      ])
      const [, cancelled] = yield* calendars.entries(business, driverOf(dan), calendarPeriod(noon))
      assert.deepStrictEqual(cancelled?.changed_at, at("10:00:00"))
      yield* changeTrip(business, one.trip_id, { deleted_at: now })
      assert.lengthOf(yield* shown(business, driverOf(dan)), 2)
    })
  )

  it.effect("of a customer shows the bookings, and the trips that no booking has", () =>
    Effect.gen(function* () {
      const { business, stored } = yield* businessWithProduct
      const customer_id = yield* newCustomer(business)
      const [own, ofBooking] = [
        yield* newTrip(business, { customer_id, trip_date: at("13:00:00") }),
        yield* newTrip(business, { customer_id, trip_date: at("14:00:00") })
      ]
      yield* newTrip(business, { customer_id: yield* newCustomer(business) })
      const times = { starts_at: at("14:00:00"), ends_at: at("16:00:00") }
      const booked = (change: Parameters<typeof stored>[0]) => stored({ customer_id, ...times, ...change })
      const booking = yield* booked({ status: "confirmed", trip_id: ofBooking.trip_id })
      yield* booked({ status: "expired" })
      assert.deepStrictEqual(yield* shown(business, customerOf(customer_id)), [
        [own.reference, "confirmed"],
        [booking.reference, "confirmed"]
      ])
    })
  )
})
