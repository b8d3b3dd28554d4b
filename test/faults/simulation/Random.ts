/** Pseudorandom numbers: the same seed gives the same sequence. */
export interface Random {
  /** A number from 0 up to 1, without 1. */
  readonly next: () => number
  readonly between: (low: number, high: number) => number
  /** A whole number from `low` to `high`, both included. */
  readonly whole: (low: number, high: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <A>(choices: readonly [A, ...Array<A>]) => A
}

/** A generator with 32 bits of state. It is fast, and its quality suffices to order events. */
export const randomFrom = (seed: number): Random => {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (low: number, high: number) => low + (high - low) * next()
  const whole = (low: number, high: number) => Math.floor(between(low, high + 1))
  return {
    next,
    between,
    whole,
    chance: (probability) => next() < probability,
    pick: (choices) => choices[whole(0, choices.length - 1)] ?? choices[0]
  }
}
