/** The contract of `AssignmentRepository`. */
import {
  type AssignmentId,
  AssignmentRepository,
  DriverRepository,
  TimelineRepository,
  TripRepository,
  unanswered,
  windowOf
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Exit, Option } from "effect"
import { at, contract, unique } from "./Contract.ts"
import { assign, newBusiness, newCar, newDriver, newTrip, now, setStatus } from "./Given.ts"

/** A business with two drivers and a trip at six. */
const prepared = Effect.gen(function* () {
  const assignments = yield* AssignmentRepository
  const business = yield* newBusiness
  const [dan, eve] = [yield* newDriver(business, { name: "Dan" }), yield* newDriver(business)]
  const trip = yield* newTrip(business)
  const statusOf = (assignmentId: AssignmentId) =>
    Effect.map(
      assignments.find(business, assignmentId),
      (found) => Option.getOrThrow(found).assignment.status
    )
  return { assignments, business, dan, eve, trip, statusOf }
})

export const assignmentRepository = contract("an assignment", (it) => {
  it.effect("is made for each driver, in the order given", () =>
    Effect.gen(function* () {
      const { assignments, business, dan, eve, trip } = yield* prepared
      const car_id = yield* newCar(business)
      const given = [
        { driver_id: eve, car_id, has_default_car: true, tokenHash: unique("token") },
        { driver_id: dan, car_id: null, has_default_car: false, tokenHash: unique("token") }
      ]
      const made = yield* assignments.insert(business, trip.trip_id, windowOf(trip), given, now)
      assert.deepStrictEqual(
        made.map(({ assignment_id: _id, name: _name, ...assignment }) => assignment),
        [
          {
            driver_id: eve,
            status: "assigned",
            car_id,
            has_default_car: true,
            ...unanswered,
            milestones: []
          },
          {
            driver_id: dan,
            status: "assigned",
            car_id: null,
            has_default_car: false,
            ...unanswered,
            milestones: []
          }
        ]
      )
      assert.strictEqual(made[1]?.name, "Dan")
      for (const assignment of made)
        assert.deepStrictEqual(
          yield* assignments.find(business, assignment.assignment_id),
          Option.some({ trip_id: trip.trip_id, assignment })
        )
      const [first] = made
      if (first !== undefined)
        assert.deepStrictEqual(
          yield* assignments.find(yield* newBusiness, first.assignment_id),
          Option.none()
        )
    })
  )

  it.effect("is the only one of its driver on the trip that is not cancelled", () =>
    Effect.gen(function* () {
      const { assignments, business, dan, trip } = yield* prepared
      const { assignment_id } = yield* assign(trip, dan)
      assert.isTrue(Exit.hasDies(yield* Effect.exit(assign(trip, dan))))
      yield* setStatus(business, assignment_id, "cancelled")
      const again = yield* assign(trip, dan)
      const last = Option.getOrThrow(yield* assignments.findLast(business, trip.trip_id, dan))
      assert.strictEqual(last.assignment_id, again.assignment_id)
      const other = yield* newTrip(business)
      assert.deepStrictEqual(yield* assignments.findLast(business, other.trip_id, dan), Option.none())
    })
  )

  it.effect("changes its status in its own business alone", () =>
    Effect.gen(function* () {
      const { business, dan, eve, statusOf, trip } = yield* prepared
      const [one, other] = [yield* assign(trip, dan), yield* assign(trip, eve)]
      yield* setStatus(yield* newBusiness, one.assignment_id, "en_route")
      assert.strictEqual(yield* statusOf(one.assignment_id), "assigned")
      yield* setStatus(business, one.assignment_id, "en_route")
      assert.strictEqual(yield* statusOf(one.assignment_id), "en_route")
      assert.strictEqual(yield* statusOf(other.assignment_id), "assigned")
    })
  )

  it.effect("has each milestone once, in order of time", () =>
    Effect.gen(function* () {
      const { assignments, business, dan, trip } = yield* prepared
      const { assignment_id } = yield* assign(trip, dan)
      const arrived = {
        milestone: "arrived_at_pickup" as const,
        at: DateTime.add(at("18:05:00"), { milliseconds: 123 }),
        lat: 47.123456789012,
        lng: 8.5,
        stop_index: null
      }
      const onBoard = {
        milestone: "passenger_on_board" as const,
        at: at("18:00:00"),
        lat: null,
        lng: null,
        stop_index: null
      }
      yield* assignments.insertMilestone(business, assignment_id, arrived)
      yield* assignments.insertMilestone(business, assignment_id, onBoard)
      yield* assignments.insertMilestone(business, assignment_id, { ...arrived, at: at("19:00:00") })
      const { assignment } = Option.getOrThrow(yield* assignments.find(business, assignment_id))
      assert.deepStrictEqual(assignment.milestones, [onBoard, arrived])
      const atStop = (stop_index: number, time: string) => ({
        ...onBoard,
        milestone: "arrived_at_stop" as const,
        at: at(time),
        stop_index
      })
      const reached = [atStop(0, "18:10:00"), atStop(1, "18:10:00"), atStop(4, "18:08:00")] as const
      for (const milestone of [reached[1], reached[0], reached[2], atStop(1, "18:20:00")])
        yield* assignments.insertMilestone(business, assignment_id, milestone)
      const found = Option.getOrThrow(yield* assignments.find(business, assignment_id))
      assert.deepStrictEqual(found.assignment.milestones, [
        onBoard,
        arrived,
        reached[2],
        reached[0],
        reached[1]
      ])
    })
  )

  it.effect("knows when its driver started and when that was told, until the start is undone", () =>
    Effect.gen(function* () {
      const { assignments, business, dan, trip } = yield* prepared
      const { assignment_id } = yield* assign(trip, dan)
      const start = assignments.start(business, assignment_id)
      assert.isTrue(Option.isNone(yield* start))
      yield* setStatus(business, assignment_id, "en_route")
      const { at: startedAt, heard_at } = Option.getOrThrow(yield* start)
      assert.deepStrictEqual(heard_at, startedAt)
      const timeline = yield* TimelineRepository
      const told = (status: string, time: DateTime.Utc) =>
        timeline.append(
          business,
          [
            {
              tripId: trip.trip_id,
              entries: [{ change: "driver_status_changed", driver_id: dan, before: null, after: { status } }]
            }
          ],
          time
        )
      for (const [status, time] of [
        ["en_route", "18:00:00"],
        ["en_route", "18:10:00"],
        ["assigned", "18:20:00"]
      ] as const)
        yield* told(status, at(time))
      assert.deepStrictEqual(Option.getOrThrow(yield* start), { at: startedAt, heard_at: at("18:10:00") })
      assert.isTrue(Option.isNone(yield* assignments.start(yield* newBusiness, assignment_id)))
      yield* setStatus(business, assignment_id, "assigned")
      assert.isTrue(Option.isNone(yield* start))
    })
  )

  it.effect("loses a milestone that is removed, of that stop alone", () =>
    Effect.gen(function* () {
      const { assignments, business, dan, trip } = yield* prepared
      const { assignment_id } = yield* assign(trip, dan)
      const atStop = (stop_index: number) => ({
        milestone: "arrived_at_stop" as const,
        at: at("18:00:00"),
        lat: null,
        lng: null,
        stop_index
      })
      for (const index of [0, 1]) yield* assignments.insertMilestone(business, assignment_id, atStop(index))
      yield* assignments.removeMilestone(yield* newBusiness, assignment_id, atStop(1))
      yield* assignments.removeMilestone(business, assignment_id, atStop(0))
      const { assignment } = Option.getOrThrow(yield* assignments.find(business, assignment_id))
      assert.deepStrictEqual(assignment.milestones, [atStop(1)])
    })
  )

  it.effect("is given to active drivers of the business that are not deleted", () =>
    Effect.gen(function* () {
      const { assignments, business, dan, eve } = yield* prepared
      const drivers = yield* DriverRepository
      const [inactive, deleted] = [yield* newDriver(business, { active: false }), yield* newDriver(business)]
      const elsewhere = yield* newDriver(yield* newBusiness)
      yield* drivers.remove(business, deleted, now)
      const ids = [eve, inactive, deleted, elsewhere, dan]
      const car = yield* newCar(business)
      const regular = yield* newDriver(business, { default_car_id: car })
      assert.deepStrictEqual(yield* assignments.lockDrivers(business, [...ids, regular]), [
        { driver_id: dan, default_car_id: null },
        { driver_id: eve, default_car_id: null },
        { driver_id: regular, default_car_id: car }
      ])
      assert.deepStrictEqual(yield* assignments.lockDrivers(business, []), [])
    })
  )

  it.effect("gets its driver's answer, in its own business alone", () =>
    Effect.gen(function* () {
      const { assignments, business, dan, eve, trip } = yield* prepared
      const [first, second] = [yield* assign(trip, dan), yield* assign(trip, eve)]
      const answerOf = ({ assignment_id }: { readonly assignment_id: AssignmentId }) =>
        Effect.map(assignments.find(business, assignment_id), (found) => {
          const { accepted_at, accepted_pickup, decline_reason, declined_at } =
            Option.getOrThrow(found).assignment
          return { accepted_at, accepted_pickup, declined_at, decline_reason }
        })
      const accepted = { ...unanswered, accepted_at: now, accepted_pickup: trip.trip_date }
      const declined = { ...accepted, declined_at: now, decline_reason: "The car is broken" }
      const answers = [
        { assignment_id: first.assignment_id, ...accepted },
        { assignment_id: second.assignment_id, ...declined }
      ]
      yield* assignments.setAnswers(yield* newBusiness, answers)
      assert.deepStrictEqual([yield* answerOf(first), yield* answerOf(second)], [unanswered, unanswered])
      yield* assignments.setAnswers(business, answers)
      assert.deepStrictEqual([yield* answerOf(first), yield* answerOf(second)], [accepted, declined])
      const found = Option.getOrThrow(yield* (yield* TripRepository).find(business, trip.trip_id))
      assert.deepStrictEqual(
        found.drivers.map(({ accepted_at, decline_reason }) => [accepted_at, decline_reason]),
        [
          [now, null],
          [now, "The car is broken"]
        ]
      )
      yield* assignments.setAnswers(business, [{ assignment_id: first.assignment_id, ...unanswered }])
      assert.deepStrictEqual([yield* answerOf(first), yield* answerOf(second)], [unanswered, declined])
    })
  )

  it.effect("gets another car, in its own business alone", () =>
    Effect.gen(function* () {
      const { assignments, business, dan, eve, trip } = yield* prepared
      const [black, white] = [yield* newCar(business), yield* newCar(business)]
      const [first, second] = [
        yield* assign(trip, dan, "assigned", black),
        yield* assign(trip, eve, "assigned", black)
      ]
      const carOf = ({ assignment_id }: { readonly assignment_id: AssignmentId }) =>
        Effect.map(assignments.find(business, assignment_id), (found) => {
          const { car_id, has_default_car } = Option.getOrThrow(found).assignment
          return [car_id, has_default_car]
        })
      const changed = [
        { assignment_id: first.assignment_id, car_id: white, has_default_car: true },
        { assignment_id: second.assignment_id, car_id: null, has_default_car: false }
      ]
      yield* assignments.setCars(yield* newBusiness, changed)
      assert.deepStrictEqual(
        [yield* carOf(first), yield* carOf(second)],
        [
          [black, false],
          [black, false]
        ]
      )
      yield* assignments.setCars(business, changed)
      assert.deepStrictEqual(
        [yield* carOf(first), yield* carOf(second)],
        [
          [white, true],
          [null, false]
        ]
      )
    })
  )

  it.effect("loses the places of its milestones, in its own business alone", () =>
    Effect.gen(function* () {
      const { assignments, business, dan, eve, trip } = yield* prepared
      const reached = {
        milestone: "arrived_at_pickup",
        at: at("17:55:00"),
        lat: 47.1,
        lng: 8.1,
        stop_index: null
      } as const
      const [own, other] = [yield* assign(trip, dan), yield* assign(trip, eve)]
      for (const { assignment_id } of [own, other])
        yield* assignments.insertMilestone(business, assignment_id, reached)
      const placeOf = ({ assignment_id }: { readonly assignment_id: AssignmentId }) =>
        Effect.map(assignments.find(business, assignment_id), (found) =>
          Option.getOrThrow(found).assignment.milestones.map(({ lat, lng, milestone }) => [
            milestone,
            lat,
            lng
          ])
        )
      yield* assignments.erasePlaces(yield* newBusiness, [own.assignment_id])
      assert.deepStrictEqual(yield* placeOf(own), [["arrived_at_pickup", 47.1, 8.1]])
      yield* assignments.erasePlaces(business, [own.assignment_id])
      assert.deepStrictEqual(yield* placeOf(own), [["arrived_at_pickup", null, null]])
      assert.deepStrictEqual(yield* placeOf(other), [["arrived_at_pickup", 47.1, 8.1]])
    })
  )

  it.effect("moves with its trip, in its own business alone", () =>
    Effect.gen(function* () {
      const { assignments, business, dan, trip } = yield* prepared
      const drivers = yield* DriverRepository
      yield* assign(trip, dan)
      const window = { starts: at("20:00:00"), ends: at("21:00:00") }
      const busy = Effect.map(
        drivers.busyWindows(business, dan, { starts: at("00:00:00"), ends: at("23:00:00") }),
        (windows) => windows.map(({ from, to }) => ({ starts: from, ends: to }))
      )
      yield* assignments.setWindows(yield* newBusiness, [{ tripId: trip.trip_id, window }])
      assert.deepStrictEqual(yield* busy, [windowOf(trip)])
      yield* assignments.setWindows(business, [{ tripId: trip.trip_id, window }])
      assert.deepStrictEqual(yield* busy, [window])
    })
  )

  it.effect("is one of the driver's open trips while it is live", () =>
    Effect.gen(function* () {
      const { assignments, business, dan, eve, trip } = yield* prepared
      const [second, ended] = [yield* newTrip(business), yield* newTrip(business)]
      yield* assign(second, dan, "en_route")
      yield* assign(trip, dan)
      yield* assign(ended, dan, "cancelled")
      assert.deepStrictEqual(yield* assignments.openTrips(business, dan), [trip.trip_id, second.trip_id])
      assert.deepStrictEqual(yield* assignments.openTrips(business, eve), [])
    })
  )
})
