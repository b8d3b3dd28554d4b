import { layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Ports } from "../../support/TestPorts.ts"
import { byWire, Staff } from "./ByWire.ts"
import { everySequence } from "./Sequences.ts"
import { walk } from "./Walk.ts"

const runs = Math.ceil(Number(process.env["LIVERY_TEST_MODEL_RUNS"] ?? 150) / 3)

layer(Staff.layer.pipe(Layer.provideMerge(Ports)), { timeout: 60_000 })(
  "any sequence of what operators and drivers do, over HTTP",
  (it) => {
    it.effect(
      "ends as the reference says after every step, and nothing that has to hold is broken",
      () => everySequence(runs, (steps) => Effect.flatMap(byWire, (subject) => walk(subject, steps))),
      { timeout: 3_600_000 }
    )
  }
)
