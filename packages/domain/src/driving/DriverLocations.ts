/** Drivers report their positions, dispatchers list them (docs/api/driving.md). */
import { Context, DateTime, Effect, Layer } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import type { ActingDriver, AssignedDriver } from "../identity/users/ActingDriver.ts"
import { makeAwaitedBatchWriter } from "../kernel/concurrency/BatchWriter.ts"
import { mapPage, type PageRequest } from "../kernel/Page.ts"
import {
  driverLocationRecord,
  type LocationBatchInput,
  type LocationInput,
  positionsOf
} from "./DriverLocation.ts"
import { DriverLocationRepository, type LocationReport } from "./DriverLocationRepository.ts"
import { TripWatch } from "../tracking/TripWatch.ts"
import { traced } from "../kernel/TracedFunction.ts"

/** One write stores at most this many positions. */
const maxPositionsPerWrite = 2000

export class DriverLocations extends Context.Service<DriverLocations>()("@livery/domain/DriverLocations", {
  make: Effect.gen(function* () {
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

    return {
      /**
       * Stores the driver's position for each assignment that is `en_route` and was so at the time of the measurement;
       * with a driver token, for the token's assignment only, and only while the token is valid. `recorded` is false
       * if there is none. The report is stored when the effect succeeds.
       */
      report: traced("DriverLocations.report")(function* (
        driver: ActingDriver | AssignedDriver,
        input: LocationInput
      ) {
        const { ahead, recorded } = yield* record(driver, [input])
        return { recorded: recorded > 0, ...(ahead > 0 && { clock_ahead: true as const }) }
      }),

      /** The same for many reports, in any order. */
      reportAll: traced("DriverLocations.reportAll")(function* (
        driver: ActingDriver | AssignedDriver,
        { locations: inputs }: LocationBatchInput
      ) {
        const { ahead, recorded } = yield* record(driver, inputs)
        return { recorded, ...(ahead > 0 && { clock_ahead: ahead }) }
      }),

      /** The last position of every driver of the business who is `en_route`, by driver. */
      list: traced("DriverLocations.list")(function* (acting: ActingBusiness, request: PageRequest) {
        const positions = yield* locations.ofBusiness(acting.business_id, request)
        const now = yield* DateTime.now
        return mapPage(positions, (position) => driverLocationRecord(position, now))
      })
    }
  })
}) {
  static readonly layer = Layer.effect(DriverLocations, DriverLocations.make)
}
