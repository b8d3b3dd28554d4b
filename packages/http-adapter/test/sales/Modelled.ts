/** Compares records over HTTP with their models. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { explanations, type ModelAnswer, type Take } from "../../../../test/support/models/Model.ts"
import type { Answer } from "../support/TestServer.ts"

/** A record over HTTP, with functions that take its steps and read it in the form of its model. */
export interface Modelled<M, Step, E, R> {
  readonly take: (step: Step) => Effect.Effect<Answer | undefined, E, R>
  readonly read: Effect.Effect<M, E, R>
}

/** The answer in the form of a model. A step without a request counts as a success. */
const modelAnswer = (answer: Answer | undefined): ModelAnswer => {
  if (answer === undefined || answer.status < 300) return "ok"
  assert.include([404, 409, 422], answer.status, answer.fault ?? answer.text)
  return answer.status as ModelAnswer
}

/** Takes the steps one after the other, and compares each answer and then the record with the model. */
export const follow = Effect.fnUntraced(function* <M, Step extends string, E, R>(
  { read, take }: Modelled<M, Step, E, R>,
  model: { readonly start: M; readonly take: Take<M, Step> },
  steps: ReadonlyArray<Step>
) {
  let current = model.start
  for (const [index, step] of steps.entries()) {
    const cell = `${steps.slice(0, index).join(", ")}, then ${step}`
    const { after, answer } = model.take(current, step)
    const received = yield* take(step)
    assert.strictEqual(modelAnswer(received), answer, `${cell}: ${received?.text}`)
    current = after
    assert.deepStrictEqual(yield* read, current, cell)
  }
  return current
})

/** Takes the steps concurrently. Fails unless the same steps in some order have these answers and leave this record. */
export const takeConcurrently = Effect.fnUntraced(function* <M, Step extends string, E, R>(
  { read, take }: Modelled<M, Step, E, R>,
  model: { readonly before: M; readonly take: Take<M, Step> },
  steps: ReadonlyArray<Step>
) {
  const answered = yield* Effect.forEach(
    steps,
    (step) => Effect.map(take(step), (answer) => ({ step, answer: modelAnswer(answer) })),
    { concurrency: "unbounded" }
  )
  const after = yield* read
  const possible = explanations(model.take, model.before, answered)
  const described = JSON.stringify({ before: model.before, answered, after })
  assert.isNotEmpty(possible, `no order of the steps has these answers: ${described}`)
  assert.deepInclude(possible, after, `no order of the steps leaves this record: ${described}`)
  return answered
})
