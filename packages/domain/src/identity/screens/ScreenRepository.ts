/** The port that stores users' saved views and preferences. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { SavedViewId, UserId } from "../../kernel/Ids.ts"
import type { Preferences } from "./Preferences.ts"
import type { SavedView, SavedViewInput } from "./SavedView.ts"

/**
 * - `views`: the user's views, by screen, then by name, then by id.
 * - `insertView`: a new view; `None` if the user has `maxViewsPerUser`. In a transaction, this is exact for concurrent calls too.
 * - `changeView`: replaces the fields of the user's view that are given; `None` if the user has no such view.
 * - `removeView`: deletes the user's view; false if there is none.
 * - `preferences`: what the user has set; `None` if nothing. `lockPreferences` also locks them until the transaction ends, set or not.
 * - `setPreferences`: replaces them.
 */
export class ScreenRepository extends Context.Service<
  ScreenRepository,
  {
    readonly views: (userId: UserId) => Effect.Effect<ReadonlyArray<SavedView>>
    readonly insertView: (
      userId: UserId,
      view: SavedViewInput,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<SavedView>>
    readonly changeView: (
      userId: UserId,
      viewId: SavedViewId,
      changes: Partial<SavedViewInput>,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<SavedView>>
    readonly removeView: (userId: UserId, viewId: SavedViewId) => Effect.Effect<boolean>
    readonly preferences: (userId: UserId) => Effect.Effect<Option.Option<Preferences>>
    readonly lockPreferences: (userId: UserId) => Effect.Effect<Option.Option<Preferences>>
    readonly setPreferences: (
      userId: UserId,
      preferences: Preferences,
      now: DateTime.Utc
    ) => Effect.Effect<void>
  }
>()("@livery/domain/ScreenRepository") {}
