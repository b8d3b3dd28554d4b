/**
 * The slots of a dispatcher. A delivery takes one from its claim until its result is written, so that what one process
 * holds is bounded even while the database is away.
 */
import type { ClaimedDelivery } from "@livery/domain"
import { Latch } from "effect"

/** The most deliveries that may be held. */
export interface SlotBounds {
  readonly concurrency: number
  readonly perEndpoint: number
  readonly perBusiness: number
}

const countBy = (deliveries: Iterable<ClaimedDelivery>, key: "businessId" | "endpointId") => {
  const counts = new Map<number, number>()
  for (const delivery of deliveries) counts.set(delivery[key], (counts.get(delivery[key]) ?? 0) + 1)
  return [...counts.values()]
}

/** Makes empty slots. `freed` is called whenever some are freed. */
export const makeSlots = (bounds: SlotBounds, freed: () => void) => {
  const held = new Set<ClaimedDelivery>()
  const empty = Latch.makeUnsafe(true)
  return {
    take: (deliveries: ReadonlyArray<ClaimedDelivery>): void => {
      for (const delivery of deliveries) held.add(delivery)
      if (held.size > 0) empty.closeUnsafe()
    },
    free: (deliveries: ReadonlyArray<ClaimedDelivery>): void => {
      for (const delivery of deliveries) held.delete(delivery)
      if (held.size === 0) empty.openUnsafe()
      freed()
    },
    freeCount: (): number => bounds.concurrency - held.size,
    isMoreThanHalfFull: (): boolean => held.size > bounds.concurrency / 2,
    /** Whether an endpoint or a business holds as many as it may. */
    isSaturated: (): boolean =>
      countBy(held, "endpointId").some((count) => count >= bounds.perEndpoint) ||
      countBy(held, "businessId").some((count) => count >= bounds.perBusiness),
    /** Open while no slot is taken. */
    empty
  }
}
