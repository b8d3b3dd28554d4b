/** Changing the drivers and cars of many trips in one transaction (docs/api/trips.md). */
import { Array, Context, Effect, Layer, Result } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { newBusinessToken } from "../kernel/security/BusinessToken.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { ConfirmationRequired, InvalidInput } from "../kernel/Errors.ts"
import type { FieldIssue } from "../kernel/fields/FieldIssue.ts"
import type { BusinessId, CarId, DriverId, TripId } from "../kernel/Ids.ts"
import { Transaction } from "../kernel/Transaction.ts"
import { isDispatchable } from "./TripStatus.ts"
import { isLive } from "./Assignment.ts"
import { type AssignmentBatch, type BatchEntry, batchIssues } from "./AssignmentBatch.ts"
import { AssignmentRepository } from "./AssignmentRepository.ts"
import { assignmentRecord, type AssignmentRecord } from "./Assignments.ts"
import { makeCheckTrip } from "./Clashes.ts"
import { ScheduleRepository } from "./ScheduleRepository.ts"
import type { Trip } from "./Trip.ts"
import { TripReferences } from "./TripReferences.ts"
import { TripRepository } from "./TripRepository.ts"
import { TripUnitOfWork } from "./TripUnitOfWork.ts"

/** An entry whose trip is locked, with the difference that it makes. */
interface Planned {
  readonly at: number
  readonly entry: BatchEntry
  readonly trip: Trip
  readonly kept: Trip["drivers"]
  readonly added: ReadonlyArray<DriverId>
  readonly carId: CarId | null
}

const planOf = (entry: BatchEntry, at: number, trip: Trip): Planned => {
  const wanted = entry.driver_ids === undefined ? undefined : new Set(entry.driver_ids)
  const present = new Set(trip.drivers.map(({ driver_id }) => driver_id))
  return {
    at,
    entry,
    trip,
    kept: trip.drivers.filter((it) => wanted === undefined || wanted.has(it.driver_id) || !isLive(it)),
    added: wanted === undefined ? [] : [...wanted].filter((id) => !present.has(id)),
    carId: entry.car_id === undefined ? trip.car_id : entry.car_id
  }
}

/** The wrong references of an entry, named by its position in the batch. */
const issuesOf = (
  { added, at, entry, trip }: Planned,
  drivers: ReadonlySet<DriverId>,
  cars: ReadonlySet<CarId>
): ReadonlyArray<FieldIssue> => [
  ...(isDispatchable(trip.status) ? [] : [{ field: `${at}.trip_id`, issue: "illegal_transition" as const }]),
  ...added
    .filter((id) => !drivers.has(id))
    .map((id) => ({
      field: `${at}.driver_ids.${entry.driver_ids?.indexOf(id) ?? 0}`,
      issue: "not_found" as const
    })),
  ...(entry.car_id === undefined ||
  entry.car_id === null ||
  entry.car_id === trip.car_id ||
  cars.has(entry.car_id)
    ? []
    : [{ field: `${at}.car_id`, issue: "not_found" as const }])
]

/**
 * - `assign`: changes all trips of the batch, or none. Drivers are kept, added and removed as in `Assignments.assign`;
 *   each trip whose set of drivers changes sends one `driver.assigned`. Clashes are checked on the result, so two drivers
 *   can exchange trips. `InvalidInput` names the wrong fields by entry, as in `0.trip_id`; `ConfirmationRequired` names
 *   the clashes of entries without `force` if the business enforces its clash policy.
 */
export class BatchAssignments extends Context.Service<
  BatchAssignments,
  {
    readonly assign: (
      acting: ActingBusiness,
      batch: AssignmentBatch
    ) => Effect.Effect<ReadonlyArray<AssignmentRecord>, InvalidInput | ConfirmationRequired>
  }
>()("@livery/domain/BatchAssignments") {
  static readonly layer = Layer.effect(
    BatchAssignments,
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const assignments = yield* AssignmentRepository
      const references = yield* TripReferences
      const schedules = yield* ScheduleRepository
      const trips = yield* TripRepository
      const unitOfWork = yield* TripUnitOfWork
      const cryptography = yield* Cryptography
      const checkTrip = yield* makeCheckTrip

      /** Those of the cars that the business has and that are active, locked in order of id. */
      const lockCars = (businessId: BusinessId, batch: AssignmentBatch) => {
        const wanted = batch.flatMap(({ car_id }) =>
          car_id === undefined || car_id === null ? [] : [car_id]
        )
        const inOrder = [...new Set(wanted)].toSorted((one, other) => one - other)
        return Effect.map(
          Effect.filter(inOrder, (carId) => references.lockCar(businessId, carId)),
          (cars) => new Set(cars)
        )
      }

      /** Locks the cars, the drivers and the trips, and then checks every reference of the batch. */
      const plan = Effect.fnUntraced(function* (businessId: BusinessId, batch: AssignmentBatch) {
        const cars = yield* lockCars(businessId, batch)
        const wanted = new Set(batch.flatMap(({ driver_ids = [] }) => driver_ids))
        const drivers = new Set(yield* assignments.lockDrivers(businessId, [...wanted]))
        const ids = batch.map(({ trip_id }) => trip_id)
        const found = new Map<TripId, Trip>(
          (yield* trips.lockAll(businessId, ids)).map((trip) => [trip.trip_id, trip])
        )
        const results = batch.map((entry, at): Result.Result<Planned, ReadonlyArray<FieldIssue>> => {
          const trip = found.get(entry.trip_id)
          if (trip === undefined) return Result.fail([{ field: `${at}.trip_id`, issue: "not_found" }])
          const planned = planOf(entry, at, trip)
          const issues = issuesOf(planned, drivers, cars)
          return issues.length > 0 ? Result.fail(issues) : Result.succeed(planned)
        })
        const [planned, failed] = Array.separate(results)
        if (failed.length > 0) return yield* new InvalidInput({ issues: failed.flat() })
        return planned
      })

      /** One lock for all: a lock per trip could wait for another batch that waits for this one. */
      const lockSchedules = Effect.fnUntraced(function* (
        businessId: BusinessId,
        planned: ReadonlyArray<Planned>
      ) {
        const { clash_policy } = yield* schedules.policy(businessId)
        if (clash_policy !== "enforce") return
        const driverIds = planned.flatMap(({ added, kept }) => [
          ...kept.filter(isLive).map(({ driver_id }) => driver_id),
          ...added
        ])
        const carIds = planned.flatMap(({ carId }) => (carId === null ? [] : [carId]))
        yield* schedules.lock(businessId, {
          driverIds: [...new Set(driverIds)],
          carIds: [...new Set(carIds)]
        })
      })

      const store = Effect.fnUntraced(function* (
        acting: ActingBusiness,
        { added, carId, kept, trip }: Planned
      ) {
        const { business_id } = acting
        const tokens = yield* Effect.forEach(added, (driver_id) =>
          Effect.map(newBusinessToken("driver", business_id), (token) => ({ driver_id, ...token }))
        ).pipe(Effect.provideService(Cryptography, cryptography))
        const wanted = { ...trip, car_id: carId, drivers: kept, newDrivers: tokens }
        const committed = yield* unitOfWork.commit(acting, trip, wanted, "operator")
        return { committed, tokenOf: new Map(tokens.map(({ driver_id, token }) => [driver_id, token])) }
      })

      const check = ({ timezone }: ActingBusiness, { added, carId, entry, trip }: Planned, committed: Trip) =>
        checkTrip(
          timezone,
          committed,
          {
            drivers: committed.drivers.filter(isLive).map(({ driver_id }) => driver_id),
            decisiveDrivers: added,
            car: true,
            decisiveCar: carId !== trip.car_id || added.length > 0,
            seats: true,
            duplicates: false
          },
          entry.force === true
        )

      const assign = Effect.fn("BatchAssignments.assign")(function* (
        acting: ActingBusiness,
        batch: AssignmentBatch
      ) {
        const issues = batchIssues(batch)
        if (issues.length > 0) return yield* new InvalidInput({ issues })
        return yield* transaction.run(
          Effect.gen(function* () {
            const planned = yield* plan(acting.business_id, batch)
            yield* lockSchedules(acting.business_id, planned)
            const stored = yield* Effect.forEach(planned, (one) => store(acting, one))
            const checked = yield* Effect.forEach(planned, (one, index) =>
              Effect.result(check(acting, one, stored[index]?.committed ?? one.trip))
            )
            const refused = checked.flatMap((result, index) =>
              Result.isFailure(result)
                ? result.failure.atStake.map((clash) => ({ field: `${index}.trip_id`, ...clash }))
                : []
            )
            if (refused.length > 0)
              return yield* new ConfirmationRequired({
                reason: "A driver is away, or a driver or a car is on another trip at that time",
                atStake: refused
              })
            return stored.map(({ committed, tokenOf }, index) => {
              const result = checked[index]
              const warnings = result !== undefined && Result.isSuccess(result) ? result.success : []
              return assignmentRecord(committed, tokenOf, warnings, acting.timezone)
            })
          })
        )
      })

      return BatchAssignments.of({ assign })
    })
  ).pipe(Layer.provide(TripUnitOfWork.layer))
}
