/**
 * The domain's `IdempotencyStore` in memory. Requests are not sealed. A repeated request waits for the first one before
 * its own transaction begins, so that `claim` itself never waits.
 */
import { type ClaimedKey, IdempotencyStore, responseUnreadable } from "@livery/domain"
import { DateTime, Effect, Option } from "effect"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(IdempotencyStore, ({ idempotency, step }) => {
  const holds = (key: string, lease: number) => idempotency.get(key)?.lease === lease
  return {
    claim: (key, retention) =>
      Effect.gen(function* () {
        const now = yield* DateTime.now
        const oldest = DateTime.subtractDuration(now, retention)
        const row = yield* step(() => {
          const stored = idempotency.get(key)
          if (stored !== undefined && DateTime.isGreaterThan(stored.createdAt, oldest)) return stored
          idempotency.set(key, {
            key,
            request: null,
            lease: (stored?.lease ?? 0) + 1,
            leasedUntil: null,
            createdAt: now
          })
          return undefined
        })
        if (row === undefined)
          return { lease: idempotency.get(key)?.lease ?? 0, earlier: Option.none() } satisfies ClaimedKey
        if (row.request === null) return yield* responseUnreadable()
        return { lease: row.lease, earlier: Option.some({ ...row.request, leased_until: row.leasedUntil }) }
      }),
    lease: (key, lease, leasedUntil) =>
      step(() => {
        if (!holds(key, lease)) return Option.none()
        idempotency.change(key, { lease: lease + 1, leasedUntil })
        return Option.some(lease + 1)
      }),
    save: (key, lease, request) =>
      step(() => {
        const isHeld = holds(key, lease)
        if (isHeld) idempotency.change(key, { request })
        return isHeld
      }),
    release: (key, lease) =>
      step(() => {
        if (holds(key, lease)) idempotency.remove(key)
      })
  }
})
