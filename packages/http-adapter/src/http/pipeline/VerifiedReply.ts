/** The check of a credential that was put off until its request was handled (the trait `provenBy`). */
import { Effect } from "effect"
import type { RequestState } from "@livery/contract"
import type { Reply } from "../responses/Reply.ts"

/** Notes whether a handler's value proves that the caller's credential is valid. */
export const noteProof = (value: unknown, state: RequestState): void => {
  if (state.verify !== undefined && state.traits.provenBy?.(value) === true) state.verify = undefined
}

/** The reply, after the look-up of the credential if nothing has proved it valid. */
export const verified = (
  reply: Effect.Effect<Reply, unknown>,
  state: RequestState
): Effect.Effect<Reply, unknown> =>
  state.verify === undefined
    ? reply
    : Effect.matchCauseEffect(reply, {
        onSuccess: (value) =>
          state.verify === undefined ? Effect.succeed(value) : Effect.as(state.verify, value),
        onFailure: (cause) =>
          state.verify === undefined
            ? Effect.failCause(cause)
            : Effect.andThen(state.verify, Effect.failCause(cause))
      })
