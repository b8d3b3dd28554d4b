import {
  CarId,
  CarInput,
  TripReferences,
  DriverId,
  DriverInvitationRepository,
  DriverRepository,
  CarRepository,
  PlanRepository,
  SeatRepository,
  Transaction,
  UserRepository
} from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import {
  at,
  atOnce,
  TestPersistence,
  newBusiness,
  newCar,
  newUser,
  unique
} from "../support/TestPersistence.ts"
import { assign, newDriver, newTrip } from "./Roster.ts"

const now = at("09:30:00")
const page = { page: 1, perPage: 100 }
const input = Schema.decodeUnknownSync(CarInput)

const rowsOf = Effect.fnUntraced(function* (table: "cars" | "drivers", business: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ deleted: boolean }>`
    SELECT deleted_at IS NOT NULL AS deleted FROM ${sql(table)} WHERE business_id = ${business}`
  return rows.map(({ deleted }) => deleted)
})

/** Runs the second transaction during the first one. Returns whether it waited for the commit of the first. */
const waits = Effect.fnUntraced(function* <A, B>(first: Effect.Effect<A>, second: Effect.Effect<B>) {
  const transaction = yield* Transaction
  const sql = yield* SqlClient.SqlClient
  const [begun, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const holder = yield* Effect.forkChild(
    transaction.run(
      first.pipe(
        Effect.tap(() => Deferred.succeed(begun, undefined)),
        Effect.tap(() => Deferred.await(go))
      )
    )
  )
  yield* Deferred.await(begun)
  const waiter = yield* Effect.forkChild(transaction.run(second))
  yield* Effect.repeat(
    sql<{ waits: boolean }>`SELECT EXISTS (
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock') AS waits`,
    { until: ([row]) => waiter.pollUnsafe() !== undefined || (row?.waits ?? false), times: 5000 }
  )
  const waited = waiter.pollUnsafe() === undefined
  yield* Deferred.succeed(go, undefined)
  yield* Fiber.join(holder)
  return { waited, answer: yield* Fiber.join(waiter) }
})

layer(TestPersistence)("cars", (it) => {
  it.effect("are stored as given, and changed in the given fields", () =>
    Effect.gen(function* () {
      const cars = yield* CarRepository
      const business = yield* newBusiness()
      const given = input({ name: "S", year: 2025, seats: 4, vehicle_class: "sedan", active: false })
      const made = yield* cars.insert(business, given, now)
      assert.deepInclude(made, { ...given, business_id: business, created_at: now, updated_at: now })
      assert.deepStrictEqual(Option.getOrThrow(yield* cars.find(business, made.car_id)), made)
      const later = DateTime.add(now, { hours: 1 })
      const changed = yield* cars.update(business, made.car_id, { ...given, name: "T", year: null }, later)
      assert.deepStrictEqual({ ...changed }, { ...made, name: "T", year: null, updated_at: later })
      assert.strictEqual(yield* cars.countActive(business), 0)
    })
  )

  it.effect("that are locked for a deletion get no new references; locked for reading, they do", () =>
    Effect.gen(function* () {
      const cars = yield* CarRepository
      const references = yield* TripReferences
      const business = yield* newBusiness()
      const car = CarId.make(yield* newCar(business))
      const begin = Effect.map(references.lockCars(business, [car]), (found) => found.length > 0)
      assert.isFalse((yield* waits(cars.lock(business, car), begin)).waited)
      const removed = Effect.andThen(cars.lockForDelete(business, car), cars.remove(business, car, now))
      assert.deepStrictEqual(yield* waits(removed, begin), { waited: true, answer: false })
    })
  )

  it.effect("are deleted if no trip refers to them, else hidden for good", () =>
    Effect.gen(function* () {
      const cars = yield* CarRepository
      const business = yield* newBusiness()
      const [used, unused] = [yield* newCar(business), yield* newCar(business)]
      yield* newTrip(business, { carId: used })
      for (const car of [used, unused]) yield* cars.remove(business, CarId.make(car), now)
      assert.deepStrictEqual(yield* rowsOf("cars", business), [true])
      assert.isTrue(Option.isNone(yield* cars.find(business, CarId.make(used))))
      assert.isTrue(Option.isNone(yield* cars.lock(business, CarId.make(used))))
      assert.isTrue(Option.isNone(yield* cars.lockForDelete(business, CarId.make(used))))
      assert.isEmpty((yield* cars.list(business, {}, page)).items)
      assert.strictEqual(yield* cars.countActive(business), 0)
    })
  )

  it.effect("are counted in the list up to 1,000", () =>
    Effect.gen(function* () {
      const cars = yield* CarRepository
      const sql = yield* SqlClient.SqlClient
      const business = yield* newBusiness()
      const fill = (count: number) => sql`
        INSERT INTO cars (business_id, name, created_at, updated_at)
        SELECT ${business}, 'Car ' || n, now(), now() FROM generate_series(1, ${count}::int) n`
      yield* fill(1000)
      assert.strictEqual((yield* cars.list(business, {}, page)).total, 1000)
      yield* fill(1)
      const found = yield* cars.list(business, { active: true }, { page: 11, perPage: 100 })
      assert.deepStrictEqual([found.total, found.items.length, found.hasMore], [undefined, 1, false])
    })
  )
})

layer(TestPersistence)("drivers", (it) => {
  it.effect("are deleted if nothing refers to them, else hidden, without their account", () =>
    Effect.gen(function* () {
      const users = yield* UserRepository
      const drivers = yield* DriverRepository
      const seats = yield* SeatRepository
      const sql = yield* SqlClient.SqlClient
      const business = yield* newBusiness()
      const [unused, driven, seated] = [
        yield* newDriver(business),
        yield* newDriver(business),
        yield* newDriver(business)
      ]
      const user = yield* newUser
      assert.isTrue(yield* drivers.linkAccount(business, driven, user, now))
      yield* assign(business, yield* newTrip(business), driven, "cancelled")
      yield* seats.take(business, seated, { minor: 1500, currency: "USD" as never }, now)
      for (const driver of [unused, driven, seated]) yield* drivers.remove(business, driver, now)
      assert.deepStrictEqual(yield* rowsOf("drivers", business), [true, true])
      assert.isTrue(Option.isNone(yield* users.driverOf(user)))
      assert.isEmpty(yield* sql`SELECT FROM drivers WHERE user_id = ${user}`)
      for (const read of [drivers.find, drivers.lock, drivers.lockForDelete])
        assert.isTrue(Option.isNone(yield* read(business, driven)))
      assert.isEmpty((yield* drivers.list(business, {}, page)).items)
    })
  )

  it.effect("have one account each, and an account is one driver of a business, of several businesses", () =>
    Effect.gen(function* () {
      const users = yield* UserRepository
      const drivers = yield* DriverRepository
      const [one, other] = [yield* newBusiness(), yield* newBusiness()]
      const user = yield* newUser
      const [first, second] = [yield* newDriver(one), yield* newDriver(one)]
      assert.isTrue(yield* drivers.linkAccount(one, first, user, now))
      assert.isFalse(yield* drivers.linkAccount(one, second, user, now))
      assert.isTrue(yield* drivers.linkAccount(other, yield* newDriver(other), user, now))
      assert.deepStrictEqual(yield* users.driverOf(user), Option.some(first))
      yield* drivers.remove(one, first, now)
      assert.isTrue(yield* drivers.linkAccount(one, second, user, now))
    })
  )

  it.effect("are busy during live assignments, also of a trip that began long before", () =>
    Effect.gen(function* () {
      const drivers = yield* DriverRepository
      const sql = yield* SqlClient.SqlClient
      const business = yield* newBusiness()
      const driver = yield* newDriver(business)
      const trip = yield* newTrip(business)
      yield* assign(business, trip, driver)
      yield* assign(business, yield* newTrip(business), driver, "cancelled")
      const busy = (from: string, before: string) =>
        Effect.map(drivers.busyWindows(business, driver, { starts: at(from), ends: at(before) }), (found) =>
          found.map(({ trip_id }) => trip_id)
        )
      assert.deepStrictEqual(yield* busy("10:59:59", "12:00:00"), [trip])
      assert.deepStrictEqual(yield* busy("11:00:00", "12:00:00"), [])
      assert.deepStrictEqual(yield* busy("09:00:00", "10:00:00"), [])
      assert.deepStrictEqual(yield* busy("09:00:00", "10:00:01"), [trip])
      yield* sql`UPDATE assignments SET trip_date = trip_ends_at - interval '31 days' WHERE trip_id = ${trip}`
      assert.deepStrictEqual(yield* busy("10:59:59", "12:00:00"), [trip])
      assert.isEmpty(
        yield* drivers.busyWindows(yield* newBusiness(), driver, {
          starts: at("00:00:00"),
          ends: at("23:00:00")
        })
      )
    })
  )

  it.effect(
    "that are not active, or of another business, do not count; of the seats, the driver's own ends first, then the youngest",
    () =>
      Effect.gen(function* () {
        const seats = yield* SeatRepository
        const drivers = yield* DriverRepository
        const sql = yield* SqlClient.SqlClient
        const business = yield* newBusiness()
        yield* newDriver(yield* newBusiness())
        yield* newDriver(business, false)
        const ids: Array<DriverId> = []
        for (let index = 0; index < 4; index++) {
          const driver = yield* newDriver(business)
          ids.push(driver)
          yield* seats.take(business, driver, { minor: 1500, currency: "USD" as never }, now)
        }
        assert.deepStrictEqual({ ...(yield* seats.count(business)) }, { active: 4, seats: 4 })
        const open = Effect.map(
          sql<{ driver_id: DriverId }>`
          SELECT driver_id FROM driver_seats WHERE business_id = ${business} AND ended_at IS NULL ORDER BY seat_id`,
          (rows) => rows.map(({ driver_id }) => driver_id)
        )
        yield* seats.end(business, 2, ids[0], now)
        assert.deepStrictEqual(yield* open, ids.slice(1, 3))
        yield* seats.end(business, 1, undefined, now)
        assert.deepStrictEqual(yield* open, ids.slice(1, 2))
        yield* drivers.remove(business, ids[2] ?? DriverId.make(1), now)
        assert.deepStrictEqual({ ...(yield* seats.count(business)) }, { active: 3, seats: 1 })
      })
  )
})

layer(TestPersistence)("a plan", (it) => {
  it.effect("is the business's, and locked by one transaction at a time", () =>
    Effect.gen(function* () {
      const plans = yield* PlanRepository
      const [business, other] = [yield* newBusiness(), yield* newBusiness()]
      assert.deepStrictEqual(
        { ...(yield* plans.lock(business)) },
        { plan_id: 1, cars: 2, drivers: 2, invoices: 10, seat_minor: null, currency: "USD" as never }
      )
      assert.isTrue((yield* waits(plans.lock(business), plans.lock(business))).waited)
      assert.isFalse((yield* waits(plans.lock(business), plans.lock(other))).waited)
      // A lock on the plan does not block writes to the business's records.
      const sql = yield* SqlClient.SqlClient
      const write = Effect.orDie(sql`
        INSERT INTO cars (business_id, name, created_at, updated_at) VALUES (${business}, 'A', now(), now())`)
      assert.isFalse((yield* waits(plans.lock(business), write)).waited)
    })
  )
})

layer(TestPersistence)("an invitation", (it) => {
  const given = Effect.gen(function* () {
    const invitations = yield* DriverInvitationRepository
    const businessId = yield* newBusiness()
    const driverId = yield* newDriver(businessId)
    const codeHash = unique("hash")
    const expiresAt = DateTime.add(now, { days: 7 })
    const invited = { businessId, driverId, email: "dan@example.com" }
    yield* invitations.issue({ ...invited, codeHash, expiresAt }, now)
    return { invitations, invited, codeHash, expiresAt }
  })

  it.effect("is valid until its end, and is redeemed once, by one of several concurrent requests", () =>
    Effect.gen(function* () {
      const { codeHash, expiresAt, invitations, invited } = yield* given
      const { businessId } = invited
      assert.deepStrictEqual(yield* invitations.invited(businessId, codeHash, now), Option.some(invited))
      assert.isTrue(Option.isNone(yield* invitations.invited(businessId, codeHash, expiresAt)))
      assert.isTrue(Option.isNone(yield* invitations.invited(businessId, "other", now)))
      assert.isTrue(Option.isNone(yield* invitations.invited(yield* newBusiness(), codeHash, now)))
      assert.isFalse(yield* invitations.redeem(businessId, codeHash, expiresAt))
      assert.isFalse(yield* invitations.redeem(yield* newBusiness(), codeHash, now))
      const redeemed = yield* atOnce(8, () => invitations.redeem(businessId, codeHash, now))
      assert.lengthOf(redeemed.filter(Boolean), 1)
      assert.isTrue(Option.isNone(yield* invitations.invited(businessId, codeHash, now)))
    })
  )

  it.effect("ends with the next one, when it is voided, and with its driver", () =>
    Effect.gen(function* () {
      const drivers = yield* DriverRepository
      const { codeHash, expiresAt, invitations, invited } = yield* given
      const { businessId, driverId } = invited
      const next = unique("hash")
      yield* invitations.issue({ ...invited, codeHash: next, expiresAt }, now)
      assert.isFalse(yield* invitations.redeem(businessId, codeHash, now))
      assert.isTrue(Option.isSome(yield* invitations.invited(businessId, next, now)))
      yield* invitations.void(businessId, driverId)
      assert.isTrue(Option.isNone(yield* invitations.invited(businessId, next, now)))
      const last = unique("hash")
      yield* invitations.issue({ ...invited, codeHash: last, expiresAt }, now)
      yield* drivers.remove(businessId, driverId, now)
      assert.isTrue(Option.isNone(yield* invitations.invited(businessId, last, now)))
    })
  )
})
