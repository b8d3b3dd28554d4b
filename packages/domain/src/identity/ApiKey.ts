/** Business API keys (specification, API key record): long-lived, shown once, stored by their SHA-256. */
import { Schema } from "effect"
import { Conflict } from "../kernel/Errors.ts"
import { text } from "../kernel/fields/Text.ts"

/** A business has at most this many keys. */
export const keysPerBusiness = 50

/** One key more than that is refused so. */
export const tooManyKeys = () =>
  new Conflict({ reason: `A business has at most ${keysPerBusiness} API keys; delete one first` })

/** What every API key starts with. */
export const apiKeyPrefix = "lvk_"

/** The key that was just made: in full, for the only time. */
export const CreatedApiKey = Schema.Struct({
  api_key: Schema.String,
  created_date: Schema.NullOr(Schema.String)
})
export type CreatedApiKey = typeof CreatedApiKey.Type

/** A key as a list shows it: masked. `last_used_at` is exact to the minute. */
export const ApiKeyRecord = Schema.Struct({
  api_key: Schema.String,
  created_date: Schema.NullOr(Schema.String),
  last_used_at: Schema.NullOr(Schema.String)
})
export type ApiKeyRecord = typeof ApiKeyRecord.Type

/** What `DELETE /me/api-keys` takes: the key in full. */
export const ApiKeyDeletion = Schema.Struct({ api_key: text(200).pipe(Schema.RedactedFromValue) })
export type ApiKeyDeletion = typeof ApiKeyDeletion.Type

/** What a deletion answers. */
export const DeletionResult = Schema.Struct({ deleted: Schema.Boolean })
export type DeletionResult = typeof DeletionResult.Type

/** How a list shows a key: enough to recognise it, too little to use it. */
export const masked = (apiKey: string): string => `${apiKey.slice(0, 8)}…${apiKey.slice(-4)}`
