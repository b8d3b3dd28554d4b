/** Walks through a sequence with the real thing and the reference side by side. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Command } from "./Command.ts"
import { assertSound } from "./Invariants.ts"
import { eventsSince, inRows, onPaper } from "./Paper.ts"
import { outcomeOf } from "./Reference.ts"
import { commandOf, prelude, type Step } from "./Step.ts"
import { letPass, practicable, type Subject, reported } from "./Subject.ts"
import { emptyWorld, type World } from "./World.ts"

/** Carries out one command; gives what the reference makes of it, having found nothing that differs. */
const walkOne = Effect.fnUntraced(function* (subject: Subject, world: World, command: Command, sent: number) {
  const expected = outcomeOf(world, command)
  yield* letPass
  const answer = yield* subject.run(command)
  const what = `${JSON.stringify(answer)} to ${reported(world, command)}`
  assert.deepStrictEqual(answer, expected.answer, what)
  const events = yield* eventsSince(subject.businessId, sent, subject.made)
  assert.deepStrictEqual(events.toSorted(), expected.events.toSorted(), what)
  const paper: unknown = onPaper(expected.world)
  const rows: unknown = yield* inRows(subject.businessId, subject.made)
  assert.deepStrictEqual(rows, paper, what)
  yield* assertSound(subject.businessId)
  return { world: expected.world, sent: sent + events.length }
})

/** Walks through commands from an empty business on; gives the world and how many events were sent. */
export const walkCommands = Effect.fnUntraced(function* (subject: Subject, commands: ReadonlyArray<Command>) {
  let standing = { world: emptyWorld, sent: 0 }
  for (const command of commands) standing = yield* walkOne(subject, standing.world, command, standing.sent)
  return standing
})

/** Walks through random steps; gives the world and how many events were sent. */
export const walk = Effect.fnUntraced(function* (subject: Subject, steps: ReadonlyArray<Step>) {
  let standing = yield* walkCommands(subject, prelude(steps[0]?.policy))
  for (const step of steps) {
    const command = practicable(commandOf(step, standing.world))
    standing = yield* walkOne(subject, standing.world, command, standing.sent)
  }
  return standing
})
