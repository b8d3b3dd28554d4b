/** The port that stores the positions of drivers. */
import { Context, type Effect } from "effect"
import type { BusinessId, TripId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { Position } from "../tracking/Position.ts"
import type { DriverPosition, Reporter } from "./DriverLocation.ts"

/** The positions that one phone sent, in that order. */
export interface LocationReport {
  readonly reporter: Reporter
  readonly positions: ReadonlyArray<Position>
}

/** The number of positions stored from a report, and the trips that they belong to. */
export interface RecordedReport {
  readonly positions: number
  readonly trips: ReadonlyArray<TripId>
}

/**
 * - `record`: stores each position whose reporter has an assignment `en_route` that was already `en_route` at the time
 *   of the measurement, with a tolerance of {@link clockToleranceSeconds}. A reporter with a token needs a valid one: that
 *   of a live assignment of an active business, whose trip and driver are not deleted. Returns one result per report, in their
 *   order, once the positions are stored; a position that was stored before counts and is not stored again. The newest
 *   position by time of measurement becomes the assignment's last one. Concurrent writes converge on the newest
 *   position, across nodes too.
 * - `ofBusiness`: the last position of every driver `en_route`, by driver, then by assignment.
 */
export class DriverLocationRepository extends Context.Service<
  DriverLocationRepository,
  {
    readonly record: (reports: ReadonlyArray<LocationReport>) => Effect.Effect<ReadonlyArray<RecordedReport>>
    readonly ofBusiness: (businessId: BusinessId, page: PageRequest) => Effect.Effect<Page<DriverPosition>>
  }
>()("@livery/domain/DriverLocationRepository") {}
