/** The port that reads the dispatch board. */
import { Context, type DateTime, type Effect } from "effect"
import type { ClashPolicy } from "../business/ClashPolicy.ts"
import type { BusinessId, DriverId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { BoardJob } from "./BoardJob.ts"
import { isNotCancelled, type TripStatus } from "./TripStatus.ts"

/** Whether a board lists trips of this status unless the caller asks for another. */
export const isListedOnBoard = isNotCancelled

/** Which jobs a board holds. `from` is inclusive, `before` exclusive. */
export interface BoardQuery {
  readonly from: DateTime.Utc
  readonly before: DateTime.Utc
  /** Default: every status that {@link isListedOnBoard}. */
  readonly status?: TripStatus | undefined
  /** Only trips with an assignment of this driver that is not cancelled. */
  readonly driverId?: DriverId | undefined
}

/** A page of a board, and the business's clash policy. */
export interface BoardPage extends Page<BoardJob> {
  readonly policy: ClashPolicy
}

/**
 * - `jobs`: a page of the business's jobs, by pickup time, then by id. Live assignments and open trips come with their
 *   clashes, of any day, by pickup time.
 */
export class DispatchBoardRepository extends Context.Service<
  DispatchBoardRepository,
  {
    readonly jobs: (businessId: BusinessId, query: BoardQuery, page: PageRequest) => Effect.Effect<BoardPage>
  }
>()("@livery/domain/DispatchBoardRepository") {}
