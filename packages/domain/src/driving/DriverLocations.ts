/** Drivers report their positions, dispatchers list them (docs/api/driving.md). */
import { Context, DateTime, Effect, Layer } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import type { ActingDriver, AssignedDriver } from "../identity/ActingDriver.ts"
import { makeAwaitedBatchWriter } from "../kernel/concurrency/BatchWriter.ts"
import { mapPage, type Page, type PageRequest } from "../kernel/Page.ts"
import {
  driverLocationRecord,
  type DriverLocationRecord,
  type LocationBatchInput,
  type LocationBatchReceipt,
  type LocationInput,
  type LocationReceipt,
  positionsOf
} from "./DriverLocation.ts"
import { DriverLocationRepository, type LocationReport } from "./DriverLocationRepository.ts"
import { TripWatch } from "../tracking/TripWatch.ts"
import { traced } from "../kernel/TracedFunction.ts"

/** One write stores at most this many positions. */
const maxPositionsPerWrite = 2000

/**
 * - `report`: stores the driver's position for each assignment that is `en_route` and was so at the time of the
 *   measurement; with a driver token, for the token's assignment only, and only while the token is valid. `recorded` is
 *   false if there is none. The report is stored when the effect succeeds.
 * - `reportAll`: the same for many reports, in any order.
 * - `list`: the last position of every driver of the business who is `en_route`, by driver.
 */
export class DriverLocations extends Context.Service<
  DriverLocations,
  {
    readonly report: (
      driver: ActingDriver | AssignedDriver,
      input: LocationInput
    ) => Effect.Effect<LocationReceipt>
    readonly reportAll: (
      driver: ActingDriver | AssignedDriver,
      input: LocationBatchInput
    ) => Effect.Effect<LocationBatchReceipt>
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
        maxWeight: maxPositionsPerWrite,
        write: locations.record
      })

      const record = Effect.fnUntraced(function* (
        driver: ActingDriver | AssignedDriver,
        inputs: ReadonlyArray<LocationInput>
      ) {
        const { ahead, positions } = positionsOf(inputs, yield* DateTime.now)
        const { business_id } = driver.business
        const recorded = yield* write({
          reporter: {
            business_id,
            driver_id: driver.driver_id,
            assignment_id: "assignment_id" in driver ? driver.assignment_id : null,
            token_hash: "token_hash" in driver ? driver.token_hash : null
          },
          positions
        })
        yield* watch.notify(recorded.trips.map((tripId) => ({ businessId: business_id, tripId })))
        return { recorded: recorded.positions, ahead }
      })

      return DriverLocations.of({
        report: traced("DriverLocations.report")(function* (driver, input) {
          const { ahead, recorded } = yield* record(driver, [input])
          return { recorded: recorded > 0, ...(ahead > 0 && { clock_ahead: true as const }) }
        }),
        reportAll: traced("DriverLocations.reportAll")(function* (driver, { locations: inputs }) {
          const { ahead, recorded } = yield* record(driver, inputs)
          return { recorded, ...(ahead > 0 && { clock_ahead: ahead }) }
        }),
        list: traced("DriverLocations.list")(function* (acting, request) {
          const positions = yield* locations.ofBusiness(acting.business_id, request)
          const now = yield* DateTime.now
          return mapPage(positions, (position) => driverLocationRecord(position, now))
        })
      })
    })
  )
}
