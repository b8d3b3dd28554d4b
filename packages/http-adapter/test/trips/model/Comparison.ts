/** Runs a sequence on the real system and on the model, and compares them after each command. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Command } from "./Command.ts"
import { assertInvariants } from "./Invariants.ts"
import { eventsSince, storedState, expectedState } from "./State.ts"
import { outcomeOf } from "./Reference.ts"
import { commandOf, prelude, type Step } from "./Step.ts"
import { passTime, possibleCommand, type Subject, descriptionOf } from "./Subject.ts"
import { emptyModel, type Model } from "./Model.ts"

/** Runs one command, and fails if the model differs. Returns the model after it, and the number of events so far. */
const compareOne = Effect.fnUntraced(function* (
  subject: Subject,
  model: Model,
  command: Command,
  sent: number
) {
  const expected = outcomeOf(model, command)
  yield* passTime
  const answer = yield* subject.run(command)
  const what = `${JSON.stringify(answer)} to ${descriptionOf(model, command)}`
  assert.deepStrictEqual(answer, expected.answer, what)
  const events = yield* eventsSince(subject.businessId, sent, subject.made)
  assert.deepStrictEqual(events.toSorted(), expected.events.toSorted(), what)
  const expectedRows: unknown = expectedState(expected.model)
  const rows: unknown = yield* storedState(subject.businessId, subject.made)
  assert.deepStrictEqual(rows, expectedRows, what)
  yield* assertInvariants(subject.businessId)
  return { model: expected.model, sent: sent + events.length }
})

/** Runs commands on an empty business. Returns the model and the number of events. */
export const compareCommands = Effect.fnUntraced(function* (
  subject: Subject,
  commands: ReadonlyArray<Command>
) {
  let standing = { model: emptyModel, sent: 0 }
  for (const command of commands)
    standing = yield* compareOne(subject, standing.model, command, standing.sent)
  return standing
})

/** Runs random steps. Returns the model and the number of events. */
export const compareSteps = Effect.fnUntraced(function* (subject: Subject, steps: ReadonlyArray<Step>) {
  let standing = yield* compareCommands(subject, prelude(steps[0]?.policy))
  for (const step of steps) {
    const command = possibleCommand(commandOf(step, standing.model))
    standing = yield* compareOne(subject, standing.model, command, standing.sent)
  }
  return standing
})
