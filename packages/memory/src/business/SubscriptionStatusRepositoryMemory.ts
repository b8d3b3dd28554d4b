import { SubscriptionStatusRepository } from "@livery/domain"
import { Option } from "effect"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(SubscriptionStatusRepository, ({ businesses, step }) => ({
  withItems: (itemIds) =>
    step(() =>
      businesses
        .where(
          ({ subscription_item_id }) =>
            subscription_item_id !== null && itemIds.includes(subscription_item_id)
        )
        .map(({ business_id }) => business_id)
        .toSorted((one, other) => one - other)
    ),
  set: (businessId, subscription_status, updated_at) =>
    step(() => {
      const before = businesses.get(businessId)
      if (before === undefined || before.subscription_status === subscription_status) return Option.none()
      businesses.change(businessId, { subscription_status, updated_at })
      return Option.some(before.subscription_status)
    })
}))
