/** The port that reads the dispatch board. */
import { Context, DateTime, type Effect } from "effect"
import type { ClashPolicy } from "../../business/ClashPolicy.ts"
import { InvalidInput } from "../../kernel/Errors.ts"
import type { BusinessId, DriverId, TripId } from "../../kernel/Ids.ts"
import type { Page, PageRequest } from "../../kernel/Page.ts"
import type { BoardJob, BoardPosition } from "./BoardJob.ts"
import type { Trip } from "../trip/Trip.ts"
import type { TripCriteria } from "./TripCriteria.ts"
import { isNotCancelled, isOpenTrip, isStarted, type TripStatus } from "../trip/TripStatus.ts"
import { overlaps, windowOf } from "../trip/TripWindow.ts"

/** Whether a board that is not filtered by status lists trips in this status. */
export const isListedOnBoard = isNotCancelled

/** Whether a trip in this status is overdue once its pickup has passed: it has neither started nor ended. */
export const awaitsStart = (status: TripStatus): boolean => isOpenTrip(status) && !isStarted(status)

/** The jobs of a board: those that meet the criteria and whose window overlaps the time from `from` to `before`. */
export interface BoardQuery extends TripCriteria {
  readonly from: DateTime.Utc
  readonly before: DateTime.Utc
  /** If set, the board also holds every job under way and every job that is overdue at this instant. */
  readonly now?: DateTime.Utc | undefined
  /** Default: every status for which {@link isListedOnBoard} holds. */
  readonly status?: TripStatus | undefined
}

/** Whether the time of a trip puts it on the board, regardless of its other fields. */
export const isAtBoardTime = (
  trip: Pick<Trip, "status" | "trip_date" | "duration_minutes">,
  { before, from, now }: BoardQuery
): boolean =>
  overlaps(windowOf(trip), { starts: from, ends: before }) ||
  (now !== undefined &&
    (isStarted(trip.status) || (awaitsStart(trip.status) && DateTime.isLessThan(trip.trip_date, now))))

/** Whether the time and the status of a trip put it on the board, regardless of its other fields. */
export const isOnBoard = (
  trip: Pick<Trip, "status" | "trip_date" | "duration_minutes">,
  query: BoardQuery
): boolean =>
  isAtBoardTime(trip, query) &&
  (query.status === undefined ? isListedOnBoard(trip.status) : trip.status === query.status)

/** A page of a board, with the business's clash policy and turnaround. */
export interface BoardPage extends Page<BoardJob> {
  readonly clashPolicy: ClashPolicy
  readonly turnaroundMinutes: number
}

/** The most jobs of a board on which filters are tested. */
export const maxJobsTested = 5000

/** The refusal of a board of which more than {@link maxJobsTested} jobs have to be tested. */
export const boardTooLong = () =>
  new InvalidInput({
    issues: [{ field: "to", issue: "out_of_range" }],
    advice: "Ask for a shorter time: filters are tested on at most 5,000 jobs."
  })

/** A trip that was changed or deleted at `at`. */
export interface ChangedTrip {
  readonly businessId: BusinessId
  readonly tripId: TripId
  readonly at: DateTime.Utc
}

/** The newest position of a driver who is under way. */
export interface ReportedPosition {
  readonly businessId: BusinessId
  readonly tripId: TripId
  readonly driverId: DriverId
  readonly position: BoardPosition
}

/** What happened lately in some businesses. */
export interface BoardChanges {
  readonly trips: ReadonlyArray<ChangedTrip>
  readonly positions: ReadonlyArray<ReportedPosition>
}

/** The most changed trips of a business that {@link DispatchBoardRepository} returns, the newest first. */
export const maxChangedTrips = 200

/**
 * - `jobs`: a page of the business's jobs, by pickup time, then by id. {@link boardTooLong} for a query with criteria
 *   whose time has more than {@link maxJobsTested} jobs. A live assignment and an open trip have their
 *   clashes, of any day, by pickup time, and their neighbours: the last trip that ends before and the first that starts
 *   after, each within a day.
 * - `changes`: the trips of those businesses that were changed or deleted after `trips`, at most {@link maxChangedTrips} of
 *   each business, and the positions that were received after `positions`. It fails if those of one business cannot be read.
 */
export class DispatchBoardRepository extends Context.Service<
  DispatchBoardRepository,
  {
    readonly jobs: (
      businessId: BusinessId,
      query: BoardQuery,
      page: PageRequest
    ) => Effect.Effect<BoardPage, InvalidInput>
    readonly changes: (
      businessIds: ReadonlyArray<BusinessId>,
      after: { readonly trips: DateTime.Utc; readonly positions: DateTime.Utc }
    ) => Effect.Effect<BoardChanges>
  }
>()("@livery/domain/DispatchBoardRepository") {}
