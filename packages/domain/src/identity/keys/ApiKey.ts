/** The API keys of businesses: long-lived, shown once, stored by their SHA-256 (docs/api/authentication.md). */
import { Schema } from "effect"
import { Conflict } from "../../kernel/Errors.ts"
import * as Field from "../../kernel/fields/Field.ts"
import { text } from "../../kernel/fields/Text.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { rfc3339 } from "../../kernel/time/WallClock.ts"

/** The most keys that a business may have. */
export const maxKeysPerBusiness = 50

/** The error of a key beyond {@link maxKeysPerBusiness}. */
export const tooManyKeys = () =>
  new Conflict({ reason: `A business has at most ${maxKeysPerBusiness} API keys; delete one first` })

/** The prefix of every API key. */
export const apiKeyPrefix = "lvk_"

/**
 * The fields of a key in a list. `masked_key` and `api_key` are the key's {@link masked} form; `last_used_at` is exact to
 * the minute.
 */
export const apiKeyFields = Field.ofNobody({
  masked_key: Field.internal(Value.unboundedText),
  created_at: Field.internal(Value.instant),
  api_key: Field.computed(Schema.String),
  created_date: Field.computed(Schema.NullOr(Value.instant.wire)),
  last_used_at: Field.assignedOrNull(Value.instant)
})

/** A key as stored, without its hash. */
export const ApiKey = Field.storedOf(apiKeyFields)
export type ApiKey = typeof ApiKey.Type

/** A key in a list. */
export const ApiKeyRecord = Field.recordOf(apiKeyFields)
export type ApiKeyRecord = typeof ApiKeyRecord.Type

const encode = Field.encoderOf<typeof apiKeyFields, void>(apiKeyFields, {
  api_key: ({ masked_key }) => masked_key,
  created_date: ({ created_at }) => rfc3339(created_at)
})

/** The record of a key. */
export const apiKeyRecord = (key: ApiKey): ApiKeyRecord => encode(key)

/** A new key. This record is the only one that contains the key in full. */
export const CreatedApiKey = Field.recordOf(Field.pick(apiKeyFields, ["api_key", "created_date"]))
export type CreatedApiKey = typeof CreatedApiKey.Type

/** The input of a deletion: the key in full. */
export const ApiKeyDeletion = Schema.Struct({ api_key: text(200).pipe(Schema.RedactedFromValue) })
export type ApiKeyDeletion = typeof ApiKeyDeletion.Type

/** The result of a deletion. */
export const DeletionResult = Schema.Struct({ deleted: Schema.Boolean })
export type DeletionResult = typeof DeletionResult.Type

/** The masked form of a key: enough to recognise it, too little to use it. */
export const masked = (apiKey: string): string => `${apiKey.slice(0, 8)}…${apiKey.slice(-4)}`
