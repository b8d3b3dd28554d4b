/** The port that stores the businesses which an import creates, and the moves between installations. */
import { Context, type Effect, type Option } from "effect"
import type { BusinessStatus } from "../business/Business.ts"
import type { Conflict } from "../kernel/Errors.ts"
import type { BusinessId } from "../kernel/Ids.ts"
import type { MoveArrivals, MoveDepartures } from "./BusinessMoves.ts"
import type { RowValues } from "./BusinessRows.ts"

/**
 * The actions of the audit log: a business was exported, its import has begun, and it was imported. Its move to another
 * installation is complete, was given up, and its copy was erased. Its arrival from another one was discarded.
 */
export const transferActions = {
  exported: "business.exported",
  importStarted: "business.import_started",
  imported: "business.imported",
  moved: "business.moved",
  moveAborted: "business.move_aborted",
  moveFinished: "business.move_finished",
  arrivalDiscarded: "business.arrival_discarded"
} as const

/** A business that an import has created. */
export interface ImportedBusiness {
  readonly businessId: BusinessId
  /** Whether its import was completed. */
  readonly isComplete: boolean
}

/**
 * - `find`: the business of the newest import of the export with that checksum. The audit log has both: the entry
 *   `importStarted` has the checksum as `sha256`, and `imported` is there once the import is complete.
 * - `insert`: stores a new business from its row in an export, with the plan of that code. `None` if there is no such plan;
 *   `slugTaken` if another business has its slug, also under concurrent imports.
 * - `setStatus`: sets the status of a business.
 * - `departures`, `arrivals`: moves of businesses to other installations, and from there.
 *
 * Only PostgreSQL implements it.
 */
export class ImportedBusinesses extends Context.Service<
  ImportedBusinesses,
  {
    readonly find: (sha256: string) => Effect.Effect<Option.Option<ImportedBusiness>>
    readonly insert: (business: RowValues, plan: string) => Effect.Effect<Option.Option<BusinessId>, Conflict>
    readonly departures: MoveDepartures
    readonly arrivals: MoveArrivals
    readonly setStatus: (businessId: BusinessId, status: BusinessStatus) => Effect.Effect<void>
  }
>()("@livery/domain/ImportedBusinesses") {}
