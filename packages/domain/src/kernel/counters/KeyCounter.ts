/**
 * A node's counter for one key in one window: a block of numbers that it took from the shared store, and the requests
 * that it counted in memory because the store was slow.
 */
import type { Demand, Taken } from "./RateStore.ts"
import type { WindowCount } from "./RateCounters.ts"

/** The largest block. */
const maxBlockSize = 1000

/** A block has at most the rest of the limit divided by this, so that blocks become smaller near the limit. */
const restDivisor = 10

/** Gives its number to a request that waits for one. */
export type GiveNumber = (count: WindowCount) => void

/**
 * - `limit`: the requests that the window allows, which may change within it.
 * - `endsAt`: when the window ends by this node's clock, in Unix milliseconds.
 * - `last`: the last number that was given to a request; `end`: the last number of the block.
 * - `waiting`: the requests that wait for a number.
 * - `spare`: how many numbers the next block has beyond those that are needed immediately.
 * - `uncommitted`: requests counted in memory, whose numbers are still to be taken from the store.
 */
export interface KeyCounter {
  readonly key: string
  limit: number
  resetsAt: number
  endsAt: number
  last: number
  end: number
  spare: number
  uncommitted: number
  readonly waiting: Set<GiveNumber>
}

/** The counter of a key that was not counted yet. */
export const makeKeyCounter = (key: string, limit: number, resetsAt: number): KeyCounter => ({
  key,
  limit,
  resetsAt,
  endsAt: resetsAt * 1000,
  last: 0,
  end: 0,
  spare: 0,
  uncommitted: 0,
  waiting: new Set()
})

/** The current count of the key. Requests counted in memory are added to those that the store counted. */
const currentCount = ({ last, resetsAt, uncommitted }: KeyCounter): WindowCount => ({
  used: last + uncommitted,
  resetsAt
})

/**
 * The next number of the block. If all numbers up to the limit are taken, a number above the limit, without a request
 * to the store. `undefined` if a block must be taken first.
 */
export const nextNumber = (counter: KeyCounter): WindowCount | undefined => {
  if (counter.last < counter.end) {
    counter.last += 1
    return currentCount(counter)
  }
  return counter.last >= counter.limit ? { used: counter.last + 1, resetsAt: counter.resetsAt } : undefined
}

/** Counts a request in memory and returns the new count. */
export const countInMemory = (counter: KeyCounter): WindowCount => {
  counter.uncommitted += 1
  return currentCount(counter)
}

/** The next block to take from the store. */
export const demandOf = ({ key, spare, uncommitted, waiting }: KeyCounter): Demand => ({
  key,
  count: uncommitted + waiting.size + spare
})

/**
 * Uses a block: first for the requests counted in memory, then for the waiting ones. Blocks start small and double, so
 * that a node with few requests does not hold numbers that other nodes need.
 */
export const useBlock = (
  counter: KeyCounter,
  { count }: Demand,
  used: number,
  { remainingMillis, resetsAt }: Taken,
  now: number
): void => {
  const committed = Math.min(counter.uncommitted, count)
  counter.uncommitted -= committed
  counter.resetsAt = resetsAt
  counter.endsAt = now + remainingMillis
  counter.last = used - count + committed
  counter.end = used
  const rest = Math.floor(Math.max(0, counter.limit - used) / restDivisor)
  counter.spare = Math.min(maxBlockSize, rest, Math.max(1, 2 * counter.spare))
  // A copy, because a request may continue as soon as it gets its number, and a new one may start to wait.
  const waiting = [...counter.waiting]
  for (const give of waiting) {
    if (counter.last === counter.end) break
    counter.waiting.delete(give)
    counter.last += 1
    give(currentCount(counter))
  }
}

/** Counts the waiting requests in memory, because the store failed. */
export const countWaitingInMemory = (counter: KeyCounter): void => {
  const waiting = [...counter.waiting]
  for (const give of waiting) {
    counter.waiting.delete(give)
    give(countInMemory(counter))
  }
}
