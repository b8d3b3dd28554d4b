/** The port that stores the terms on which drivers are paid, and finds the trips that they are paid for. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessId, DriverId } from "../../kernel/Ids.ts"
import type { PaidTrip } from "./DriverStatement.ts"
import type { DatedPayScheme, DriverTerms } from "./DriverTerms.ts"

/**
 * - `find`: the terms of the business's driver with that id, also of a deleted one who has had trips; `None` if the
 *   driver is absent or another business's.
 * - `store`: replaces the schemes of a locked driver at `now`.
 * - `completedTrips`: the completed trips of the driver whose pickup is within the given time, by pickup, then id.
 *   Of a reopened trip, only assignments after the reopening count.
 */
export class DriverPayRepository extends Context.Service<
  DriverPayRepository,
  {
    readonly find: (businessId: BusinessId, driverId: DriverId) => Effect.Effect<Option.Option<DriverTerms>>
    readonly store: (
      businessId: BusinessId,
      driverId: DriverId,
      schemes: ReadonlyArray<DatedPayScheme>,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    readonly completedTrips: (
      businessId: BusinessId,
      driverId: DriverId,
      within: { readonly from: DateTime.Utc; readonly before: DateTime.Utc }
    ) => Effect.Effect<ReadonlyArray<PaidTrip>>
  }
>()("@livery/domain/DriverPayRepository") {}
