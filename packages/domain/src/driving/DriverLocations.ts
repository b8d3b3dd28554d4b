/** Drivers tell where they are, and dispatchers see it (specification, Signed-in driver routes; Dispatch). */
import { Context, DateTime, Effect, Layer } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import type { ActingDriver, AssignedDriver } from "../identity/SignedInDriver.ts"
import { InvalidInput } from "../kernel/Errors.ts"
import type { FieldIssue } from "../kernel/fields/FieldIssue.ts"
import { makeAwaitedBatchWriter } from "../kernel/concurrency/BatchWriter.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import {
  driverLocationRecord,
  type DriverLocationRecord,
  isFromTheFuture,
  type LocationBatchInput,
  type LocationBatchReceipt,
  type LocationInput,
  type LocationReceipt,
  positionOf
} from "./DriverLocation.ts"
import { DriverLocationRepository, type LocationReport } from "./DriverLocationRepository.ts"
import { TripWatch } from "../tracking/TripWatch.ts"

/** How many positions one write holds. */
const positionsPerWrite = 2000

/**
 * - `report`: records where a driver is, for every assignment that is `en_route` and was so when it was measured, or for
 *   the one that a driver token is for; `recorded` is false where there is none. It is stored once this answers.
 *   `InvalidInput` for a report from the future.
 * - `reportAll`: the same of many reports, in any order, each by itself; one from the future refuses them all.
 * - `list`: the last position of every driver of the business who is under way, by driver.
 */
export class DriverLocations extends Context.Service<
  DriverLocations,
  {
    readonly report: (
      driver: ActingDriver | AssignedDriver,
      input: LocationInput
    ) => Effect.Effect<LocationReceipt, InvalidInput>
    readonly reportAll: (
      driver: ActingDriver | AssignedDriver,
      input: LocationBatchInput
    ) => Effect.Effect<LocationBatchReceipt, InvalidInput>
    readonly list: (acting: ActingBusiness, page: PageRequest) => Effect.Effect<Page<DriverLocationRecord>>
  }
>()("@livery/domain/DriverLocations") {
  static readonly layer = Layer.effect(
    DriverLocations,
    Effect.gen(function* () {
      const locations = yield* DriverLocationRepository
      const watch = yield* TripWatch
      const write = yield* makeAwaitedBatchWriter({
        weight: ({ positions }: LocationReport) => positions.length,
        maxWeight: positionsPerWrite,
        write: locations.record
      })

      const record = Effect.fnUntraced(function* (
        driver: ActingDriver | AssignedDriver,
        inputs: ReadonlyArray<LocationInput>,
        fieldOf: (index: number) => string
      ) {
        const now = yield* DateTime.now
        const positions = inputs.map((input) => positionOf(input, now))
        const issues = positions.flatMap((position, index): ReadonlyArray<FieldIssue> =>
          isFromTheFuture(position, now) ? [{ field: fieldOf(index), issue: "out_of_range" }] : []
        )
        if (issues.length > 0) return yield* new InvalidInput({ issues })
        const { business_id } = driver.business
        const recorded = yield* write({
          reporter: {
            business_id,
            driver_id: driver.driver_id,
            assignment_id: "assignment_id" in driver ? driver.assignment_id : null
          },
          positions
        })
        yield* watch.changed(recorded.trips.map((tripId) => ({ businessId: business_id, tripId })))
        return recorded.positions
      })

      return DriverLocations.of({
        report: Effect.fn("DriverLocations.report")(function* (driver, input) {
          return { recorded: (yield* record(driver, [input], () => "recorded_at")) > 0 }
        }),
        reportAll: Effect.fn("DriverLocations.reportAll")(function* (driver, { locations: inputs }) {
          return { recorded: yield* record(driver, inputs, (index) => `locations.${index}.recorded_at`) }
        }),
        list: Effect.fn("DriverLocations.list")(function* (acting, request) {
          const found = yield* locations.ofBusiness(acting.business_id, request)
          const now = yield* DateTime.now
          return { ...found, items: found.items.map((driver) => driverLocationRecord(driver, now)) }
        })
      })
    })
  )
}
