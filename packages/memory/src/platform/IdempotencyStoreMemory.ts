/**
 * The domain's `IdempotencyStore` in memory. Responses are not sealed. A repeated request waits for the first one before
 * its own transaction begins, so that `claim` itself never waits.
 */
import { IdempotencyStore, responseRetention, responseUnreadable } from "@livery/domain"
import { DateTime, Effect, Layer, Option } from "effect"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  IdempotencyStore,
  Effect.map(Store, ({ idempotency, step }) =>
    IdempotencyStore.of({
      claim: (key) =>
        Effect.gen(function* () {
          const now = yield* DateTime.now
          const stored = yield* step(() => {
            const row = idempotency.get(key)
            if (row !== undefined && DateTime.isGreaterThan(row.expiresAt, now)) return row
            idempotency.set(key, { response: null, expiresAt: DateTime.addDuration(now, responseRetention) })
            return undefined
          })
          if (stored === undefined) return Option.none()
          return stored.response === null ? yield* responseUnreadable() : Option.some(stored.response)
        }),
      save: (key, response) => step(() => void idempotency.change(key, { response })),
      release: (key) => step(() => void idempotency.remove(key))
    })
  )
)
