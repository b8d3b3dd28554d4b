/** Limits how many do something at the same time, by a key such as a business. */
import { Effect } from "effect"
import { TooManyRequests } from "../Errors.ts"

/** Makes the function that takes one of `limit` places of a key until the scope closes; `TooManyRequests` if none is free. */
export const makePlaces = (retryAfterSeconds: number) => {
  const taken = new Map<string, number>()
  return (key: string, limit: number) =>
    Effect.acquireRelease(
      Effect.suspend(() => {
        const count = taken.get(key) ?? 0
        if (count >= limit) return Effect.fail(new TooManyRequests({ retryAfterSeconds }))
        taken.set(key, count + 1)
        return Effect.void
      }),
      () =>
        Effect.sync(() => {
          const rest = (taken.get(key) ?? 1) - 1
          if (rest === 0) taken.delete(key)
          else taken.set(key, rest)
        })
    )
}
