/** The port that stores drivers. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessId, DriverId, UserId } from "../../kernel/Ids.ts"
import type { Page, PageRequest } from "../../kernel/Page.ts"
import type { TripWindow } from "../../trips/trip/TripWindow.ts"
import type { BusyWindow } from "./BusyWindow.ts"
import type { FleetFilter } from "../cars/Car.ts"
import type { Driver, DriverProfile } from "./Driver.ts"

/**
 * No method returns a deleted driver.
 *
 * - `insert`: stores a driver that is created at `now`.
 * - `list`: a page of the business's drivers by name, then id.
 * - `find`: the business's driver with that id; `None` if it is absent or another business's.
 * - `lock`: the same, and locks the driver until the transaction ends. Lock the driver's car first
 *   (`CarRepository.lockActive`).
 * - `lockForDelete`: the same, and nothing can begin to refer to the driver either.
 * - `update`: replaces the profile of a locked driver.
 * - `linkAccount`: lets a user account sign in as the locked driver; false, without a change, if the account already
 *   signs in as another driver of the business.
 * - `remove`: deletes a driver that is locked for delete, with its invitations, and unlinks its account. The row is
 *   deleted if nothing refers to it, and else kept with `deleted_at`.
 * - `busyWindows`: the windows of the driver's live assignments that overlap `within`, the earliest first.
 */
export class DriverRepository extends Context.Service<
  DriverRepository,
  {
    readonly insert: (
      businessId: BusinessId,
      driver: DriverProfile,
      now: DateTime.Utc
    ) => Effect.Effect<Driver>
    readonly list: (
      businessId: BusinessId,
      filter: FleetFilter,
      page: PageRequest
    ) => Effect.Effect<Page<Driver>>
    readonly find: (businessId: BusinessId, driverId: DriverId) => Effect.Effect<Option.Option<Driver>>
    readonly lock: (businessId: BusinessId, driverId: DriverId) => Effect.Effect<Option.Option<Driver>>
    readonly lockForDelete: (
      businessId: BusinessId,
      driverId: DriverId
    ) => Effect.Effect<Option.Option<Driver>>
    readonly update: (
      businessId: BusinessId,
      driverId: DriverId,
      profile: DriverProfile,
      now: DateTime.Utc
    ) => Effect.Effect<Driver>
    readonly linkAccount: (
      businessId: BusinessId,
      driverId: DriverId,
      userId: UserId,
      now: DateTime.Utc
    ) => Effect.Effect<boolean>
    readonly remove: (businessId: BusinessId, driverId: DriverId, now: DateTime.Utc) => Effect.Effect<void>
    readonly busyWindows: (
      businessId: BusinessId,
      driverId: DriverId,
      within: TripWindow
    ) => Effect.Effect<ReadonlyArray<BusyWindow>>
  }
>()("@livery/domain/DriverRepository") {}
