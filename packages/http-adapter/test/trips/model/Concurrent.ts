/** Runs commands concurrently. The result must equal that of the same commands in some order, one after the other. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { isDeepStrictEqual } from "node:util"
import type { Answer, Command, Reported } from "./Command.ts"
import { assertInvariants } from "./Invariants.ts"
import { eventsSince, storedState, expectedState } from "./State.ts"
import { orders, outcomeOf } from "./Reference.ts"
import type { Subject } from "./Subject.ts"
import type { Model } from "./Model.ts"

/** The part of an answer that does not depend on concurrent requests. */
const comparablePart = (model: Model, command: Command, answer: Answer): string => {
  // A driver's or a token's access may end while the report waits, so the kind of its refusal depends on other
  // commands.
  if (command.act === "report" && command.by !== "operator")
    return answer.reported === "ok" ? "ok" : "refused"
  // Warnings describe the state before the request; they are exact if the business enforces them.
  if (answer.reported === "ok" && model.policy !== "enforce") return "ok"
  return `${answer.reported} ${answer.named.join()}`
}

interface Course {
  readonly model: Model
  readonly answers: ReadonlyArray<string>
  readonly events: ReadonlyArray<Reported>
}

/** The outcome of the model for the commands in that order. Answers are in the order of `commands`. */
const course = (model: Model, commands: ReadonlyArray<Command>, order: ReadonlyArray<number>): Course => {
  const answers: Array<string> = []
  const events: Array<Reported> = []
  let standing = model
  for (const index of order) {
    const command = commands[index]
    if (command === undefined) continue
    const outcome = outcomeOf(standing, command)
    answers[index] = comparablePart(model, command, outcome.answer)
    events.push(...outcome.events)
    standing = outcome.model
  }
  return { model: standing, answers, events: events.toSorted() }
}

/**
 * Runs commands concurrently. Returns the model after an order of them that has the same outcome, and fails if there
 * is none.
 */
export const runConcurrently = Effect.fnUntraced(function* (
  subject: Subject,
  { sent, model }: { readonly model: Model; readonly sent: number },
  commands: ReadonlyArray<Command>
) {
  const given = yield* Effect.forEach(commands, subject.run, { concurrency: "unbounded" })
  const answers = commands.map((command, index) => {
    const answer = given[index]
    return answer === undefined ? "" : comparablePart(model, command, answer)
  })
  const sentNow = yield* eventsSince(subject.businessId, sent, subject.made)
  const rows: unknown = yield* storedState(subject.businessId, subject.made)
  yield* assertInvariants(subject.businessId)
  const came = { answers, events: sentNow.toSorted() }
  const explained = orders(commands.map((_, index) => index))
    .map((order) => course(model, commands, order))
    .find(
      (one) =>
        isDeepStrictEqual(one.answers, came.answers) &&
        isDeepStrictEqual(one.events, came.events) &&
        isDeepStrictEqual(expectedState(one.model), rows)
    )
  if (explained === undefined)
    return assert.fail(
      `no order of ${JSON.stringify(commands)} in ${JSON.stringify(model)} gives ${JSON.stringify({ ...came, rows })}`
    )
  return { model: explained.model, sent: sent + sentNow.length, answers }
})
