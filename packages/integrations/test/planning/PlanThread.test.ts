import { DriverId, type PlanProblem, PlanSolver, TripId } from "@livery/domain"
import { PlanThread } from "@livery/integrations"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"

const place = { lat: 47.3769, lng: 8.5417 }
const hour = 3_600_000

const problemOf = (count: number, budgetMillis: number): PlanProblem => ({
  from: 0,
  before: 24 * hour,
  jobs: Array.from({ length: count }, (_, index) => ({
    tripId: TripId.make(index + 1),
    starts: index * hour,
    ends: index * hour + hour / 2,
    pickup: place,
    dropoff: place,
    carId: null,
    vehicleClass: null,
    passengers: 1,
    lastDay: "1970-01-01",
    driverId: null,
    preferredDrivers: [],
    refusedDrivers: []
  })),
  drivers: [{ driverId: DriverId.make(1), carId: null, home: place, licenseExpiresOn: null }],
  cars: [],
  busy: [],
  turnaroundMinutes: 0,
  weights: { empty_km: 1, unassigned: 1000, change: 0, preference: 0, balance: 0 },
  seed: 1,
  steps: budgetMillis > 1000 ? 1e9 : 50,
  budgetMillis
})

describe("a thread makes plans", () => {
  it.live("while its caller does other work", () =>
    Effect.gen(function* () {
      const solve = yield* PlanSolver
      let turns = 0
      const counting = yield* Effect.forkChild(
        Effect.forever(
          Effect.andThen(
            Effect.yieldNow,
            Effect.sync(() => turns++)
          )
        )
      )
      const { planned } = yield* solve(problemOf(20, 200))
      yield* Fiber.interrupt(counting)
      assert.lengthOf(planned, 20)
      assert.isAbove(turns, 100)
    }).pipe(Effect.provide(PlanThread.layer()))
  )

  it.live("and refuses more than may wait", () =>
    Effect.gen(function* () {
      const solve = yield* PlanSolver
      const running = yield* Effect.forkChild(solve(problemOf(20, 60_000)))
      yield* Effect.yieldNow
      const refused = yield* Effect.flip(solve(problemOf(1, 100)))
      assert.strictEqual(refused._tag, "TooManyRequests")
      yield* Fiber.interrupt(running)
      assert.lengthOf((yield* solve(problemOf(3, 100))).planned, 3)
    }).pipe(Effect.provide(PlanThread.layer({ waiting: 0 })))
  )
})
