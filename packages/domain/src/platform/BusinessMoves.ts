/** What the port `ImportedBusinesses` stores of moves of businesses between installations: from this one, and to it. */
import { type DateTime, type Effect, type Option, Schema } from "effect"
import type { BusinessId } from "../kernel/Ids.ts"
import { type RowValues, type TableSums, TableSum } from "./BusinessRows.ts"

/**
 * - `copying`: the business is copied. This installation is its home, and its data takes no changes.
 * - `aborting`: the move was given up. This installation is its home; the copy at the target is to be discarded.
 * - `moved`: the target is its home. This installation has a copy, and redirects.
 * - `finished`: the copy is erased, and this installation redirects.
 */
export const MoveState = Schema.Literals(["copying", "aborting", "moved", "finished"])
export type MoveState = typeof MoveState.Type

/** A move of a business from this installation to another one. */
export interface StoredMove {
  readonly business_id: BusinessId
  /** Random: it names the move on both installations. */
  readonly move_id: string
  /** The address of the target, without a slash at its end. */
  readonly target_url: string
  readonly state: MoveState
  /** Whether the business was active before. */
  readonly was_active: boolean
  readonly target_business_id: number | null
  /** The slug of the booking page at the target. */
  readonly target_slug: string | null
  /** Since when the target is its home; null before. */
  readonly moved_at: DateTime.Utc | null
  /** The rows as they were moved; null until then. */
  readonly sums: TableSums | null
}

/** The sums of tables, as they are stored. */
export const StoredSums = Schema.Record(Schema.String, TableSum)

/** An API key of a business, without the key. */
export const MovedKey = Schema.Struct({
  key_hash: Schema.String,
  masked_key: Schema.String,
  created_at: Schema.String,
  last_used_at: Schema.NullOr(Schema.String)
})
export type MovedKey = typeof MovedKey.Type

/** A webhook endpoint with its secret, which is not encrypted here. */
export const MovedEndpoint = Schema.Struct({
  endpoint_id: Schema.Int,
  url: Schema.String,
  events: Schema.Array(Schema.String),
  status: Schema.Literals(["enabled", "disabled"]),
  secret: Schema.String,
  created_at: Schema.String,
  updated_at: Schema.String
})
export type MovedEndpoint = typeof MovedEndpoint.Type

/** What lets programs of a business continue at its new home. */
export interface MovedCredentials {
  readonly keys: ReadonlyArray<MovedKey>
  readonly endpoints: ReadonlyArray<MovedEndpoint>
  /** The position of the last event. The next one at the new home gets the next position. */
  readonly last_position: number
}

/** What stays at the old installation, by kind: how many records of each. */
export type LeftBehind = Readonly<Record<string, number>>

/** Why a business cannot be moved now, or its copy not be erased: the number of what must end first. */
export interface Unfinished {
  /** Payments by card that the provider has not decided. */
  readonly card_payments: number
  /** Webhook deliveries that are not delivered and have not failed. */
  readonly deliveries: number
  /** Imports of tables that run. */
  readonly imports: number
  /** Erasures of persons that run. */
  readonly erasures: number
}

/**
 * - `alone`: runs work on the move of a business. `None` if another program does so at the moment. It fails if the database lets
 *   another program begin.
 * - `find`: the move of a business; `None` if it never moved from here.
 * - `start`: stores a move as `copying`. The stored one, if the business has one already.
 * - `pause`: from its end on, no change of the business's data commits, whichever process makes it, except a change of this port;
 *   those that had begun have ended. It can be repeated.
 * - `unpause`: ends that.
 * - `complete`: the target is the home of the business from this commit on, and the business is suspended here. False, and no
 *   change, unless the move with that id is `copying`.
 * - `abort`: `copying` becomes `aborting`. False, and no change, in any other state but `aborting`.
 * - `remove`: forgets an aborted move.
 * - `finish`: erases all data of a `moved` business except its row, its links' key, its API keys and its members.
 * - `credentials`: its API keys and webhook endpoints, and the end of its event feed.
 * - `leftBehind`, `unfinished`: see their types.
 */
export interface MoveDepartures {
  readonly alone: <A, E, R>(
    businessId: BusinessId,
    work: Effect.Effect<A, E, R>
  ) => Effect.Effect<Option.Option<A>, E, R>
  readonly find: (businessId: BusinessId) => Effect.Effect<Option.Option<StoredMove>>
  readonly start: (
    move: Pick<StoredMove, "business_id" | "move_id" | "target_url">
  ) => Effect.Effect<StoredMove>
  readonly pause: (businessId: BusinessId) => Effect.Effect<void>
  readonly unpause: (businessId: BusinessId) => Effect.Effect<void>
  readonly complete: (
    move: Pick<StoredMove, "business_id" | "move_id">,
    target: { readonly businessId: number; readonly slug: string; readonly sums: TableSums }
  ) => Effect.Effect<boolean>
  readonly abort: (businessId: BusinessId) => Effect.Effect<boolean>
  readonly remove: (businessId: BusinessId) => Effect.Effect<void>
  readonly finish: (businessId: BusinessId) => Effect.Effect<void>
  readonly credentials: (businessId: BusinessId) => Effect.Effect<MovedCredentials>
  readonly leftBehind: (businessId: BusinessId) => Effect.Effect<LeftBehind>
  readonly unfinished: (businessId: BusinessId) => Effect.Effect<Unfinished>
}

/** `copying`: rows arrive. `complete`: all are there, and the business is suspended. `open`: this is its home. */
export const ArrivalState = Schema.Literals(["copying", "complete", "open"])

/** A move of a business to this installation. */
export interface StoredArrival {
  readonly move_id: string
  readonly business_id: BusinessId
  readonly state: typeof ArrivalState.Type
  readonly slug: string
}

/** A business of this installation, found by the key of its links. */
export interface BusinessHere {
  readonly business_id: BusinessId
  readonly slug: string
  /** The state of its move from here; null if it has not moved. */
  readonly state: MoveState | null
}

/**
 * - `find`: the move of that id.
 * - `ofBusiness`: the move of a business whose rows arrive, or are all there, and that is not open.
 * - `homeOf`: the business with that link key.
 * - `hasPlan`: whether there is a plan of that code.
 * - `reuse`: gives the row of a business that has moved away, and whose move is finished, the values of a new row, found by its link
 *   key. `None`, and no change, if there is none, or no plan of that code.
 * - `refresh`: gives the row of a business that arrives these values; false, and no change, if there is no plan of that code.
 * - `start`: stores a move as `copying`, of a business whose row was just stored.
 * - `setState`: stores the state.
 * - `becomeHome`: the state is `open`, and a former move from here is forgotten.
 * - `storeCredentials`: stores API keys, as created by that user, and webhook endpoints, and continues the event feed. The business
 *   has no other keys and endpoints then.
 * - `discard`: erases the rows of a business that is not open, and the move; also the business, unless it has been here before.
 *   False, and no change, if it is new here and the audit log or an invoice of the platform names it.
 */
export interface MoveArrivals {
  readonly find: (moveId: string) => Effect.Effect<Option.Option<StoredArrival>>
  readonly ofBusiness: (businessId: BusinessId) => Effect.Effect<Option.Option<StoredArrival>>
  readonly homeOf: (linkKey: string) => Effect.Effect<Option.Option<BusinessHere>>
  readonly hasPlan: (code: string) => Effect.Effect<boolean>
  readonly reuse: (business: RowValues, plan: string) => Effect.Effect<Option.Option<BusinessId>>
  readonly refresh: (businessId: BusinessId, business: RowValues, plan: string) => Effect.Effect<boolean>
  readonly start: (arrival: Pick<StoredArrival, "move_id" | "business_id">) => Effect.Effect<void>
  readonly setState: (moveId: string, state: typeof ArrivalState.Type) => Effect.Effect<void>
  readonly becomeHome: (arrival: Pick<StoredArrival, "move_id" | "business_id">) => Effect.Effect<void>
  readonly storeCredentials: (
    businessId: BusinessId,
    credentials: MovedCredentials,
    userId: number
  ) => Effect.Effect<void>
  readonly discard: (arrival: Pick<StoredArrival, "move_id" | "business_id">) => Effect.Effect<boolean>
}
