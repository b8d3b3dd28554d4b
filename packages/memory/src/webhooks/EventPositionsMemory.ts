/** The domain's `EventPositions` in memory, where an event has its position when it commits. */
import { EventPositions } from "@livery/domain"
import { Effect, Layer } from "effect"

export const layer = Layer.succeed(
  EventPositions,
  EventPositions.of({
    assign: Effect.succeed("all"),
    lag: Effect.succeed({ events: 0, oldestSeconds: 0 })
  })
)
