/** Saved views and preferences of a signed-in user. */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { Conflict, NotFound, orNotFound } from "../../kernel/Errors.ts"
import type { SavedViewId, UserId } from "../../kernel/Ids.ts"
import { type Precondition, unconditional } from "../../kernel/Precondition.ts"
import { traced } from "../../kernel/TracedFunction.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import { noPreferences, type PreferenceChanges, type Preferences } from "./Preferences.ts"
import { maxViewsPerUser, type SavedViewChanges, type SavedViewInput, savedViewRecord } from "./SavedView.ts"
import { ScreenRepository } from "./ScreenRepository.ts"

export class Screens extends Context.Service<Screens>()("@livery/domain/Screens", {
  make: Effect.gen(function* () {
    const screens = yield* ScreenRepository
    const transaction = yield* Transaction
    const orNone = Option.getOrElse(() => noPreferences)

    return {
      /** The user's views, by screen and name. */
      views: traced("Screens.views")(function* (userId: UserId) {
        return (yield* screens.views(userId)).map(savedViewRecord)
      }),

      /** Saves a view. `Conflict` if the user has 100 of them. */
      save: traced("Screens.save")(function* (userId: UserId, input: SavedViewInput) {
        const now = yield* DateTime.now
        const saved = yield* transaction.run(screens.insertView(userId, input, now))
        if (Option.isNone(saved))
          return yield* new Conflict({
            reason: `A user has at most ${maxViewsPerUser} views; delete one first`
          })
        return savedViewRecord(saved.value)
      }),

      /** Changes a view of the user. */
      change: traced("Screens.change")(function* (
        userId: UserId,
        viewId: SavedViewId,
        changes: SavedViewChanges
      ) {
        const changed = yield* screens.changeView(userId, viewId, changes, yield* DateTime.now)
        return savedViewRecord(yield* orNotFound("view")(changed))
      }),

      /** Deletes a view of the user. */
      remove: traced("Screens.remove")(function* (userId: UserId, viewId: SavedViewId) {
        if (!(yield* screens.removeView(userId, viewId))) return yield* new NotFound({ resource: "view" })
        return { deleted: true }
      }),

      /** The user's preferences. */
      preferences: traced("Screens.preferences")(function* (userId: UserId) {
        return orNone(yield* screens.preferences(userId))
      }),

      /** Changes the given preferences. */
      prefer: traced("Screens.prefer")(function* (
        userId: UserId,
        changes: PreferenceChanges,
        precondition: Precondition<Preferences> = unconditional
      ) {
        return yield* atomically(transaction, function* () {
          const before = orNone(yield* screens.lockPreferences(userId))
          yield* precondition(before)
          const after: Preferences = { ...before, ...changes }
          yield* screens.setPreferences(userId, after, yield* DateTime.now)
          return after
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Screens, Screens.make)
}
