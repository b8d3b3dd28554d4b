/** The port that stores what the payment provider charges for seats. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessId } from "../../kernel/Ids.ts"

/** The changes of the quantity of a business's subscription item at the payment provider. */
export interface SeatChanges {
  /** The quantity that the provider confirmed last; null if it has confirmed none yet. */
  readonly quantity: number | null
  /** The number of the last change. It is a part of the change's idempotency key. */
  readonly attempt: number
  /** The quantity of that change while its result is unknown; null once the result is known. */
  readonly attempted: number | null
  /** The number of the last lease. A lease is held by one purchase or by one reconciliation at a time. */
  readonly lease: number
  /** When the lease ends by itself; null if none is held. */
  readonly leased_until: DateTime.Utc | null
  /** When the quantity is reconciled with the seats. */
  readonly due_at: DateTime.Utc
}

/** A business whose seats are charged by the payment provider. */
export interface SeatSubscription extends SeatChanges {
  /** The provider's identifier of the subscription item. */
  readonly item_id: string
  /** The number of the business's seats. */
  readonly seats: number
}

/**
 * - `find`: `None` if the business has no subscription item at the provider. Lock the plan first if
 *   you change the result.
 * - `save`: stores the changes. Lock the plan first (`PlanRepository.lock`).
 * - `due`: businesses with a subscription item whose reconciliation is due, the longest due first.
 */
export class SeatSubscriptionRepository extends Context.Service<
  SeatSubscriptionRepository,
  {
    readonly find: (businessId: BusinessId) => Effect.Effect<Option.Option<SeatSubscription>>
    readonly save: (businessId: BusinessId, changes: SeatChanges) => Effect.Effect<void>
    readonly due: (now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<BusinessId>>
  }
>()("@livery/domain/SeatSubscriptionRepository") {}
