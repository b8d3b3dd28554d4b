/** The port that reads the dispatch board. */
import { Context, DateTime, type Effect } from "effect"
import type { ClashPolicy } from "../business/ClashPolicy.ts"
import type { BusinessId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { BoardJob } from "./BoardJob.ts"
import type { Trip } from "./Trip.ts"
import type { TripCriteria } from "./TripCriteria.ts"
import { isNotCancelled, isOpenTrip, isStarted, type TripStatus } from "./TripStatus.ts"
import { overlaps, windowOf } from "./TripWindow.ts"

/** Whether a board lists trips of this status unless the caller asks for another. */
export const isListedOnBoard = isNotCancelled

/** Whether a trip in this status is overdue once its pickup has passed: it has neither started nor ended. */
export const awaitsStart = (status: TripStatus): boolean => isOpenTrip(status) && !isStarted(status)

/** Which jobs a board holds: those whose window overlaps the time from `from` to `before`, if they meet the criteria. */
export interface BoardQuery extends TripCriteria {
  readonly from: DateTime.Utc
  readonly before: DateTime.Utc
  /** If set, the board also holds every job under way and every job that is overdue at this instant. */
  readonly now?: DateTime.Utc | undefined
  /** Default: every status that {@link isListedOnBoard}. */
  readonly status?: TripStatus | undefined
}

/** Whether a trip is on the board by its time, regardless of its other fields. */
export const isAtTimeOf = (
  trip: Pick<Trip, "status" | "trip_date" | "duration_minutes">,
  { before, from, now }: BoardQuery
): boolean =>
  overlaps(windowOf(trip), { starts: from, ends: before }) ||
  (now !== undefined &&
    (isStarted(trip.status) || (awaitsStart(trip.status) && DateTime.isLessThan(trip.trip_date, now))))

/** A page of a board, and the business's clash policy and turnaround in minutes. */
export interface BoardPage extends Page<BoardJob> {
  readonly policy: ClashPolicy
  readonly turnaround: number
}

/**
 * - `jobs`: a page of the business's jobs, by pickup time, then by id. Live assignments and open trips come with their
 *   clashes, of any day, by pickup time, and with their neighbours: the last trip that ends before, and the first that
 *   starts after, within a day.
 */
export class DispatchBoardRepository extends Context.Service<
  DispatchBoardRepository,
  {
    readonly jobs: (businessId: BusinessId, query: BoardQuery, page: PageRequest) => Effect.Effect<BoardPage>
  }
>()("@livery/domain/DispatchBoardRepository") {}
