import { layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { extent } from "../../../../../test/faults/support/Extent.ts"
import { Ports } from "../../support/TestPorts.ts"
import { byHttp, ServerAndPeople } from "./ByHttp.ts"
import { checkSequences } from "./Sequences.ts"
import { compareSteps } from "./Comparison.ts"

const runs = Math.ceil(Number(process.env["LIVERY_TEST_MODEL_RUNS"] ?? extent(150, 50)) / 3)

layer(ServerAndPeople.layer.pipe(Layer.provideMerge(Ports)), { timeout: 60_000 })(
  "random commands of operators and drivers, over HTTP",
  (it) => {
    it.effect(
      "have the outcome of the model and keep all invariants, after every command",
      () =>
        checkSequences(runs, (steps) => Effect.flatMap(byHttp, (subject) => compareSteps(subject, steps))),
      { timeout: 3_600_000 }
    )
  }
)
