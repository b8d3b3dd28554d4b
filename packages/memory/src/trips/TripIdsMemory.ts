import { TripId, TripIds } from "@livery/domain"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(TripIds, ({ step, trips }) => ({ next: step(() => TripId.make(trips.next())) }))
