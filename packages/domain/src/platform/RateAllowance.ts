/**
 * A node's allowance for one key in one window: a block of numbers that it took from the shared store, and the requests
 * that it counted in memory because the store was slow.
 */
import type { Demand, Taken } from "./RateStore.ts"
import type { WindowCount } from "./RateCounters.ts"

/** The largest block. */
const maxBlockSize = 1000

/** A block is at most this fraction of the rest of the limit, so that blocks become smaller near the limit. */
const partOfRest = 10

/** The callback of a request that waits for a number. */
export type Waiting = (count: WindowCount) => void

/**
 * - `limit`: the requests that the window allows, which may change within it.
 * - `endsAt`: when the window ends by this node's clock, in Unix milliseconds.
 * - `last`: the last number that was given to a request; `end`: the last of the block.
 * - `spare`: how many numbers the next block has beyond those that are needed immediately.
 * - `unsettled`: requests counted in memory, whose numbers are still to be taken from the store.
 */
export interface RateAllowance {
  readonly key: string
  limit: number
  resetsAt: number
  endsAt: number
  last: number
  end: number
  spare: number
  unsettled: number
  readonly waiting: Set<Waiting>
}

/** The allowance of a key that was not counted yet. */
export const makeAllowance = (key: string, limit: number, resetsAt: number): RateAllowance => ({
  key,
  limit,
  resetsAt,
  endsAt: resetsAt * 1000,
  last: 0,
  end: 0,
  spare: 0,
  unsettled: 0,
  waiting: new Set()
})

/** The current count of the key. Requests counted in memory are added to those that the store counted. */
const currentCount = ({ last, resetsAt, unsettled }: RateAllowance): WindowCount => ({
  used: last + unsettled,
  resetsAt
})

/**
 * The next number of the block. If all numbers up to the limit are taken, a number above the limit, without a request
 * to the store. `undefined` if a block must be taken first.
 */
export const nextNumber = (allowance: RateAllowance): WindowCount | undefined => {
  if (allowance.last < allowance.end) {
    allowance.last += 1
    return currentCount(allowance)
  }
  return allowance.last >= allowance.limit
    ? { used: allowance.last + 1, resetsAt: allowance.resetsAt }
    : undefined
}

/** Counts a request in memory, on top of the last known count. */
export const countedInMemory = (allowance: RateAllowance): WindowCount => {
  allowance.unsettled += 1
  return currentCount(allowance)
}

/** The next block to take from the store. */
export const demandOf = ({ key, spare, unsettled, waiting }: RateAllowance): Demand => ({
  key,
  count: unsettled + waiting.size + spare
})

/**
 * Uses a block: first for the requests counted in memory, then for the waiting ones. Blocks start small and double, so
 * that a node with few requests does not hold numbers that other nodes need.
 */
export const useBlock = (
  allowance: RateAllowance,
  { count }: Demand,
  used: number,
  { remainingMillis, resetsAt }: Taken,
  now: number
): void => {
  const settled = Math.min(allowance.unsettled, count)
  allowance.unsettled -= settled
  allowance.resetsAt = resetsAt
  allowance.endsAt = now + remainingMillis
  allowance.last = used - count + settled
  allowance.end = used
  const rest = Math.floor(Math.max(0, allowance.limit - used) / partOfRest)
  allowance.spare = Math.min(maxBlockSize, rest, Math.max(1, 2 * allowance.spare))
  // A copy, because a request may continue as soon as it gets its number, and a new one may start to wait.
  const waiting = [...allowance.waiting]
  for (const give of waiting) {
    if (allowance.last === allowance.end) break
    allowance.waiting.delete(give)
    allowance.last += 1
    give(currentCount(allowance))
  }
}

/** Counts the waiting requests in memory, because the store failed. */
export const countWaitingInMemory = (allowance: RateAllowance): void => {
  const waiting = [...allowance.waiting]
  for (const give of waiting) {
    allowance.waiting.delete(give)
    give(countedInMemory(allowance))
  }
}
