/** The use cases of drivers' own jobs (docs/api/driving.md). */
import { Context, DateTime, Effect, Layer } from "effect"
import type { ActingDriver, AssignedDriver } from "../identity/users/ActingDriver.ts"
import { NotFound, orNotFound } from "../kernel/Errors.ts"
import type { TripId } from "../kernel/Ids.ts"
import { mapPage, type PageRequest } from "../kernel/Page.ts"
import { type Precondition, unconditional } from "../kernel/Precondition.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { endOfDay, localDay, startOfDay } from "../kernel/time/WallClock.ts"
import type { AssignmentReport } from "../trips/trip/Assignment.ts"
import { Assignments } from "../trips/assignments/Assignments.ts"
import { TripWatch } from "../tracking/TripWatch.ts"
import { driverTripRecord, type DriverTripRecord } from "./DriverTrip.ts"
import { makeRequirePin } from "./RequiredPin.ts"
import { DriverTripRepository } from "./DriverTripRepository.ts"
import { traced } from "../kernel/TracedFunction.ts"
import type { DriverTripFilter } from "./DriverTripFilter.ts"

export class DriverTrips extends Context.Service<DriverTrips>()("@livery/domain/DriverTrips", {
  make: Effect.gen(function* () {
    const trips = yield* DriverTripRepository
    const assignments = yield* Assignments
    const transaction = yield* Transaction
    const watch = yield* TripWatch
    const requirePin = yield* makeRequirePin

    const job = Effect.fnUntraced(function* ({ business, driver_id }: ActingDriver, tripId: TripId) {
      return yield* orNotFound("trip")(yield* trips.find(business.business_id, driver_id, tripId))
    })

    const get = traced("DriverTrips.get")(function* (driver: ActingDriver, tripId: TripId) {
      return driverTripRecord(yield* job(driver, tripId), driver.business.timezone)
    })

    const report = traced("DriverTrips.report")(function* (
      driver: ActingDriver | AssignedDriver,
      tripId: TripId,
      report: AssignmentReport,
      precondition: Precondition<DriverTripRecord> = unconditional
    ) {
      const { business } = driver
      yield* requirePin(
        business.business_id,
        tripId,
        report,
        Effect.map(job(driver, tripId), ({ milestones }) => milestones)
      )
      return yield* atomically(transaction, function* () {
        const { assignment_id } = "assignment_id" in driver ? driver : yield* job(driver, tripId)
        // Runs after the trip is locked, so the job cannot change between the check and the report.
        const guard = get(driver, tripId).pipe(
          Effect.flatMap(precondition),
          Effect.catchTag("NotFound", () => Effect.void)
        )
        yield* assignments
          .report(business, assignment_id, report, "driver", guard)
          .pipe(Effect.catchTag("NotFound", () => Effect.fail(new NotFound({ resource: "trip" }))))
        yield* transaction.afterCommit(watch.notify([{ businessId: business.business_id, tripId }]))
        return yield* get(driver, tripId)
      })
    })

    return {
      /** A page of the driver's jobs, the soonest first; with `previous`, the latest first. */
      list: traced("DriverTrips.list")(function* (
        { business, driver_id }: ActingDriver,
        filter: DriverTripFilter,
        request: PageRequest
      ) {
        const query = {
          filter: filter.filter,
          status: filter.status,
          now: yield* DateTime.now,
          order: filter.filter === "previous" ? "latest" : "soonest"
        } as const
        return mapPage(yield* trips.list(business.business_id, driver_id, query, request), (trip) =>
          driverTripRecord(trip, business.timezone)
        )
      }),

      /** One job; `NotFound` if the trip was never assigned to the driver. */
      get,

      /**
       * Changes the status of the driver's own assignment or adds a milestone, and returns the job.
       * `ConfirmationRequired` for a start long before the pickup; `IllegalTransition` for a change that the table
       * does not let drivers make; `Conflict` if the precondition fails, or after too many wrong codes of the passenger.
       */
      report,

      /** The driver, the numbers of trips, and the cars. */
      profile: traced("DriverTrips.profile")(function* ({ business, driver_id }: ActingDriver) {
        const { business_id, business_name, timezone } = business
        const now = yield* DateTime.now
        const today = localDay(now, timezone)
        const day = yield* trips.day(business_id, driver_id, {
          now,
          starts: startOfDay(today, timezone),
          ends: endOfDay(today, timezone)
        })
        return { driver_id, business: { business_id, business_name }, ...day }
      })
    }
  })
}) {
  static readonly layer = Layer.effect(DriverTrips, DriverTrips.make)
}
