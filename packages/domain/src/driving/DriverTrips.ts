/** What drivers do with their own jobs (specification, Signed-in driver routes; Per-assignment driver token routes). */
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import type { ActingDriver, AssignedDriver } from "../identity/SignedInDriver.ts"
import { type Conflict, type InvalidInput, NotFound } from "../kernel/Errors.ts"
import type { TripId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import { type Precondition, unconditional } from "../kernel/Precondition.ts"
import type { IllegalTransition } from "../kernel/StateMachine.ts"
import { Transaction } from "../kernel/Transaction.ts"
import { endOfDay, startOfDay, wallClock } from "../kernel/time/WallClock.ts"
import { type AssignmentReport, AssignmentStatus } from "../trips/Assignment.ts"
import { Assignments } from "../trips/Assignments.ts"
import { type DriverProfileRecord, driverTripRecord, type DriverTripRecord } from "./DriverTrip.ts"
import { DriverTripRepository } from "./DriverTripRepository.ts"
import { TripWatch } from "../tracking/TripWatch.ts"

/**
 * The filters of `GET /me/driver/trips`: what is still to be done (under way, or assigned with time left), what is not;
 * the status of the driver's own part.
 */
export const DriverTripFilter = Schema.Struct({
  filter: Schema.optionalKey(Schema.Literals(["upcoming", "previous"])),
  status: Schema.optionalKey(AssignmentStatus)
})
export type DriverTripFilter = typeof DriverTripFilter.Type

/**
 * - `list`: a page of the driver's jobs, the soonest first; `previous` ones the latest first.
 * - `get`: one job; `NotFound` if the trip is not the driver's.
 * - `report`: a status or a milestone of the driver's own part, and the job as it is then. `IllegalTransition` where the
 *   table does not let a driver do that; `Conflict` where a precondition does not hold.
 * - `profile`: the driver, how much there is to do, and the cars.
 */
export class DriverTrips extends Context.Service<
  DriverTrips,
  {
    readonly list: (
      driver: ActingDriver,
      filter: DriverTripFilter,
      page: PageRequest
    ) => Effect.Effect<Page<DriverTripRecord>>
    readonly get: (driver: ActingDriver, tripId: TripId) => Effect.Effect<DriverTripRecord, NotFound>
    readonly report: (
      driver: ActingDriver | AssignedDriver,
      tripId: TripId,
      report: AssignmentReport,
      precondition?: Precondition<DriverTripRecord>
    ) => Effect.Effect<DriverTripRecord, NotFound | InvalidInput | IllegalTransition | Conflict>
    readonly profile: (driver: ActingDriver) => Effect.Effect<DriverProfileRecord>
  }
>()("@livery/domain/DriverTrips") {
  static readonly layer = Layer.effect(
    DriverTrips,
    Effect.gen(function* () {
      const trips = yield* DriverTripRepository
      const assignments = yield* Assignments
      const transaction = yield* Transaction
      const watch = yield* TripWatch

      const job = Effect.fnUntraced(function* ({ business, driver_id }: ActingDriver, tripId: TripId) {
        const found = yield* trips.find(business.business_id, driver_id, tripId)
        if (Option.isNone(found)) return yield* new NotFound({ resource: "trip" })
        return found.value
      })

      const get = Effect.fn("DriverTrips.get")(function* (driver: ActingDriver, tripId: TripId) {
        return driverTripRecord(yield* job(driver, tripId), driver.business.timezone)
      })

      const list = Effect.fn("DriverTrips.list")(function* (
        { business, driver_id }: ActingDriver,
        filter: DriverTripFilter,
        request: PageRequest
      ) {
        const order = filter.filter === "previous" ? "latest" : "soonest"
        const query = { ...filter, now: yield* DateTime.now, order } as const
        const found = yield* trips.list(business.business_id, driver_id, query, request)
        return { ...found, items: found.items.map((trip) => driverTripRecord(trip, business.timezone)) }
      })

      const report = Effect.fn("DriverTrips.report")(function* (
        driver: ActingDriver | AssignedDriver,
        tripId: TripId,
        told: AssignmentReport,
        precondition: Precondition<DriverTripRecord> = unconditional
      ) {
        const { business } = driver
        return yield* transaction.run(
          Effect.gen(function* () {
            const { assignment_id } = "assignment_id" in driver ? driver : yield* job(driver, tripId)
            // Asked with the trip held: what the driver saw cannot change between this and the report.
            const guard = get(driver, tripId).pipe(
              Effect.flatMap(precondition),
              Effect.catchTag("NotFound", () => Effect.void)
            )
            yield* assignments
              .report(business, assignment_id, told, "driver", guard)
              .pipe(Effect.catchTag("NotFound", () => Effect.fail(new NotFound({ resource: "trip" }))))
            yield* transaction.afterCommit(watch.changed([{ businessId: business.business_id, tripId }]))
            return yield* get(driver, tripId)
          })
        )
      })

      const profile = Effect.fn("DriverTrips.profile")(function* ({ business, driver_id }: ActingDriver) {
        const { business_id, business_name, timezone } = business
        const now = yield* DateTime.now
        const today = wallClock(now, timezone).slice(0, 10)
        const day = yield* trips.day(business_id, driver_id, {
          now,
          starts: startOfDay(today, timezone),
          ends: endOfDay(today, timezone)
        })
        return { driver_id, business: { business_id, business_name }, ...day }
      })

      return DriverTrips.of({ list, get, report, profile })
    })
  )
}
