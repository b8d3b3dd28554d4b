import {
  Assignments,
  type BusinessId,
  CarId,
  DriverId,
  Transaction,
  TripChanges,
  type TripId,
  TripInput,
  Trips,
  Detaching
} from "@livery/domain"
import { NodeCryptography } from "@livery/integrations"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { extent } from "../../../../test/faults/support/Extent.ts"
import { acting } from "../support/Acting.ts"
import { atOnce, TestPersistence, newBusiness, newCar } from "../support/TestPersistence.ts"

const races = Number(process.env["LIVERY_TEST_TRIP_RACES"] ?? extent(25, 10))

const Dispatch = Layer.mergeAll(Trips.layer, Assignments.layer, Detaching.layer).pipe(
  Layer.provide(NodeCryptography.layer),
  Layer.provideMerge(TestPersistence)
)

const input = Schema.decodeSync(TripInput)({
  trip_date: "2026-12-24T18:00:00Z",
  pickup_address: "Here",
  dropoff_address: "There",
  customer_name: "Ada"
})

const newDriver = Effect.fnUntraced(function* (businessId: BusinessId) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ driver_id: number }>`
    INSERT INTO drivers (business_id, name, created_at, updated_at) VALUES (${businessId}, 'Grace', now(), now())
    RETURNING driver_id`
  return DriverId.make(row?.driver_id ?? 0)
})

/** A business with two drivers, with functions for its requests and its rows. */
const begin = Effect.fnUntraced(function* (policy = "warn") {
  const sql = yield* SqlClient.SqlClient
  const [trips, assignments] = [yield* Trips, yield* Assignments]
  const business = yield* newBusiness()
  yield* sql`UPDATE businesses SET clash_policy = ${policy} WHERE business_id = ${business}`
  const drivers = [yield* newDriver(business), yield* newDriver(business)] as const
  const as = acting(business)
  const ids = (tripId: number) => tripId as TripId
  return {
    as,
    business,
    drivers,
    book: Effect.map(trips.create(as, input), ({ trip_id }) => ids(trip_id)),
    bookCar: (car_id: CarId) => trips.create(as, { ...input, car_id }),
    duplicate: (tripId: TripId) => trips.duplicate(as, tripId, {}),
    update: (tripId: TripId, change: typeof TripChanges.Encoded) =>
      trips.update(as, tripId, Schema.decodeSync(TripChanges)(change)),
    assign: (tripId: TripId, driver_ids: ReadonlyArray<DriverId>) =>
      assignments.assign(as, tripId, { driver_ids }),
    report: (tripId: TripId, driver_id: DriverId, status: "en_route" | "completed") =>
      assignments.reportFor(as, tripId, { driver_id, status }),
    statusOf: (tripId: TripId) => Effect.map(trips.get(as, tripId), ({ status }) => status),
    endings: (tripId: TripId) =>
      Effect.map(
        sql<{ event_type: string }>`
          SELECT event_type FROM events
          WHERE business_id = ${business} AND event_type IN ('trip.completed', 'trip.cancelled')
            AND (body::jsonb -> 'data' ->> 'trip_id')::bigint = ${tripId}`,
        (rows) => rows.map(({ event_type }) => event_type)
      ),
    /**
     * The live assignments of trips that have ended or are deleted, and the statuses that differ from the derived
     * ones.
     */
    faults: sql`
      SELECT t.trip_id, t.status, t.driver_status
      FROM trips t LEFT JOIN LATERAL (
        SELECT count(*) FILTER (WHERE status IN ('assigned', 'en_route')) AS live,
               count(*) FILTER (WHERE status = 'en_route') AS away,
               count(*) FILTER (WHERE status = 'completed') AS done,
               count(*) FILTER (WHERE token_hash IS NOT NULL AND status NOT IN ('assigned', 'en_route')) AS tokens
        FROM assignments a WHERE a.business_id = t.business_id AND a.trip_id = t.trip_id) a ON true
      WHERE t.business_id = ${business} AND (
        a.tokens > 0
        OR (a.live > 0 AND (t.status IN ('completed', 'cancelled') OR t.deleted_at IS NOT NULL))
        OR (t.status IN ('confirmed', 'in_progress') AND t.status <>
              CASE WHEN a.away > 0 OR (a.done > 0 AND a.live > 0) THEN 'in_progress' ELSE 'confirmed' END)
        OR (t.status IN ('confirmed', 'in_progress') AND a.done > 0 AND a.live = 0))`
  }
})

const tagOf = (answer: Exit.Exit<unknown, { readonly _tag: string }>) =>
  Exit.isSuccess(answer)
    ? "ok"
    : Exit.findErrorOption(answer).pipe(
        Option.map(({ _tag }) => _tag),
        Option.getOrElse(() => "fault")
      )

const together = <R>(...works: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }, R>>) =>
  Effect.map(
    atOnce(works.length, (index) => Effect.exit(works[index] ?? Effect.void)),
    (exits) => exits.map(tagOf)
  )

layer(Dispatch, { timeout: 300_000 })("trips under races", (it) => {
  it.effect(
    "of a completion and a cancellation, one succeeds, the other is refused, and one of the two events is sent",
    () =>
      Effect.gen(function* () {
        const { assign, book, drivers, endings, faults, statusOf, update } = yield* begin()
        for (let race = 0; race < races; race++) {
          const trip = yield* book
          if (race % 2 === 0) yield* assign(trip, drivers)
          const statuses =
            race % 3 === 0 ? (["cancelled", "completed"] as const) : (["completed", "cancelled"] as const)
          const tags = yield* together(...statuses.map((status) => update(trip, { status })))
          assert.sameMembers(tags, ["ok", "IllegalTransition"])
          const won = statuses[tags.indexOf("ok")] ?? ""
          assert.deepStrictEqual([yield* statusOf(trip), yield* endings(trip)], [won, [`trip.${won}`]])
        }
        assert.isEmpty(yield* faults)
      })
  )

  it.effect("an assignment during a cancellation leaves no live assignment on the cancelled trip", () =>
    Effect.gen(function* () {
      const { assign, book, drivers, faults, statusOf, update } = yield* begin()
      for (let race = 0; race < races; race++) {
        const trip = yield* book
        const cancel = update(trip, { status: "cancelled" })
        const tags = yield* together(assign(trip, drivers), cancel, assign(trip, [drivers[0]]))
        assert.strictEqual(tags[1], "ok")
        for (const tag of tags) assert.oneOf(tag, ["ok", "IllegalTransition"])
        assert.strictEqual(yield* statusOf(trip), "cancelled")
      }
      assert.isEmpty(yield* faults)
    })
  )

  it.effect("two drivers who complete concurrently complete the trip once", () =>
    Effect.gen(function* () {
      const { assign, book, drivers, endings, faults, report } = yield* begin()
      for (let race = 0; race < races; race++) {
        const trip = yield* book
        yield* assign(trip, drivers)
        yield* together(...drivers.map((driver) => report(trip, driver, "en_route")))
        const tags = yield* together(...drivers.map((driver) => report(trip, driver, "completed")))
        assert.deepStrictEqual([tags, yield* endings(trip)], [["ok", "ok"], ["trip.completed"]])
      }
      assert.isEmpty(yield* faults)
    })
  )

  it.effect("of two trips for one driver at one time, one needs a confirmation if clashes are enforced", () =>
    Effect.gen(function* () {
      const { assign, book, drivers } = yield* begin("enforce")
      const [one, two] = drivers
      for (let race = 0; race < races; race++) {
        const [left, right] = [yield* book, yield* book]
        const tags = yield* together(assign(left, [one, two]), assign(right, [two, one]))
        assert.sameMembers(tags, ["ok", "ConfirmationRequired"])
        yield* assign(left, [])
        yield* assign(right, [])
      }
    })
  )

  it.effect(
    "of two bookings, copies or changes for one car at one time, one needs a confirmation if clashes are enforced",
    () =>
      Effect.gen(function* () {
        const { as, book, bookCar, business, duplicate, update } = yield* begin("enforce")
        const trips = yield* Trips
        for (let race = 0; race < races; race++) {
          const car_id = CarId.make(yield* newCar(business))
          const [left, right, template] = [yield* book, yield* book, yield* bookCar(car_id)]
          yield* update(template.trip_id as TripId, { trip_date: "2026-12-27T18:00:00Z" })
          const copy = trips.duplicate(as, template.trip_id as TripId, { trip_date: "2026-12-24T18:30:00Z" })
          const wishes = [
            [bookCar(car_id), bookCar(car_id)],
            [update(left, { car_id }), update(right, { car_id })],
            [bookCar(car_id), update(left, { car_id })],
            [copy, copy]
          ][race % 4]
          assert.sameMembers(yield* together(...(wishes ?? [])), ["ok", "ConfirmationRequired"])
          const refused = yield* Effect.exit(duplicate(template.trip_id as TripId))
          assert.strictEqual(tagOf(refused), "ConfirmationRequired")
        }
      })
  )

  it.effect("concurrent changes of times and drivers make no unconfirmed clash", () =>
    Effect.gen(function* () {
      const { assign, book, drivers, update } = yield* begin("enforce")
      for (let race = 0; race < races; race++) {
        const [left, right] = [yield* book, yield* book]
        yield* update(right, { trip_date: "2026-12-26T18:00:00Z" })
        yield* assign(left, [drivers[0]])
        const tags = yield* together(
          update(left, { trip_date: "2026-12-26T18:30:00Z" }),
          assign(right, [drivers[0]])
        )
        assert.sameMembers(tags, ["ok", "ConfirmationRequired"])
        yield* assign(left, [])
        yield* assign(right, [])
      }
    })
  )

  it.effect("deleting a car or a driver while trips change does not deadlock", () =>
    Effect.gen(function* () {
      const { as, assign, book, business, drivers, faults, update } = yield* begin()
      const sql = yield* SqlClient.SqlClient
      const [withdrawals, transaction, trips] = [yield* Detaching, yield* Transaction, yield* Trips]
      for (let race = 0; race < races; race++) {
        const car_id = CarId.make(yield* newCar(business))
        const driver = yield* newDriver(business)
        const [left, right, last] = [yield* book, yield* book, yield* book]
        for (const trip of [left, right, last]) {
          yield* update(trip, { car_id })
          yield* assign(trip, [driver])
        }
        const sell = Effect.andThen(
          Effect.orDie(sql`SELECT FROM cars WHERE car_id = ${car_id} FOR UPDATE`),
          withdrawals.detachCar(as, car_id)
        )
        const dismiss = Effect.andThen(
          Effect.orDie(sql`SELECT FROM drivers WHERE driver_id = ${driver} FOR UPDATE`),
          withdrawals.detachDriver(as, driver)
        )
        const tags = yield* together(
          transaction.run(sell),
          transaction.run(dismiss),
          update(right, { car_id, notes: "x" }),
          assign(left, [driver, drivers[0]]),
          update(left, { status: "cancelled" }),
          trips.remove(as, last, { force: true })
        )
        for (const tag of tags) assert.oneOf(tag, ["ok", "IllegalTransition"])
        assert.deepStrictEqual(tags.slice(4), ["ok", "ok"])
      }
      assert.isEmpty(yield* faults)
    })
  )
})
