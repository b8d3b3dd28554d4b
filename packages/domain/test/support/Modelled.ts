/** Compares records on the ports in memory with their models. */
import { assert } from "@effect/vitest"
import { Effect, Result } from "effect"
import type { ModelAnswer, Take } from "../../../../test/support/models/Model.ts"

const statuses: Readonly<Record<string, ModelAnswer>> = {
  NotFound: 404,
  Conflict: 409,
  IllegalTransition: 422,
  InvalidInput: 422
}

/** A record: takes a step, and compares itself with its model. `path` names the steps so far. */
export interface Modelled<M, Step> {
  readonly take: (step: Step) => Effect.Effect<unknown, unknown>
  readonly compare: (model: M, path: string) => Effect.Effect<void>
}

/** Takes the steps one after the other, and compares the answer and the record with the model after each. */
export const followModel = Effect.fnUntraced(function* <M, Step>(
  record: Modelled<M, Step>,
  { start, take }: { readonly start: M; readonly take: Take<M, Step> },
  steps: ReadonlyArray<Step>
) {
  let model = start
  for (const [index, step] of steps.entries()) {
    const path = `${steps.slice(0, index).join(", ")}, then ${String(step)}`
    const { after, answer } = take(model, step)
    const taken = yield* Effect.result(record.take(step))
    assert.strictEqual(
      Result.isSuccess(taken) ? "ok" : statuses[(taken.failure as { readonly _tag: string })._tag],
      answer,
      path
    )
    model = after
    yield* record.compare(model, path)
  }
})
