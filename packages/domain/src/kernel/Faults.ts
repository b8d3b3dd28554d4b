/**
 * Faults of the service that a client can react to. They are defects: no use case handles them. An adapter may raise
 * one as the `cause` of an error of its own.
 */
import { Cause, Effect, Schema } from "effect"

/** The work could not be done and changed nothing. The client may retry later. */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", {
  reason: Schema.String,
  retryAfterSeconds: Schema.Int,
  /** Whether an operator has caused it on purpose, for a short time. */
  isPlanned: Schema.optionalKey(Schema.Boolean),
  cause: Schema.optionalKey(Schema.Defect())
}) {
  override get message() {
    return `${this.reason}; nothing was changed, and it is safe to try again`
  }
}

/** The connection to the database broke while a change was committed, so the change may or may not be saved. */
export class OutcomeUnknown extends Schema.TaggedError<OutcomeUnknown>()("OutcomeUnknown", {
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return (
      "It is unknown whether the change was saved: the connection to the database broke meanwhile. Read the record " +
      "before sending the request again, or send it with an Idempotency-Key, with which it is carried out only once"
    )
  }
}

/** A fault that a client can react to. */
export type Fault = Unavailable | OutcomeUnknown

const isFault = Schema.is(Schema.Union([Unavailable, OutcomeUnknown]))

/** The limit of the search through causes, deeper than any real chain. */
const maxDepth = 8

const errorIn = <A>(error: unknown, is: (error: unknown) => error is A): A | undefined => {
  let current = error
  for (let depth = 0; depth < maxDepth && current !== undefined; depth++) {
    if (is(current)) return current
    current = current instanceof Error ? current.cause : undefined
  }
  return undefined
}

/** The error of a kind in a failure's chain of causes, at any depth; `undefined` if there is none. */
export const causedBy = <A>(
  cause: Cause.Cause<unknown>,
  is: (error: unknown) => error is A
): A | undefined => {
  for (const reason of cause.reasons) {
    const found =
      reason._tag === "Die"
        ? errorIn(reason.defect, is)
        : reason._tag === "Fail"
          ? errorIn(reason.error, is)
          : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** The fault in a failure's chain of causes, at any depth; `undefined` if there is none. */
export const faultOf = (cause: Cause.Cause<unknown>): Fault | undefined => causedBy(cause, isFault)

/**
 * Work that follows a step which cannot be undone, such as a refund at the payment provider: its fault may not say that
 * nothing was changed, so it becomes an {@link OutcomeUnknown}.
 */
export const afterChange = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.catchCause(work, (cause) => {
    const fault = faultOf(cause)
    return fault?._tag === "Unavailable"
      ? Effect.die(new OutcomeUnknown({ retryAfterSeconds: fault.retryAfterSeconds }))
      : Effect.failCause(cause)
  })

/**
 * Logs a failure of a worker as a warning, with its cause; the cause of a timeout is left out, because its trace is
 * useless. A failure that comes from a `Fault` is logged at debug level only, because every worker fails and retries during
 * an outage, and the adapter of the unavailable service logs the outage once a minute.
 */
export const logFailure = (message: string, cause: Cause.Cause<unknown>) => {
  if (faultOf(cause) !== undefined) return Effect.logDebug(message, cause)
  const isTimeout = cause.reasons.some(
    (reason) => reason._tag === "Fail" && Cause.isTimeoutError(reason.error)
  )
  return isTimeout ? Effect.logWarning(message, { reason: "timeout" }) : Effect.logWarning(message, cause)
}
