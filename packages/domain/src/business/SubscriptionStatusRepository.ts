/** The port that stores the subscription status of businesses as the payment provider reports it. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessId } from "../kernel/Ids.ts"
import type { SubscriptionStatus } from "./Business.ts"

/**
 * - `withItems`: the businesses whose `subscription_item_id` is one of these.
 * - `set`: stores the status of a business and returns the one before; `None`, and no change, if the business has that
 *   status already or does not exist.
 */
export class SubscriptionStatusRepository extends Context.Service<
  SubscriptionStatusRepository,
  {
    readonly withItems: (itemIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<BusinessId>>
    readonly set: (
      businessId: BusinessId,
      status: SubscriptionStatus,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<SubscriptionStatus>>
  }
>()("@livery/domain/SubscriptionStatusRepository") {}
