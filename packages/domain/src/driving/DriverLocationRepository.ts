/** The port that stores where drivers are. */
import { Context, type Effect } from "effect"
import type { BusinessId, TripId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { DriverPosition, Position, Reporter } from "./DriverLocation.ts"

/** Reports of one phone, in the order in which it sent them. */
export interface LocationReport {
  readonly reporter: Reporter
  readonly positions: ReadonlyArray<Position>
}

/**
 * - `record`: keeps every report whose reporter has an assignment under way at that moment, and tells for each of them,
 *   in their order, the trips that it was recorded for: none if there is no such assignment. A position becomes the
 *   assignment's last one unless that was measured later; what was recorded before is not recorded again. It is
 *   stored when this answers. Any number of them at once, also on several nodes, end with the newest position.
 * - `ofBusiness`: the last position of every driver under way, by driver, then by assignment.
 */
export class DriverLocationRepository extends Context.Service<
  DriverLocationRepository,
  {
    readonly record: (
      reports: ReadonlyArray<LocationReport>
    ) => Effect.Effect<ReadonlyArray<ReadonlyArray<TripId>>>
    readonly ofBusiness: (businessId: BusinessId, page: PageRequest) => Effect.Effect<Page<DriverPosition>>
  }
>()("@livery/domain/DriverLocationRepository") {}
