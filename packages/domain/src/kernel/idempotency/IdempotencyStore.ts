/** The port that stores idempotent requests and their responses. */
import { Context, type DateTime, Duration, type Effect, type Option } from "effect"
import { Conflict } from "../Errors.ts"
import type { BusinessId } from "../Ids.ts"

/** How long a repeated request waits for the first one to end. */
export const repeatTimeout = Duration.seconds(10)

/**
 * A stored request: the digest of its content, and its response as the caller of `Idempotency` serialised it.
 * `business_id` is the business whose data the response has; null, or absent in an old request, if it is no business's.
 * A request that is still running, or whose process has ended, has no response. `parts` has the serialised results of its
 * committed parts, by name.
 */
export interface StoredRequest {
  readonly business_id?: BusinessId | null
  readonly content: string
  readonly response?: string
  readonly parts: Readonly<Record<string, string>>
}

/** A request that was stored before, and when its lease ends; null if it has none. */
export interface EarlierRequest extends StoredRequest {
  readonly leased_until: DateTime.Utc | null
}

/**
 * A key that a transaction has claimed. `lease` is the number of the lease: writes under an earlier number have no effect.
 * `earlier` is the request that was stored under the key; `None` if the key was free and is now claimed.
 */
export interface ClaimedKey {
  readonly lease: number
  readonly earlier: Option.Option<EarlierRequest>
}

/** The error of a repeated request if the first one has not ended within {@link repeatTimeout}. */
export const stillRunning = () =>
  new Conflict({
    reason: "A request with this Idempotency-Key is still running; try again in a moment",
    retryAfterSeconds: 1,
    records: [{ type: "idempotency_key", state: "running" }]
  })

/** The error of a request whose stored response cannot be decrypted, because the installation's secret has changed. */
export const responseUnreadable = () =>
  new Conflict({
    reason: "A request with this Idempotency-Key was carried out, but its response can no longer be read",
    records: [{ type: "idempotency_key", state: "unreadable" }]
  })

/**
 * Stores requests sealed, under the digest of caller and key. Every method runs in the caller's transaction.
 *
 * - `claim`: claims a free key, waiting for a transaction that holds it, or reads the request that is stored under it.
 *   A key whose request was claimed longer than `retention` ago is free.
 *   Waits for {@link repeatTimeout} at most and then fails with {@link stillRunning}; fails with
 *   {@link responseUnreadable} if the stored request cannot be opened.
 * - `lease`: takes the next lease of a key, which lasts `until`, and returns its number; `None` if `lease` is not the
 *   number of the current one.
 * - `save`: stores a request under a lease; false if `lease` is not the number of the current one.
 * - `release`: releases a claimed key, unless `lease` is not the number of the current lease.
 */
export class IdempotencyStore extends Context.Service<
  IdempotencyStore,
  {
    readonly claim: (key: string, retention: Duration.Duration) => Effect.Effect<ClaimedKey, Conflict>
    readonly lease: (key: string, lease: number, until: DateTime.Utc) => Effect.Effect<Option.Option<number>>
    readonly save: (key: string, lease: number, request: StoredRequest) => Effect.Effect<boolean>
    readonly release: (key: string, lease: number) => Effect.Effect<void>
  }
>()("@livery/domain/IdempotencyStore") {}
