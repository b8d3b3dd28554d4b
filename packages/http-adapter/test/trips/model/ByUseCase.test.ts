import { assert, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Ports } from "../../support/TestPorts.ts"
import { byUseCase, Office } from "./ByUseCase.ts"
import { outcomeOf } from "./Reference.ts"
import { everySequence, someSequences } from "./Sequences.ts"
import { commandOf, prelude } from "./Step.ts"
import { walk } from "./Walk.ts"
import { driverStatus, emptyWorld } from "./World.ts"

const runs = Number(process.env["LIVERY_TEST_MODEL_RUNS"] ?? 150)

layer(Office.pipe(Layer.provideMerge(Ports)), { timeout: 60_000 })(
  "any sequence of what operators and drivers do, by the use cases",
  (it) => {
    it.effect(
      "ends as the reference says after every step, and nothing that has to hold is broken",
      () => everySequence(runs, (steps) => Effect.flatMap(byUseCase, (subject) => walk(subject, steps))),
      { timeout: 3_600_000 }
    )
  }
)

it.effect("such sequences come by every act's success, and by every refusal", () =>
  Effect.gen(function* () {
    const met = new Set<string>()
    const states = new Set<string>()
    for (const steps of yield* someSequences(400)) {
      let world = prelude(steps[0]?.policy).reduce(
        (standing, command) => outcomeOf(standing, command).world,
        emptyWorld
      )
      for (const step of steps) {
        const command = commandOf(step, world)
        const outcome = outcomeOf(world, command)
        met.add(`${command.act}: ${outcome.answer.reported}`)
        for (const event of outcome.events) met.add(event.split(" ")[0] ?? "")
        for (const { parts, status } of outcome.world.trips) states.add(`${status} ${driverStatus(parts)}`)
        world = outcome.world
      }
    }
    const refusals = {
      assign: ["confirmation_required", "invalid_request", "not_found"],
      book: ["confirmation_required", "invalid_request"],
      buy: ["usage_limit_reached"],
      change: ["confirmation_required", "invalid_request", "not_found"],
      "change car": ["not_found", "usage_limit_reached"],
      "change driver": ["confirmation_required", "not_found", "plan_limit_exceeded"],
      delete: ["confirmation_required", "not_found"],
      dismiss: ["confirmation_required", "not_found"],
      duplicate: ["confirmation_required", "not_found"],
      hire: ["plan_limit_exceeded"],
      request: [],
      report: ["forbidden", "invalid_request", "not_found", "unauthorized"],
      sell: ["confirmation_required", "not_found"],
      "set policy": [],
      "set status": ["invalid_request", "not_found"]
    }
    assert.deepStrictEqual(
      [...met].sort(),
      [
        "trip.created",
        "trip.updated",
        "trip.completed",
        "trip.cancelled",
        "driver.assigned",
        ...Object.entries(refusals).flatMap(([act, types]) =>
          ["ok", ...types].map((reported) => `${act}: ${reported}`)
        )
      ].sort()
    )
    assert.deepStrictEqual([...states].sort(), [
      "cancelled completed",
      "cancelled unassigned",
      "completed completed",
      "completed unassigned",
      "confirmed assigned",
      "confirmed unassigned",
      "in_progress assigned",
      "in_progress en_route",
      "pending unassigned"
    ])
  })
)
