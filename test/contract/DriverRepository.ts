/** The contract of `DriverRepository`. */
import { DriverRepository } from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Exit, Option } from "effect"
import { at, contract } from "./Contract.ts"
import { assign, driverProfile, newBusiness, newDriver, newTrip, newUser, now, wholeList } from "./Given.ts"

export const driverRepository = contract("a driver", (it) => {
  it.effect("is returned as stored, to its own business alone", () =>
    Effect.gen(function* () {
      const drivers = yield* DriverRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const profile = driverProfile({ email: "dan@example.com", license_expires_on: "2030-01-31" })
      const stored = yield* drivers.insert(business, profile, now)
      const { driver_id } = stored
      assert.deepStrictEqual(stored, {
        ...profile,
        driver_id,
        business_id: business,
        user_id: null,
        created_at: now,
        updated_at: now
      })
      for (const read of [drivers.find, drivers.lock, drivers.lockForDelete]) {
        assert.deepStrictEqual(yield* read(business, driver_id), Option.some(stored))
        assert.deepStrictEqual(yield* read(other, driver_id), Option.none())
      }
      const changed = driverProfile({ name: "Daniel", active: false })
      const expected = { ...stored, ...changed, updated_at: at("10:00:00") }
      assert.deepStrictEqual(yield* drivers.update(business, driver_id, changed, at("10:00:00")), expected)
      assert.deepStrictEqual(yield* drivers.find(business, driver_id), Option.some(expected))
    })
  )

  it.effect("is listed by name, then id", () =>
    Effect.gen(function* () {
      const drivers = yield* DriverRepository
      const business = yield* newBusiness
      yield* newDriver(yield* newBusiness)
      const eve = yield* newDriver(business, { name: "Eve" })
      const dan = yield* newDriver(business, { name: "Dan", active: false })
      const another = yield* newDriver(business, { name: "Dan" })
      const ids = (active?: boolean) =>
        Effect.map(drivers.list(business, { active }, wholeList), ({ items }) =>
          items.map(({ driver_id }) => driver_id)
        )
      assert.deepStrictEqual(yield* ids(), [dan, another, eve])
      assert.deepStrictEqual(yield* ids(true), [another, eve])
      assert.deepStrictEqual(yield* ids(false), [dan])
      const page = yield* drivers.list(business, {}, { page: 2, perPage: 2 })
      assert.deepStrictEqual([page.items.length, page.total, page.hasMore], [1, 3, false])
    })
  )

  it.effect("is linked to an account that signs in as no other driver of the business", () =>
    Effect.gen(function* () {
      const drivers = yield* DriverRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const user = yield* newUser
      const [first, second] = [yield* newDriver(business), yield* newDriver(business)]
      assert.isTrue(yield* drivers.linkAccount(business, first, user, at("10:00:00")))
      assert.isFalse(yield* drivers.linkAccount(business, second, user, now))
      assert.isTrue(yield* drivers.linkAccount(other, yield* newDriver(other), user, now))
      const linked = Option.getOrThrow(yield* drivers.find(business, first))
      assert.deepInclude(linked, { user_id: user, updated_at: at("10:00:00") })
      yield* drivers.remove(business, first, now)
      assert.isTrue(yield* drivers.linkAccount(business, second, user, now))
    })
  )

  it.effect("that is deleted is found by nothing, also if an assignment refers to it", () =>
    Effect.gen(function* () {
      const drivers = yield* DriverRepository
      const business = yield* newBusiness
      const [used, unused] = [yield* newDriver(business), yield* newDriver(business)]
      yield* assign(yield* newTrip(business), used, "cancelled")
      for (const driver of [used, unused]) {
        yield* drivers.remove(business, driver, now)
        assert.deepStrictEqual(yield* drivers.find(business, driver), Option.none())
        const update = drivers.update(business, driver, driverProfile(), now)
        assert.isTrue(Exit.hasDies(yield* Effect.exit(update)))
      }
      assert.deepStrictEqual((yield* drivers.list(business, {}, wholeList)).items, [])
    })
  )

  it.effect("is not deleted by another business", () =>
    Effect.gen(function* () {
      const drivers = yield* DriverRepository
      const business = yield* newBusiness
      const driver = yield* newDriver(business)
      yield* drivers.remove(yield* newBusiness, driver, now)
      assert.isTrue(Option.isSome(yield* drivers.find(business, driver)))
    })
  )

  it.effect("is busy during the windows of its live assignments", () =>
    Effect.gen(function* () {
      const drivers = yield* DriverRepository
      const business = yield* newBusiness
      const driver = yield* newDriver(business)
      const trip = (time: string, duration_minutes: number | null = null) =>
        newTrip(business, { trip_date: at(time), duration_minutes })
      const [late, early, long] = [
        yield* trip("14:00:00"),
        yield* trip("10:00:00"),
        yield* trip("08:00:00", 180)
      ]
      const touching = yield* trip("15:00:00")
      for (const one of [late, early, long, touching]) yield* assign(one, driver)
      yield* assign(yield* trip("12:00:00"), driver, "completed")
      yield* assign(yield* trip("12:00:00"), yield* newDriver(business))
      const busy = yield* drivers.busyWindows(business, driver, {
        starts: at("10:30:00"),
        ends: at("15:00:00")
      })
      assert.deepStrictEqual(
        busy,
        [long, early, late].map(({ duration_minutes, reference, trip_date, trip_id }) => ({
          trip_id,
          reference,
          from: trip_date,
          to: DateTime.add(trip_date, { minutes: duration_minutes ?? 60 })
        }))
      )
    })
  )
})
