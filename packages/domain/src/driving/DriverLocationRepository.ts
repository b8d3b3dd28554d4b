/** The port that stores where drivers are. */
import { Context, type Effect } from "effect"
import type { BusinessId, TripId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { Position } from "../tracking/Position.ts"
import type { DriverPosition, Reporter } from "./DriverLocation.ts"

/** Reports of one phone, in the order in which it sent them. */
export interface LocationReport {
  readonly reporter: Reporter
  readonly positions: ReadonlyArray<Position>
}

/** What became of a report: how many of its positions were recorded, and for which trips. */
export interface RecordedReport {
  readonly positions: number
  readonly trips: ReadonlyArray<TripId>
}

/**
 * - `record`: keeps every position whose reporter has an assignment under way at that moment that was so already when
 *   it was measured, give or take {@link clockToleranceSeconds}, and tells of each report, in their order, how many
 *   those were and for which trips. A position becomes the assignment's last one unless that was measured later; what
 *   was recorded before counts and is not recorded again. It is stored when this answers. Any number of them at once,
 *   also on several nodes, end with the newest position.
 * - `ofBusiness`: the last position of every driver under way, by driver, then by assignment.
 */
export class DriverLocationRepository extends Context.Service<
  DriverLocationRepository,
  {
    readonly record: (reports: ReadonlyArray<LocationReport>) => Effect.Effect<ReadonlyArray<RecordedReport>>
    readonly ofBusiness: (businessId: BusinessId, page: PageRequest) => Effect.Effect<Page<DriverPosition>>
  }
>()("@livery/domain/DriverLocationRepository") {}
