/**
 * The numbers that a node holds of one key in one window: a block that it took from the shared store, and the requests
 * that it counted in memory because the store was slow.
 */
import type { Demand, Taken } from "./RateStore.ts"
import type { WindowCount } from "./RateCounters.ts"

/** The largest block. */
const largestBlock = 1000

/** A block is at most this part of what is left of the limit: the nearer the limit, the smaller the blocks. */
const partOfRest = 10

/** A request that waits for a number. */
export type Waiting = (count: WindowCount) => void

/**
 * - `endsAt`: when the window ends by this node's clock, in Unix milliseconds.
 * - `last`: the last number that was given out; `end`: the last of the block.
 * - `spare`: how many numbers the next block has beyond those that are needed at once.
 * - `unsettled`: requests counted in memory, whose numbers are still to be taken from the store.
 */
export interface RateAllowance {
  readonly key: string
  readonly limit: number
  resetsAt: number
  endsAt: number
  last: number
  end: number
  spare: number
  unsettled: number
  readonly waiting: Set<Waiting>
}

/** Nothing is known of the key yet. */
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

/** Where the key stands. Requests counted in memory come after those that the store knows of. */
const standing = ({ last, resetsAt, unsettled }: RateAllowance): WindowCount => ({
  used: last + unsettled,
  resetsAt
})

/**
 * The next number of the block; a number above the limit if all up to the limit are taken, for which the store need not
 * be asked; `undefined` if a block must be taken first.
 */
export const nextNumber = (allowance: RateAllowance): WindowCount | undefined => {
  if (allowance.last < allowance.end) {
    allowance.last += 1
    return standing(allowance)
  }
  return allowance.last >= allowance.limit
    ? { used: allowance.last + 1, resetsAt: allowance.resetsAt }
    : undefined
}

/** Counts a request in memory, beside what is known of other nodes. */
export const countedInMemory = (allowance: RateAllowance): WindowCount => {
  allowance.unsettled += 1
  return standing(allowance)
}

/** The next block to take. */
export const demandOf = ({ key, spare, unsettled, waiting }: RateAllowance): Demand => ({
  key,
  count: unsettled + waiting.size + spare
})

/**
 * Takes up a block: for the requests counted in memory first, then for those that wait. Blocks double from the first on,
 * so that a node with few requests holds few numbers that others lack.
 */
export const takeUp = (
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
  allowance.spare = Math.min(largestBlock, rest, Math.max(1, 2 * allowance.spare))
  // A copy: a request that gets its number may go on at once, and the next one may begin to wait.
  const waiting = [...allowance.waiting]
  for (const give of waiting) {
    if (allowance.last === allowance.end) break
    allowance.waiting.delete(give)
    allowance.last += 1
    give(standing(allowance))
  }
}

/** Counts those in memory that wait, since the store has no answer for them. */
export const giveFromMemory = (allowance: RateAllowance): void => {
  const waiting = [...allowance.waiting]
  for (const give of waiting) {
    allowance.waiting.delete(give)
    give(countedInMemory(allowance))
  }
}
