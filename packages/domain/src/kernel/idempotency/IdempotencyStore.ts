/** The port that stores the responses of idempotent requests. */
import { Context, Duration, type Effect, type Option } from "effect"
import { Conflict } from "../Errors.ts"

/** How long a response is kept. */
export const responseRetention = Duration.hours(24)

/** How long a repeated request waits for the first one to end. */
export const repeatTimeout = Duration.seconds(10)

/**
 * The stored record of a key: the digest of the request, and its response as the caller of `Idempotency` serialised it.
 */
export interface StoredResponse {
  readonly content: string
  readonly response: string
}

/** The refusal of a repeated request if the first one has not ended within {@link repeatTimeout}. */
export const stillRunning = () =>
  new Conflict({ reason: "A request with this Idempotency-Key is still running; try again in a moment" })

/** The refusal of a request whose stored response cannot be opened, because the installation's secret has changed. */
export const responseUnreadable = () =>
  new Conflict({
    reason: "A request with this Idempotency-Key was carried out, but its response can no longer be read"
  })

/**
 * Stores responses sealed, under the digest of caller and key. Every method runs in the caller's transaction.
 *
 * - `claim`: claims the key, waiting for a transaction that holds it. `Some` if a response is stored that is not older
 *   than {@link responseRetention}; `None` if the key is now claimed. Waits for {@link repeatTimeout} at most and then
 *   fails with {@link stillRunning}; fails with {@link responseUnreadable} if the response cannot be opened.
 * - `save`: stores the response of a claimed key.
 * - `release`: gives a claimed key up without a response.
 */
export class IdempotencyStore extends Context.Service<
  IdempotencyStore,
  {
    readonly claim: (key: string) => Effect.Effect<Option.Option<StoredResponse>, Conflict>
    readonly save: (key: string, stored: StoredResponse) => Effect.Effect<void>
    readonly release: (key: string) => Effect.Effect<void>
  }
>()("@livery/domain/IdempotencyStore") {}
