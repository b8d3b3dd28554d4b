import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { extent } from "../../../../../test/faults/support/Extent.ts"
import { Ports } from "../../support/TestPorts.ts"
import { runConcurrently } from "./Concurrent.ts"
import { byUseCase, CommandUseCases } from "./ByUseCase.ts"
import { byHttp, ServerAndPeople } from "./ByHttp.ts"
import type { Command } from "./Command.ts"
import { checkInputs } from "./Sequences.ts"
import { commandOf, Step } from "./Step.ts"
import { possibleCommand, type Subject } from "./Subject.ts"
import { compareSteps, compareCommands } from "./Comparison.ts"
import { allowance, crewOf } from "./Model.ts"

const races = Number(process.env["LIVERY_TEST_TRIP_RACES"] ?? extent(25, 10))
const runs = Math.ceil(Number(process.env["LIVERY_TEST_MODEL_RUNS"] ?? extent(80, 30)) / 2)

/** A few steps one after the other, then rounds of two or three concurrent ones, all about one trip. */
const Race = Schema.Struct({
  before: Schema.Array(Step).check(Schema.isMaxLength(8)),
  rounds: Schema.Array(Schema.Array(Step).check(Schema.isMinLength(2), Schema.isMaxLength(3))).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(6)
  )
})

/** Steps that create records or set the policy run alone, because the index of a record depends on their order. */
const together: Readonly<Partial<Record<Step["act"], Step["act"]>>> = {
  hire: "assign one more",
  buy: "cancel",
  book: "assign",
  request: "confirm",
  duplicate: "complete",
  "set policy": "set off"
}

const race = Effect.fnUntraced(function* (subject: Subject, { before, rounds }: typeof Race.Type) {
  let standing = yield* compareSteps(subject, before)
  for (const steps of rounds) {
    const { model } = standing
    const trip = steps[0]?.trip ?? 0
    const commands = steps.map((step) =>
      possibleCommand(commandOf({ ...step, act: together[step.act] ?? step.act, trip }, model))
    )
    standing = yield* runConcurrently(subject, standing, commands)
  }
})

/** Two drivers, and a trip of one of them. */
const opening: ReadonlyArray<Command> = [
  { act: "hire", active: true, confirmSeat: false },
  { act: "hire", active: true, confirmSeat: false },
  { act: "book", slot: 0, minutes: null, car: null },
  { act: "assign", trip: 0, drivers: [0], force: false }
]

const complete: Command = { act: "set status", trip: 0, status: "completed" }
const cancel: Command = { act: "set status", trip: 0, status: "cancelled" }

layer(Layer.merge(CommandUseCases, ServerAndPeople.layer).pipe(Layer.provideMerge(Ports)), {
  timeout: 60_000
})("at once", (it) => {
  /** Runs a race repeatedly, each time in a new business, alternately by the use cases and over HTTP. */
  const repeatedly = <E, R>(body: (subject: Subject) => Effect.Effect<void, E, R>) =>
    Effect.gen(function* () {
      for (let index = 0; index < races; index++)
        yield* body(index % 2 === 0 ? yield* byUseCase : yield* byHttp)
    })

  it.effect(
    "concurrent steps of two or three callers have the result of one of their orders",
    () =>
      checkInputs(Race, { runs, size: 10 }, (input) => Effect.flatMap(byUseCase, (it) => race(it, input))),
    { timeout: 3_600_000 }
  )

  it.effect(
    "of completing and cancelling one trip one wins, the other is refused, and one of the two events is sent",
    () =>
      repeatedly(
        Effect.fnUntraced(function* (subject) {
          const before = yield* compareCommands(subject, opening)
          const { answers, model } = yield* runConcurrently(subject, before, [complete, cancel])
          assert.lengthOf(
            answers.filter((answer) => answer.startsWith("ok")),
            1
          )
          assert.include(answers, "invalid_request status illegal_transition")
          assert.strictEqual(model.trips[0]?.status, answers[0]?.startsWith("ok") ? "completed" : "cancelled")
        })
      ),
    { timeout: 3_600_000 }
  )

  it.effect(
    "a trip that is cancelled while drivers are assigned has no live assignment",
    () =>
      repeatedly(
        Effect.fnUntraced(function* (subject) {
          const before = yield* compareCommands(subject, opening)
          const { model } = yield* runConcurrently(subject, before, [
            { act: "assign", trip: 0, drivers: [0, 1], force: false },
            cancel,
            { act: "assign", trip: 0, drivers: [1], force: false }
          ])
          assert.deepStrictEqual(crewOf(model.trips[0] ?? { parts: [] }), [])
        })
      ),
    { timeout: 3_600_000 }
  )

  it.effect(
    "two drivers who complete a trip at once complete it once",
    () =>
      repeatedly(
        Effect.fnUntraced(function* (subject) {
          const by = ["session", "token"] as const
          const setOff = by.map(
            (by, driver) => ({ act: "report", trip: 0, driver, by, status: "en_route" }) as const
          )
          const before = yield* compareCommands(subject, [
            ...opening,
            { act: "assign", trip: 0, drivers: [0, 1], force: false },
            ...setOff
          ])
          const { answers, model } = yield* runConcurrently(
            subject,
            before,
            setOff.map((report) => ({ ...report, status: "completed" }) as const)
          )
          assert.deepStrictEqual(answers, ["ok", "ok"])
          assert.strictEqual(model.trips[0]?.status, "completed")
        })
      ),
    { timeout: 3_600_000 }
  )

  it.effect(
    "of two trips that want one driver for one hour one gets that driver, where clashes are refused",
    () =>
      repeatedly(
        Effect.fnUntraced(function* (subject) {
          const before = yield* compareCommands(subject, [
            { act: "set policy", policy: "enforce" },
            ...opening.slice(0, 3),
            { act: "book", slot: 1, minutes: null, car: null },
            { act: "book", slot: 6, minutes: null, car: null },
            { act: "assign", trip: 2, drivers: [0], force: false }
          ])
          const { answers } = yield* runConcurrently(subject, before, [
            { act: "assign", trip: 0, drivers: [0, 1], force: false },
            { act: "assign", trip: 1, drivers: [1, 0], force: false },
            { act: "change", trip: 2, changes: { slot: 0 }, force: false }
          ])
          assert.lengthOf(
            answers.filter((answer) => answer.startsWith("ok")),
            1
          )
        })
      ),
    { timeout: 3_600_000 }
  )

  it.effect(
    "deleting a driver or a car while trips take it does not deadlock",
    () =>
      repeatedly(
        Effect.fnUntraced(function* (subject) {
          let standing = yield* compareCommands(subject, [
            ...opening,
            { act: "buy", active: true },
            { act: "change", trip: 0, changes: { car: 0 }, force: false },
            { act: "book", slot: 4, minutes: null, car: 0 },
            { act: "assign", trip: 1, drivers: [0, 1], force: false }
          ])
          standing = yield* runConcurrently(subject, standing, [
            { act: "dismiss", driver: 0, force: true },
            { act: "assign", trip: 1, drivers: [0], force: false },
            { act: "assign", trip: 0, drivers: [1, 0], force: false }
          ])
          yield* runConcurrently(subject, standing, [
            { act: "sell", car: 0, force: true },
            { act: "delete", trip: 0, force: true },
            { act: "change", trip: 1, changes: { car: 0, slot: 6 }, force: false }
          ])
        })
      ),
    { timeout: 3_600_000 }
  )

  it.effect(
    "of 20 drivers, or cars, made at once at the allowance minus one, one is made",
    () =>
      Effect.gen(function* () {
        for (const subject of [yield* byUseCase, yield* byHttp]) {
          const hire: Command = { act: "hire", active: true, confirmSeat: false }
          const buy: Command = { act: "buy", active: true }
          for (const [command, limit, refusal] of [
            [hire, allowance.drivers, "plan_limit_exceeded"],
            [buy, allowance.cars, "usage_limit_reached"]
          ] as const) {
            for (let index = 1; index < limit; index++) yield* subject.run(command)
            const answers = yield* Effect.all(
              Array.from({ length: 20 }, () => subject.run(command)),
              { concurrency: "unbounded" }
            )
            assert.deepStrictEqual(answers.map(({ reported: received }) => received).toSorted(), [
              "ok",
              ...Array.from({ length: 19 }, () => refusal)
            ])
          }
        }
      }),
    { timeout: 120_000 }
  )
})
