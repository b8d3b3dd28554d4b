/** The domain's `TripIds` in memory. */
import { TripId, TripIds } from "@livery/domain"
import { Effect, Layer } from "effect"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  TripIds,
  Effect.map(Store, ({ step, trips }) => TripIds.of({ next: step(() => TripId.make(trips.next())) }))
)
