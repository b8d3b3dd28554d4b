/** The contract of `TripListRepository`. */
import {
  type BusinessId,
  InvoiceRepository,
  TripListRepository,
  type TripPage,
  type Trip,
  type TripQuery
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { at, contract } from "./Contract.ts"
import { invoiceDraft } from "./InvoiceDraft.ts"
import { assign, changeTrip, newBusiness, newCustomer, newDriver, newTrip, now, wholeList } from "./Given.ts"

const idsOf = ({ items }: TripPage<Trip>) => items.map(({ trip_id }) => trip_id)

/** Trips at ten, eleven, eleven and noon, made in another order; and another business's trip. */
const fourTrips = Effect.gen(function* () {
  const lists = yield* TripListRepository
  const business = yield* newBusiness
  yield* newTrip(yield* newBusiness)
  const trip = (time: string) => newTrip(business, { trip_date: at(time) })
  const noon = yield* trip("12:00:00")
  const ten = yield* trip("10:00:00")
  const eleven = yield* trip("11:00:00")
  const another = yield* trip("11:00:00")
  const ids = [ten, eleven, another, noon].map(({ trip_id }) => trip_id)
  return { lists, business, trips: { ten, eleven, another, noon }, ids }
})

/** The pages of a list from a cursor on. */
const pagesAfter = Effect.fnUntraced(function* (
  businessId: BusinessId,
  query: TripQuery,
  first: TripPage<Trip>
) {
  const lists = yield* TripListRepository
  const pages = [first]
  for (let cursor = first.nextCursor; cursor !== undefined && pages.length < 10;) {
    const page: TripPage<Trip> = Option.getOrThrow(
      yield* lists.after(businessId, query, cursor, first.items.length)
    )
    pages.push(page)
    cursor = page.nextCursor
  }
  return pages
})

export const tripListRepository = contract("the list of trips", (it) => {
  it.effect("is by pickup time, then by id, without deleted trips", () =>
    Effect.gen(function* () {
      const { business, ids, lists } = yield* fourTrips
      const deleted = yield* newTrip(business)
      yield* changeTrip(business, deleted.trip_id, { deleted_at: now })
      const soonest = yield* lists.page(business, { order: "soonest" }, wholeList)
      assert.deepStrictEqual(idsOf(soonest), ids)
      assert.deepInclude(soonest, { page: 1, total: 4, hasMore: false, nextCursor: undefined })
      const latest = yield* lists.page(business, { order: "latest" }, wholeList)
      assert.deepStrictEqual(idsOf(latest), ids.toReversed())
    })
  )

  it.effect("holds the trips that match every given field, with their drivers", () =>
    Effect.gen(function* () {
      const { business, lists, trips } = yield* fourTrips
      const customer = yield* newCustomer(business)
      const { another, eleven, noon, ten } = trips
      yield* changeTrip(business, eleven.trip_id, { customer_id: customer, payment_status: "paid" })
      yield* changeTrip(business, noon.trip_id, { status: "cancelled", group_id: "wedding" })
      yield* assign(another, yield* newDriver(business))
      const found = (query: Omit<TripQuery, "order">) =>
        Effect.map(lists.page(business, { ...query, order: "soonest" }, wholeList), idsOf)
      assert.deepStrictEqual(yield* found({ status: "cancelled" }), [noon.trip_id])
      assert.deepStrictEqual(yield* found({ paymentStatus: "paid" }), [eleven.trip_id])
      const invoices = yield* InvoiceRepository
      const invoice = yield* invoices.insert(invoiceDraft(business), now)
      yield* changeTrip(business, eleven.trip_id, { invoice_id: invoice.invoice_id })
      assert.deepStrictEqual(yield* found({ invoiced: true }), [eleven.trip_id])
      const others = [ten.trip_id, another.trip_id, noon.trip_id]
      assert.deepStrictEqual(yield* found({ invoiced: false }), others)
      assert.deepStrictEqual(yield* found({ invoiced: false, status: "cancelled" }), [noon.trip_id])
      assert.deepStrictEqual(yield* found({ invoiced: true, paymentStatus: "unpaid" }), [])
      assert.deepStrictEqual(yield* found({ invoiced: true, customerId: customer }), [eleven.trip_id])
      assert.sameMembers(yield* found({ invoiced: false, updatedSince: now }), others)
      assert.deepStrictEqual(yield* found({ customerId: customer, status: "cancelled" }), [])
      assert.deepStrictEqual(yield* found({ customerId: customer }), [eleven.trip_id])
      assert.deepStrictEqual(yield* found({ groupId: "wedding" }), [noon.trip_id])
      assert.deepStrictEqual(yield* found({ groupId: "Wedding" }), [])
      assert.deepStrictEqual(yield* found({ before: at("11:00:00") }), [ten.trip_id])
      const between = { from: at("11:00:00"), before: at("12:00:00") }
      assert.deepStrictEqual(yield* found(between), [eleven.trip_id, another.trip_id])
      const { items } = yield* lists.page(business, { ...between, order: "latest" }, wholeList)
      assert.lengthOf(items[0]?.drivers ?? [], 1)
    })
  )

  it.effect("is read by page numbers, with its total", () =>
    Effect.gen(function* () {
      const { business, ids, lists } = yield* fourTrips
      const page = (number: number) =>
        lists.page(business, { order: "soonest" }, { page: number, perPage: 3 })
      const [first, second, third] = [yield* page(1), yield* page(2), yield* page(3)]
      assert.deepStrictEqual([idsOf(first), first.total, first.hasMore], [ids.slice(0, 3), 4, true])
      assert.deepStrictEqual([idsOf(second), second.total, second.hasMore], [ids.slice(3), 4, false])
      assert.deepStrictEqual([idsOf(third), third.total, third.hasMore], [[], 4, false])
    })
  )

  it.effect.each(["soonest", "latest"] as const)(
    "is read by cursors, each trip once, the %s first",
    (order) =>
      Effect.gen(function* () {
        const { business, ids, lists } = yield* fourTrips
        const first = yield* lists.page(business, { order }, { page: 1, perPage: 1 })
        const pages = yield* pagesAfter(business, { order }, first)
        assert.deepStrictEqual(pages.flatMap(idsOf), order === "soonest" ? ids : ids.toReversed())
        assert.deepStrictEqual(
          pages.map(({ hasMore, page }) => [page, hasMore]),
          [
            [1, true],
            [2, true],
            [3, true],
            [4, false]
          ]
        )
      })
  )

  it.effect("refuses a page number after 100,000 trips, and after 1,000 matches of a search", () =>
    Effect.gen(function* () {
      const { business, lists } = yield* fourTrips
      const page = (query: Omit<TripQuery, "order">, number: number) =>
        lists.page(business, { ...query, order: "latest" }, { page: number, perPage: 20 })
      assert.isEmpty((yield* page({}, 5001)).items)
      assert.isEmpty((yield* page({ words: [["none"]] }, 50)).items)
      for (const refused of [page({}, 5002), page({ words: [["none"]] }, 51)])
        assert.deepStrictEqual((yield* Effect.flip(refused)).issues, [
          { field: "page", issue: "out_of_range" }
        ])
    })
  )

  it.effect("of the trips changed since an instant is in the order of the changes, the earliest first", () =>
    Effect.gen(function* () {
      const { business, lists, trips } = yield* fourTrips
      const { eleven, noon, ten } = trips
      for (const [index, { trip_id }] of [noon, ten, eleven].entries())
        yield* changeTrip(business, trip_id, { updated_at: at(`2${index}:00:00`) })
      const changed = [noon, ten, eleven].map(({ trip_id }) => trip_id)
      for (const order of ["soonest", "latest"] as const) {
        const query = { updatedSince: at("20:00:00"), order }
        const first = yield* lists.page(business, query, { page: 1, perPage: 1 })
        assert.strictEqual(first.total, 3)
        assert.deepStrictEqual((yield* pagesAfter(business, query, first)).flatMap(idsOf), changed)
      }
    })
  )

  it.effect("has nothing after a text that is no cursor", () =>
    Effect.gen(function* () {
      const { business, lists } = yield* fourTrips
      for (const cursor of ["", "x", "MQ", "Mi4xLjE=", "LTEuMS4x"])
        assert.deepStrictEqual(yield* lists.after(business, { order: "soonest" }, cursor, 10), Option.none())
    })
  )
})
