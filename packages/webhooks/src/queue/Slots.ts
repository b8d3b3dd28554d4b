/**
 * The slots of a dispatcher. A delivery takes one from its claim until its result is written, so that the number held
 * by a process is limited even during a database outage.
 *
 * Hanging attempts do not delay other deliveries: after a second, an attempt no longer takes a slot and counts against
 * a larger limit, because it costs only a socket and little memory.
 */
import { type ClaimedDelivery, hangsAfterSeconds } from "@livery/domain"
import { type Clock, Latch } from "effect"

/** The most deliveries held per slot, including those with a hanging attempt. */
const maxHeldPerSlot = 4

const hangsAfterNanos = BigInt(hangsAfterSeconds) * 1_000_000_000n

/**
 * Makes empty slots for `concurrency` deliveries, not counting hanging ones. `freed` is called whenever some are freed.
 */
export const makeSlots = (concurrency: number, clock: Clock.Clock, freed: () => void) => {
  const held = new Set<ClaimedDelivery>()
  // When each delivery whose attempt has not ended was claimed, oldest first: a map iterates in the order of insertion.
  const running = new Map<ClaimedDelivery, bigint>()
  const empty = Latch.makeUnsafe(true)

  /** The number of attempts that hang, and the milliseconds until the next one does: 0 if there is none. */
  const hanging = () => {
    const now = clock.monotonicTimeNanosUnsafe()
    let count = 0
    for (const claimedAt of running.values()) {
      const left = hangsAfterNanos - (now - claimedAt)
      if (left >= 0n) return { count, millisUntilNext: Math.floor(Number(left) / 1e6) + 1 }
      count += 1
    }
    return { count, millisUntilNext: 0 }
  }

  return {
    take: (deliveries: ReadonlyArray<ClaimedDelivery>): void => {
      const now = clock.monotonicTimeNanosUnsafe()
      for (const delivery of deliveries) {
        held.add(delivery)
        running.set(delivery, now)
      }
      if (held.size > 0) empty.closeUnsafe()
    },
    /** Marks the attempt as ended. The delivery keeps its slot until it is freed. */
    attempted: (delivery: ClaimedDelivery): void => void running.delete(delivery),
    free: (deliveries: ReadonlyArray<ClaimedDelivery>): void => {
      for (const delivery of deliveries) {
        held.delete(delivery)
        running.delete(delivery)
      }
      if (held.size === 0) empty.openUnsafe()
      freed()
    },
    /** The number of further deliveries that can be taken now. */
    freeCount: (): number =>
      Math.min(concurrency - held.size + hanging().count, concurrency * maxHeldPerSlot - held.size),
    /** Milliseconds until a running attempt starts to hang, which frees its slot for another; 0 if there is none. */
    millisUntilHanging: (): number => hanging().millisUntilNext,
    isMoreThanHalfFull: (): boolean => held.size > concurrency / 2,
    /** Open while no slot is taken. */
    empty
  }
}
