import {
  bookingMachine,
  type BusinessId,
  type Places,
  type Product,
  ProductId,
  ProductRepository
} from "@livery/domain"
import { Effect, Option } from "effect"
import { rowOf } from "../store/Fields.ts"
import { ascending, pageOf } from "../store/Pages.ts"
import type { PlacesRow, ProductRow } from "../store/Rows.ts"
import { inMemory } from "../store/Store.ts"

const stored = ({ deleted_at: _deleted, ...row }: ProductRow): Product => row

const rowOfPlaces = ({ from, productId, to }: Places, count: number): PlacesRow => ({
  productId,
  from: from.epochMilliseconds,
  to: to.epochMilliseconds,
  count
})

/** The most places that are taken at some time from `from` up to `to`. */
const peakOf = (rows: ReadonlyArray<PlacesRow>, from: number, to: number) => {
  const times = [from, ...rows.map((row) => row.from).filter((at) => at > from && at < to)]
  const takenAt = (at: number) =>
    rows.reduce((sum, row) => (row.from <= at && row.to > at ? sum + row.count : sum), 0)
  return Math.max(...times.map(takenAt))
}

export const layer = inMemory(ProductRepository, ({ bookings, places, products, step }) => {
  const find = (businessId: BusinessId, productId: ProductId) =>
    step(() => Option.map(Option.fromUndefinedOr(rowOf(products, businessId, productId)), stored))
  const peak = (productId: ProductId, from: number, to: number) =>
    peakOf(
      places.where((row) => row.productId === productId),
      from,
      to
    )

  return {
    insert: (product) =>
      step(() => {
        const product_id = ProductId.make(products.next())
        return stored(products.set(product_id, { ...product, product_id }))
      }),
    list: (businessId, active, page) =>
      step(() => {
        const listed = products
          .where(({ business_id, deleted_at }) => business_id === businessId && deleted_at === undefined)
          .filter((product) => active === undefined || product.active === active)
          .toSorted(ascending(({ name, product_id }) => [name, product_id]))
        return pageOf(listed.map(stored), page)
      }),
    find,
    lock: find,
    lockPlaces: () => Effect.void,
    update: (product, now) =>
      step(() => {
        const { capacity, product_id } = product
        const taken = peak(product_id, now.epochMilliseconds, Number.POSITIVE_INFINITY)
        if (capacity !== null && taken > capacity) return false
        products.change(product_id, product)
        return true
      }),
    remove: (businessId, productId, now) =>
      step(() => {
        if (rowOf(products, businessId, productId)) products.change(productId, { deleted_at: now })
      }),
    openBookings: (businessId, productId, now, limit) =>
      step(() =>
        bookings
          .where(
            ({ business_id, deleted_at, ends_at, product_id, status }) =>
              business_id === businessId &&
              product_id === productId &&
              deleted_at === undefined &&
              !bookingMachine.isTerminal(status) &&
              ends_at.epochMilliseconds > now.epochMilliseconds
          )
          .map(({ booking_id }) => booking_id)
          .slice(0, limit)
      ),
    reserve: (businessId, wanted) =>
      step(() => {
        const row = rowOfPlaces(wanted, wanted.count)
        const capacity = rowOf(products, businessId, wanted.productId)?.capacity ?? Number.POSITIVE_INFINITY
        if (peak(wanted.productId, row.from, row.to) + row.count > capacity) return false
        places.set(places.next(), row)
        return true
      }),
    release: (_, given) =>
      step(() => {
        places.set(places.next(), rowOfPlaces(given, -given.count))
      })
  }
})
