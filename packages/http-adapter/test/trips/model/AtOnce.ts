/** Commands at once: what comes of them has to be what one order of the same commands, one by one, would give. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { isDeepStrictEqual } from "node:util"
import type { Answer, Command, Reported } from "./Command.ts"
import { assertSound } from "./Invariants.ts"
import { eventsSince, inRows, onPaper } from "./Paper.ts"
import { orders, outcomeOf } from "./Reference.ts"
import type { Subject } from "./Subject.ts"
import type { World } from "./World.ts"

/** The part of an answer that does not depend on concurrent requests. */
const essence = (world: World, command: Command, answer: Answer): string => {
  // Who was let in by a token, or as a driver, may lose that while the report waits: how it is refused is then another's.
  if (command.act === "report" && command.by !== "operator")
    return answer.reported === "ok" ? "ok" : "refused"
  // Warnings describe the state before the request; they are exact if the business enforces them.
  if (answer.reported === "ok" && world.policy !== "enforce") return "ok"
  return `${answer.reported} ${answer.named.join()}`
}

interface Course {
  readonly world: World
  readonly answers: ReadonlyArray<string>
  readonly events: ReadonlyArray<Reported>
}

/** What the reference makes of the commands in that order; answers are in the commands' own order. */
const course = (world: World, commands: ReadonlyArray<Command>, order: ReadonlyArray<number>): Course => {
  const answers: Array<string> = []
  const events: Array<Reported> = []
  let standing = world
  for (const index of order) {
    const command = commands[index]
    if (command === undefined) continue
    const outcome = outcomeOf(standing, command)
    answers[index] = essence(world, command, outcome.answer)
    events.push(...outcome.events)
    standing = outcome.world
  }
  return { world: standing, answers, events: events.toSorted() }
}

/** Carries commands out at once; gives the world of an order that explains what came of it. */
export const atOnce = Effect.fnUntraced(function* (
  subject: Subject,
  { sent, world }: { readonly world: World; readonly sent: number },
  commands: ReadonlyArray<Command>
) {
  const given = yield* Effect.forEach(commands, subject.run, { concurrency: "unbounded" })
  const answers = commands.map((command, index) => {
    const answer = given[index]
    return answer === undefined ? "" : essence(world, command, answer)
  })
  const sentNow = yield* eventsSince(subject.businessId, sent, subject.made)
  const rows: unknown = yield* inRows(subject.businessId, subject.made)
  yield* assertSound(subject.businessId)
  const came = { answers, events: sentNow.toSorted() }
  const explained = orders(commands.map((_, index) => index))
    .map((order) => course(world, commands, order))
    .find(
      (one) =>
        isDeepStrictEqual(one.answers, came.answers) &&
        isDeepStrictEqual(one.events, came.events) &&
        isDeepStrictEqual(onPaper(one.world), rows)
    )
  if (explained === undefined)
    return assert.fail(
      `no order of ${JSON.stringify(commands)} in ${JSON.stringify(world)} gives ${JSON.stringify({ ...came, rows })}`
    )
  return { world: explained.world, sent: sent + sentNow.length, answers }
})
