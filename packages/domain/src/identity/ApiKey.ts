/** The API keys of businesses: long-lived, shown once, stored by their SHA-256 (docs/api/authentication.md). */
import { Schema } from "effect"
import { Conflict } from "../kernel/Errors.ts"
import { text } from "../kernel/fields/Text.ts"

/** The most keys that a business may have. */
export const keysPerBusiness = 50

/** The refusal of one key more than {@link keysPerBusiness}. */
export const tooManyKeys = () =>
  new Conflict({ reason: `A business has at most ${keysPerBusiness} API keys; delete one first` })

/** The prefix of every API key. */
export const apiKeyPrefix = "lvk_"

/** A new key. This record is the only one that contains the key in full. */
export const CreatedApiKey = Schema.Struct({
  api_key: Schema.String,
  created_date: Schema.NullOr(Schema.String)
})
export type CreatedApiKey = typeof CreatedApiKey.Type

/** A key in a list: masked. `last_used_at` is exact to the minute. */
export const ApiKeyRecord = Schema.Struct({
  api_key: Schema.String,
  created_date: Schema.NullOr(Schema.String),
  last_used_at: Schema.NullOr(Schema.String)
})
export type ApiKeyRecord = typeof ApiKeyRecord.Type

/** The input of a deletion: the key in full. */
export const ApiKeyDeletion = Schema.Struct({ api_key: text(200).pipe(Schema.RedactedFromValue) })
export type ApiKeyDeletion = typeof ApiKeyDeletion.Type

/** The result of a deletion. */
export const DeletionResult = Schema.Struct({ deleted: Schema.Boolean })
export type DeletionResult = typeof DeletionResult.Type

/** The masked form of a key: enough to recognise it, too little to use it. */
export const masked = (apiKey: string): string => `${apiKey.slice(0, 8)}…${apiKey.slice(-4)}`
