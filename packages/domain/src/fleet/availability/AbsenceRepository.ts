/** The port that stores the absences of drivers. */
import { Context, type DateTime, type Effect } from "effect"
import type { AbsenceId, BusinessId, DriverId } from "../../kernel/Ids.ts"
import type { Page, PageRequest } from "../../kernel/Page.ts"
import type { TripWindow } from "../../trips/trip/TripWindow.ts"
import type { Absence } from "./Absence.ts"

/** The time for which absences are listed: those that end after `from` and start before `to`. */
export interface AbsenceTimes {
  readonly from?: DateTime.Utc | undefined
  readonly to?: DateTime.Utc | undefined
}

/**
 * - `insert`: stores an absence of a driver for each window, in their order.
 * - `list`: a page of the driver's absences, the earliest first.
 * - `during`: a page of the absences of all drivers that overlap a window, the earliest first.
 * - `find`: those of the driver's absences that have these ids, the earliest first.
 * - `within`: the driver's absences that overlap a window, the earliest first.
 * - `remove`: deletes absences of the business.
 */
export class AbsenceRepository extends Context.Service<
  AbsenceRepository,
  {
    readonly insert: (
      businessId: BusinessId,
      driverId: DriverId,
      absence: Pick<Absence, "kind" | "note">,
      windows: ReadonlyArray<TripWindow>,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<Absence>>
    readonly list: (
      businessId: BusinessId,
      driverId: DriverId,
      times: AbsenceTimes,
      page: PageRequest
    ) => Effect.Effect<Page<Absence>>
    readonly during: (
      businessId: BusinessId,
      window: TripWindow,
      page: PageRequest
    ) => Effect.Effect<Page<Absence>>
    readonly find: (
      businessId: BusinessId,
      driverId: DriverId,
      absenceIds: ReadonlyArray<AbsenceId>
    ) => Effect.Effect<ReadonlyArray<Absence>>
    readonly within: (
      businessId: BusinessId,
      driverId: DriverId,
      window: TripWindow
    ) => Effect.Effect<ReadonlyArray<Absence>>
    readonly remove: (businessId: BusinessId, absenceIds: ReadonlyArray<AbsenceId>) => Effect.Effect<void>
  }
>()("@livery/domain/AbsenceRepository") {}
