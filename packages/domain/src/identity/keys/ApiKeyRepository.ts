/** The port that stores API keys. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import type { Conflict } from "../../kernel/Errors.ts"
import type { BusinessId, UserId } from "../../kernel/Ids.ts"
import type { ApiKey } from "./ApiKey.ts"

/**
 * - `insert`: stores a new key of the business; `tooManyKeys` if it has `maxKeysPerBusiness` keys already, also under
 *   concurrent inserts.
 * - `list`: the keys of the business, newest first.
 * - `remove`: deletes the business's key with that hash; false if there is none.
 * - `businessOf`: the business whose key has that hash; `None` if there is none. It records a use of the key.
 * - `businessesOf`: the businesses of those of the keys that exist, in any order; one statement for any number of them. It
 *   records no use.
 */
export class ApiKeyRepository extends Context.Service<
  ApiKeyRepository,
  {
    readonly insert: (
      businessId: BusinessId,
      key: {
        readonly keyHash: string
        readonly maskedKey: string
        readonly createdBy: UserId
        readonly createdAt: DateTime.Utc
      }
    ) => Effect.Effect<void, Conflict>
    readonly list: (businessId: BusinessId) => Effect.Effect<ReadonlyArray<ApiKey>>
    readonly remove: (businessId: BusinessId, keyHash: string) => Effect.Effect<boolean>
    readonly businessOf: (keyHash: string) => Effect.Effect<Option.Option<ActingBusiness>>
    readonly businessesOf: (
      keyHashes: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<{ readonly keyHash: string; readonly business: ActingBusiness }>>
  }
>()("@livery/domain/ApiKeyRepository") {}
