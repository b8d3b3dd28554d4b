/** Signs deliveries with the secrets of their endpoints. */
import { type ClaimedDelivery, SecretBox, Signature } from "@livery/domain"
import { Effect } from "effect"
import { memoizeLru } from "./LruMemo.ts"

const maxCachedSecrets = 1_000

/** Decrypts sealed secrets, and caches the most recently used ones: decrypting one costs more than signing with it. */
const makeSecretOpener = (secrets: SecretBox["Service"]) => {
  const entryOf = memoizeLru(maxCachedSecrets, (): { secret?: string } => ({}))
  return (sealed: string): Effect.Effect<string> => {
    const entry = entryOf(sealed)
    return entry.secret === undefined
      ? Effect.tap(secrets.open(sealed), (secret) => Effect.sync(() => (entry.secret = secret)))
      : Effect.succeed(entry.secret)
  }
}

/**
 * Makes the function that returns the signature of a delivery at `timestamp` (Unix seconds), by the endpoint's secret
 * and by its retired secrets.
 */
export const makeDeliverySigner = Effect.gen(function* () {
  const openSecret = makeSecretOpener(yield* SecretBox)
  return ({ body, retiredSecrets, sealedSecret }: ClaimedDelivery, timestamp: number) =>
    Effect.flatMap(openSecret(sealedSecret), (secret) =>
      retiredSecrets.length === 0
        ? Signature.sign(timestamp, body, [secret])
        : Effect.flatMap(Effect.forEach(retiredSecrets, openSecret), (retired) =>
            Signature.sign(timestamp, body, [secret, ...retired])
          )
    )
})
