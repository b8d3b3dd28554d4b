import { SeatRepository } from "@livery/domain"
import { descending } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(SeatRepository, ({ drivers, seats, step }) => ({
  count: (businessId) =>
    step(() => ({
      active: drivers.where(
        ({ active, business_id, deleted_at }) =>
          business_id === businessId && active && deleted_at === undefined
      ).length,
      seats: seats.where(({ business_id, endedAt }) => business_id === businessId && endedAt === null).length
    })),
  take: (business_id, driver_id, price) =>
    step(() => {
      const seat_id = seats.next()
      seats.set(seat_id, { seat_id, business_id, driver_id, price, endedAt: null })
    }),
  end: (businessId, count, driverId, now) =>
    step(() => {
      const open = seats
        .where(({ business_id, endedAt }) => business_id === businessId && endedAt === null)
        .toSorted(descending(({ driver_id, seat_id }) => [driver_id === driverId ? 1 : 0, seat_id]))
      for (const { seat_id } of open.slice(0, count)) seats.change(seat_id, { endedAt: now })
    })
}))
