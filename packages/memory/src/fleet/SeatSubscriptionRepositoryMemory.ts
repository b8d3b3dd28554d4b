import { type BusinessId, SeatSubscriptionRepository } from "@livery/domain"
import { DateTime, Option } from "effect"
import { ascending } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(
  SeatSubscriptionRepository,
  ({ businesses, seats, seatSubscriptions, step }) => {
    const itemOf = (businessId: BusinessId) => businesses.get(businessId)?.subscription_item_id ?? null
    return {
      find: (businessId) =>
        step(() => {
          const item_id = itemOf(businessId)
          const business = businesses.get(businessId)
          if (item_id === null || business === undefined) return Option.none()
          const { business_id: _business, ...changes } = seatSubscriptions.get(businessId) ?? {
            business_id: businessId,
            quantity: null,
            attempt: 0,
            attempted: null,
            lease: 0,
            leased_until: null,
            due_at: business.updated_at
          }
          const taken = seats.where(
            ({ business_id, endedAt }) => business_id === businessId && endedAt === null
          )
          return Option.some({ item_id, seats: taken.length, ...changes })
        }),
      save: (business_id, changes) =>
        step(() => {
          seatSubscriptions.set(business_id, { business_id, ...changes })
        }),
      due: (now, limit) =>
        step(() =>
          seatSubscriptions
            .where(
              ({ business_id, due_at }) =>
                itemOf(business_id) !== null && DateTime.isLessThanOrEqualTo(due_at, now)
            )
            .toSorted(ascending(({ business_id, due_at }) => [DateTime.toEpochMillis(due_at), business_id]))
            .slice(0, limit)
            .map(({ business_id }) => business_id)
        )
    }
  }
)
