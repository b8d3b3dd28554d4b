/** Taking over trips that were booked in another program. */
import { Effect, Result } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { drawReference, mostAttempts } from "../kernel/security/Reference.ts"
import type { TripId } from "../kernel/Ids.ts"
import { TripUnitOfWork } from "./changes/TripUnitOfWork.ts"
import { makeLockAllReferences, newTripOfDraft } from "./TripCreation.ts"
import type { NewTrip } from "./trip/Trip.ts"
import { draftOfInput } from "./trip/TripEdit.ts"
import type { TripInput } from "./trip/TripInput.ts"
import type { TripEnd } from "./trip/TripStatus.ts"

/** A trip that another program booked, and how it ended there; null if it has not ended. */
export interface MovedTrip {
  readonly input: TripInput
  readonly end: TripEnd | null
}

/** A trip that can be stored. */
interface Right {
  readonly trip: Omit<NewTrip, "reference">
  readonly end: TripEnd | null
}

/**
 * Builds the function that stores trips of another program in the caller's transaction, with the same number of statements for any
 * number of them. Each trip becomes what `Trips.create` with `force` and a change of its status make of it, with the same timeline
 * and the same events, and is refused as there; but nobody is told of it, because the other program has told it. The result has
 * one entry for each trip, in order.
 */
export const makeMoveTrips = Effect.gen(function* () {
  const unitOfWork = yield* TripUnitOfWork
  const cryptography = yield* Cryptography
  const lockAllReferences = yield* makeLockAllReferences

  const storeAll = Effect.fnUntraced(function* (acting: ActingBusiness, all: ReadonlyArray<Right>) {
    const stored = new Map<Right, TripId>()
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      // A trip whose reference was taken gets another one.
      const waiting = all.filter((one) => !stored.has(one))
      if (waiting.length === 0) return stored
      const references = yield* Effect.forEach(waiting, () => drawReference(cryptography, "TR"))
      const created = waiting.map(({ end, trip }, at) => ({
        created: { ...trip, reference: references[at] ?? "" },
        end
      }))
      for (const [at, tripId] of (yield* unitOfWork.createAll(acting, created)).entries()) {
        const one = waiting[at]
        if (tripId !== null && one !== undefined) stored.set(one, tripId)
      }
    }
    return yield* Effect.die(new Error(`References of new trips were taken ${mostAttempts} times in a row`))
  })

  return Effect.fnUntraced(function* (acting: ActingBusiness, moved: ReadonlyArray<MovedTrip>) {
    const drafts = moved.map(({ end, input }) => ({ end, edit: draftOfInput(acting, input) }))
    const lockedOf = yield* lockAllReferences(
      acting,
      drafts.map(({ edit }) => edit.result)
    )
    const checked = yield* Effect.forEach(drafts, ({ edit, end }) =>
      newTripOfDraft(edit, lockedOf(edit.result)).pipe(
        Effect.map((trip) => ({ trip, end })),
        Effect.result
      )
    )
    const stored = yield* storeAll(
      acting,
      checked.filter(Result.isSuccess).map(({ success }) => success)
    )
    // Each trip without a failure is stored.
    const idOf = (right: Right) => Effect.orDie(Effect.fromNullishOr(stored.get(right)))
    return yield* Effect.forEach(checked, (one) =>
      Effect.result(Effect.flatMap(Effect.fromResult(one), idOf))
    )
  })
})
