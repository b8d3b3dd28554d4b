/** The ports that store drivers, the seats that are paid for them, and what they are invited with. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { DriverCount } from "../business/PlanAllowance.ts"
import type { BusinessId, DriverId, UserId } from "../kernel/Ids.ts"
import type { Money } from "../kernel/money/Money.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { BusyWindow } from "./Availability.ts"
import type { FleetFilter } from "./Car.ts"
import type { Driver, DriverProfile } from "./Driver.ts"

/**
 * What was deleted is absent to all of these.
 *
 * - `insert`: a new driver at that time.
 * - `list`: the business's drivers by name, then id.
 * - `find`: the business's driver of that id; `None` if absent or another business's.
 * - `hold`: the same, and nobody else changes it until the transaction ends. Hold a car that the driver is to have
 *   before (`CarRepository.hold`).
 * - `holdAlone`: the same, and nothing can begin to refer to it either.
 * - `update`: how a held driver stands from now on.
 * - `link`: the account signs in as the held driver from now on; false, and nothing changed, if it does as another
 *   driver of the business.
 * - `remove`: deletes a driver who is held alone: really where nothing refers to it, else out of sight for good. Its
 *   account and its invitations are no longer connected with it.
 * - `busy`: the live assignments of a driver that take up some of the time from `from` until before `before`, the
 *   earliest first.
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
    readonly hold: (businessId: BusinessId, driverId: DriverId) => Effect.Effect<Option.Option<Driver>>
    readonly holdAlone: (businessId: BusinessId, driverId: DriverId) => Effect.Effect<Option.Option<Driver>>
    readonly update: (
      businessId: BusinessId,
      driverId: DriverId,
      standing: DriverProfile,
      now: DateTime.Utc
    ) => Effect.Effect<Driver>
    readonly link: (
      businessId: BusinessId,
      driverId: DriverId,
      userId: UserId,
      now: DateTime.Utc
    ) => Effect.Effect<boolean>
    readonly remove: (businessId: BusinessId, driverId: DriverId, now: DateTime.Utc) => Effect.Effect<void>
    readonly busy: (
      businessId: BusinessId,
      driverId: DriverId,
      from: DateTime.Utc,
      before: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<BusyWindow>>
  }
>()("@livery/domain/DriverRepository") {}

/**
 * The seats that a business pays for beyond its plan's drivers. Use it while the plan is held.
 *
 * - `count`: how many active drivers the business has, and how many seats.
 * - `take`: a seat for a driver from then on, at that price a month.
 * - `end`: so many seats end then: the driver's own first, if one is named, then the youngest.
 */
export class SeatRepository extends Context.Service<
  SeatRepository,
  {
    readonly count: (businessId: BusinessId) => Effect.Effect<DriverCount>
    readonly take: (
      businessId: BusinessId,
      driverId: DriverId,
      price: Money,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    readonly end: (
      businessId: BusinessId,
      count: number,
      ownOf: DriverId | undefined,
      now: DateTime.Utc
    ) => Effect.Effect<void>
  }
>()("@livery/domain/SeatRepository") {}
