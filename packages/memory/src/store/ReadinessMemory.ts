/** The domain's `Readiness` in memory, which is always ready. */
import { Readiness } from "@livery/domain"
import { Effect, Layer } from "effect"

export const layer = Layer.succeed(Readiness, Readiness.of({ check: Effect.succeed([]) }))
