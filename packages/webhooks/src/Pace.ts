/**
 * How many attempts begin at once. A few connections that are used again and again carry more, at less cost, than many
 * that are all written to in one burst; but who answers slowly must not keep others from beginning. So what counts is
 * how many attempts are *young*: an attempt that ends soon makes room at once, and one that does not end has ceased
 * to count a moment later, though it goes on.
 */
import { Clock, Duration, Effect, Latch } from "effect"
import type { Scope } from "effect"

export interface Pace<A> {
  /** Lets these begin, in order and each as soon as there is room for it: at once, if there is. */
  readonly line: (items: Iterable<A>) => void
  /** Makes room for the next: what this one began has ended. */
  readonly over: (item: A) => void
  /** Lets nothing more begin, and gives what has not. */
  readonly close: () => ReadonlyArray<A>
}

/**
 * Makes a pace for the scope: `begin` is called with each item when its turn has come, while at most `abreast` are
 * younger than `youth` and not over.
 */
export const makePace = Effect.fnUntraced(function* <A>(options: {
  readonly abreast: number
  readonly youth: Duration.Duration
  readonly begin: (item: A) => void
}): Effect.fn.Return<Pace<A>, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const youth = Duration.toNanosUnsafe(options.youth)
  const waiting = new Set<A>()
  // The oldest first, as maps are in the order in which they were filled.
  const young = new Map<A, bigint>()
  const crowded = Latch.makeUnsafe()
  let beginning = false

  const ageUntil = (now: bigint) => {
    for (const [item, began] of young) {
      if (now - began < youth) return
      young.delete(item)
    }
  }

  const proceed = () => {
    // What begins may be over before it returns, and then comes here anew: one loop serves them all.
    if (beginning || waiting.size === 0) return
    beginning = true
    try {
      const now = clock.monotonicTimeNanosUnsafe()
      ageUntil(now)
      for (const item of waiting) {
        if (young.size >= options.abreast) break
        waiting.delete(item)
        young.set(item, now)
        options.begin(item)
      }
    } finally {
      beginning = false
    }
    if (waiting.size > 0) crowded.openUnsafe()
  }

  /** Milliseconds until the oldest of the young has ceased to be: whole ones, since timers know no others. */
  const untilOfAge = () => {
    const [oldest] = young.values()
    return oldest === undefined
      ? 0
      : Math.max(0, Math.ceil(Number(oldest + youth - clock.monotonicTimeNanosUnsafe()) / 1e6))
  }

  // For when nothing ends: somebody has to see that the young grow older. A timer may fire a little early; then it
  // is set once more.
  yield* Effect.gen(function* () {
    yield* crowded.await
    crowded.closeUnsafe()
    yield* Effect.sleep(untilOfAge())
    proceed()
  }).pipe(Effect.forever, Effect.forkScoped)

  return {
    line: (items) => {
      for (const item of items) waiting.add(item)
      proceed()
    },
    over: (item) => {
      if (young.delete(item)) proceed()
    },
    close: () => {
      const left = [...waiting]
      waiting.clear()
      return left
    }
  }
})
