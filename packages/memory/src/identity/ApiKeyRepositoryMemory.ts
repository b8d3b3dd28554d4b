import { ApiKey, ApiKeyRepository, maxKeysPerBusiness, tooManyKeys } from "@livery/domain"
import { DateTime, Effect, Option } from "effect"
import { actingBusiness, only } from "../store/Fields.ts"
import { ascending } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(ApiKeyRepository, ({ apiKeys, businesses, step }) => ({
  insert: (business_id, { createdAt, createdBy, keyHash, maskedKey }) =>
    Effect.flatMap(
      step(() => {
        const isFull = apiKeys.where((key) => key.business_id === business_id).length >= maxKeysPerBusiness
        if (!isFull)
          apiKeys.set(keyHash, {
            business_id,
            keyHash,
            createdBy,
            masked_key: maskedKey,
            created_at: createdAt,
            last_used_at: null
          })
        return isFull
      }),
      (isFull) => (isFull ? Effect.fail(tooManyKeys()) : Effect.void)
    ),
  list: (businessId) =>
    step(() =>
      apiKeys
        .where(({ business_id }) => business_id === businessId)
        .toSorted(ascending(({ created_at, keyHash }) => [-DateTime.toEpochMillis(created_at), keyHash]))
        .map((row) => only(ApiKey, row))
    ),
  remove: (businessId, keyHash) =>
    step(() => apiKeys.get(keyHash)?.business_id === businessId && apiKeys.remove(keyHash)),
  businessOf: (keyHash) =>
    Effect.flatMap(DateTime.now, (last_used_at) =>
      step(() => {
        const key = apiKeys.change(keyHash, { last_used_at })
        const business = key && businesses.get(key.business_id)
        return Option.map(Option.fromUndefinedOr(business), actingBusiness)
      })
    ),
  businessesOf: (keyHashes) =>
    step(() =>
      [...new Set(keyHashes)].flatMap((keyHash) => {
        const key = apiKeys.get(keyHash)
        const business = key && businesses.get(key.business_id)
        return business === undefined ? [] : [{ keyHash, business: actingBusiness(business) }]
      })
    )
}))
