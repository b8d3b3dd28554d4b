/** Creating, listing and deleting the API keys of a business. */
import { Context, DateTime, Effect, Layer, Redacted } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { invalidField } from "../kernel/Errors.ts"
import type { BusinessId, UserId } from "../kernel/Ids.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { rfc3339 } from "../kernel/time/WallClock.ts"
import { makeAuditTrail } from "../audit/AuditTrail.ts"
import { apiKeyPrefix, apiKeyRecord, masked } from "./keys/ApiKey.ts"
import { ApiKeyRepository } from "./keys/ApiKeyRepository.ts"
import { CredentialCache } from "./credentials/CredentialCache.ts"
import { traced } from "../kernel/TracedFunction.ts"

export class ApiKeys extends Context.Service<ApiKeys>()("@livery/domain/ApiKeys", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const keys = yield* ApiKeyRepository
    const credentials = yield* CredentialCache
    const cryptography = yield* Cryptography
    const writeAudit = yield* makeAuditTrail

    const remove = traced("ApiKeys.delete")(function* (
      businessId: BusinessId,
      apiKey: Redacted.Redacted,
      deletedBy: UserId
    ) {
      const keyHash = yield* cryptography.sha256(Redacted.value(apiKey))
      return yield* atomically(transaction, function* () {
        if (!(yield* keys.remove(businessId, keyHash))) return yield* invalidField("api_key", "not_found")
        yield* writeAudit({
          actor: `user:${deletedBy}`,
          action: "api_key.deleted",
          subject: `api_key:${masked(Redacted.value(apiKey))}`,
          businessId
        })
        yield* transaction.afterCommit(credentials.invalidateKey(keyHash))
        return { deleted: true }
      })
    })

    return {
      /**
       * A new key of the business, created by one of its users; `Conflict` if it has 50 already. The audit log names
       * the user, or `actor`.
       */
      create: traced("ApiKeys.create")(function* (
        businessId: BusinessId,
        createdBy: UserId,
        actor = `user:${createdBy}`
      ) {
        const apiKey = `${apiKeyPrefix}${Base64Url.encode(yield* cryptography.randomBytes(32))}`
        const keyHash = yield* cryptography.sha256(apiKey)
        const createdAt = yield* DateTime.now
        yield* atomically(transaction, function* () {
          yield* keys.insert(businessId, { keyHash, maskedKey: masked(apiKey), createdBy, createdAt })
          yield* writeAudit({
            actor,
            action: "api_key.created",
            subject: `api_key:${masked(apiKey)}`,
            businessId
          })
        })
        return { api_key: apiKey, created_date: rfc3339(createdAt) }
      }),

      /** The keys of the business, masked, newest first. */
      list: traced("ApiKeys.list")(function* (businessId: BusinessId) {
        return (yield* keys.list(businessId)).map(apiKeyRecord)
      }),

      /**
       * Deletes a key of the business, given in full. This node refuses it immediately, others within a second. A key
       * that is unknown or belongs to another business is `InvalidInput` (`api_key`, `not_found`) alike.
       */
      delete: remove
    }
  })
}) {
  static readonly layer = Layer.effect(ApiKeys, ApiKeys.make)
}
