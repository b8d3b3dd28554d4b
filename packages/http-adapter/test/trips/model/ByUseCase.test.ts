import { assert, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { extent } from "../../../../../test/faults/support/Extent.ts"
import { Ports } from "../../support/TestPorts.ts"
import { byUseCase, CommandUseCases } from "./ByUseCase.ts"
import { outcomeOf } from "./Reference.ts"
import { checkSequences, sampleSequences } from "./Sequences.ts"
import { commandOf, prelude } from "./Step.ts"
import { compareSteps } from "./Comparison.ts"
import { driverStatus, emptyModel } from "./Model.ts"

const runs = Number(process.env["LIVERY_TEST_MODEL_RUNS"] ?? extent(150, 50))

layer(CommandUseCases.pipe(Layer.provideMerge(Ports)), { timeout: 60_000 })(
  "random commands of operators and drivers, by the use cases",
  (it) => {
    it.effect(
      "have the outcome of the model and keep all invariants, after every command",
      () =>
        checkSequences(runs, (steps) => Effect.flatMap(byUseCase, (subject) => compareSteps(subject, steps))),
      { timeout: 3_600_000 }
    )
  }
)

it.effect("random sequences contain each act's success and each refusal", () =>
  Effect.gen(function* () {
    const met = new Set<string>()
    const states = new Set<string>()
    for (const steps of yield* sampleSequences(400)) {
      let model = prelude(steps[0]?.policy).reduce(
        (standing, command) => outcomeOf(standing, command).model,
        emptyModel
      )
      for (const step of steps) {
        const command = commandOf(step, model)
        const outcome = outcomeOf(model, command)
        met.add(`${command.act}: ${outcome.answer.reported}`)
        for (const event of outcome.events) met.add(event.split(" ")[0] ?? "")
        for (const { parts, status } of outcome.model.trips) states.add(`${status} ${driverStatus(parts)}`)
        model = outcome.model
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
