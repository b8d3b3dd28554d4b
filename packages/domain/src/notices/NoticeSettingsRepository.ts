/** The port that stores how a business tells: its settings, its gateway for text messages, and the preferences of its customers. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessId, CustomerId } from "../kernel/Ids.ts"
import type { NoticePreferences, NoticeSettings } from "./rules/NoticeSettings.ts"
import type { TextGateway } from "./texts/TextGateway.ts"

/** A gateway with the token of its callbacks. Both are sealed. */
export interface StoredGateway {
  readonly gateway: TextGateway
  readonly callbackToken: string
}

/**
 * - `find`: the settings of a business; `None` if it has set nothing. `lock` also locks the row until the transaction ends.
 * - `put`: replaces the settings. New trips are marked if the business tells customers any kind.
 * - `gateway`: the gateway of the business, which is sealed. `putGateway` replaces it, null removes it.
 * - `preferences`: those of a customer; `None` if there are none.
 * - `putPreferences`: replaces them. A customer who wants any kind makes the business mark
 *   new trips, and one who wants reminders makes it look for them.
 */
export class NoticeSettingsRepository extends Context.Service<
  NoticeSettingsRepository,
  {
    readonly find: (businessId: BusinessId) => Effect.Effect<Option.Option<NoticeSettings>>
    readonly lock: (businessId: BusinessId) => Effect.Effect<Option.Option<NoticeSettings>>
    readonly put: (businessId: BusinessId, settings: NoticeSettings, now: DateTime.Utc) => Effect.Effect<void>
    readonly gateway: (businessId: BusinessId) => Effect.Effect<Option.Option<StoredGateway>>
    readonly putGateway: (
      businessId: BusinessId,
      gateway: StoredGateway | null,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    readonly preferences: (
      businessId: BusinessId,
      customerId: CustomerId
    ) => Effect.Effect<Option.Option<NoticePreferences>>
    readonly putPreferences: (
      businessId: BusinessId,
      customerId: CustomerId,
      preferences: NoticePreferences,
      now: DateTime.Utc
    ) => Effect.Effect<void>
  }
>()("@livery/domain/NoticeSettingsRepository") {}
