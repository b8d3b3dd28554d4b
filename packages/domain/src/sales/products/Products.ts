/** The use cases of products (docs/api/sales.md). */
import { Context, DateTime, Effect, Equal, Layer, Option } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import {
  ConfirmationRequired,
  Conflict,
  type InvalidInput,
  orNotFound,
  refuseIssues
} from "../../kernel/Errors.ts"
import type { ProductId } from "../../kernel/Ids.ts"
import type { Currency } from "../../kernel/money/Currency.ts"
import * as Money from "../../kernel/money/Money.ts"
import { mapPage, type PageRequest } from "../../kernel/Page.ts"
import { type Precondition, unconditional } from "../../kernel/Precondition.ts"
import { wallClock } from "../../kernel/time/WallClock.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import type { DeletionTerms } from "../../trips/trip/Deletion.ts"
import { DepartureRepository } from "./DepartureRepository.ts"
import { makeDepartureList } from "./DepartureList.ts"
import { departureRecord } from "./DepartureRecord.ts"
import { type DepartureDays, seatsAt } from "./Departures.ts"
import {
  departureIssues,
  type Product,
  type ProductChanges,
  type ProductInput,
  type ProductRecord,
  productRecord
} from "./Product.ts"
import { ProductRepository } from "./ProductRepository.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** No booking starts later. */
const never = DateTime.makeUnsafe("9999-12-31T23:59:59Z")

/** `ConfirmationRequired` names at most this many bookings. */
const maxNamedBookings = 20

/** The price in minor units; `InvalidInput` for a price with more decimals than the currency, and for wrong departures. */
const checkedPrice = (
  price: number,
  currency: Currency,
  product: Parameters<typeof departureIssues>[0]
): Effect.Effect<number, InvalidInput> =>
  Option.match(Money.fromMajor(price, currency), {
    onNone: () =>
      refuseIssues([
        { field: "price", ...Money.issueOfRefused(price, currency) },
        ...departureIssues(product)
      ]).pipe(Effect.andThen(Effect.die("A price without minor units is an issue"))),
    onSome: ({ minor }) => Effect.as(refuseIssues(departureIssues(product)), minor)
  })

/** `NotFound` if the product is absent or another business's; `Conflict` if the precondition fails. */
export class Products extends Context.Service<Products>()("@livery/domain/Products", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const products = yield* ProductRepository

    const departed = yield* DepartureRepository
    const departuresOf = yield* makeDepartureList

    const requireProduct = orNotFound("product")

    /** Fails if more places of a coming departure are taken than the schedule of the product has seats for it. */
    const requireSeatsTaken = Effect.fnUntraced(function* (
      { business_id, departures, product_id }: Product,
      timezone: string,
      now: DateTime.Utc
    ) {
      const booked = yield* departed.booked(business_id, product_id, { from: now, before: never }, now)
      const short = booked.find(
        ({ starts_at, taken }) => taken > (seatsAt(departures, starts_at, timezone) ?? taken)
      )
      if (short !== undefined)
        return yield* new Conflict({
          reason: `${short.taken} places are booked at ${wallClock(short.starts_at, timezone).slice(0, 16)}`
        })
    })

    return {
      /** `InvalidInput` for a price with more decimals than the currency, and for departures that a product cannot have. */
      create: traced("Products.create")(function* (
        { business_id, currency: ownCurrency }: ActingBusiness,
        { currency: sent, price, ...input }: ProductInput
      ) {
        const now = yield* DateTime.now
        const currency = sent ?? ownCurrency
        const price_minor = yield* checkedPrice(price, currency, input)
        const stamps = { created_at: now, updated_at: now }
        return productRecord(
          yield* products.insert({ ...input, ...stamps, business_id, currency, price_minor })
        )
      }),

      /** The products by name: all, or only the active or the inactive ones. */
      list: traced("Products.list")(function* (
        { business_id }: ActingBusiness,
        { active }: { readonly active?: boolean | undefined },
        page: PageRequest
      ) {
        return mapPage(yield* products.list(business_id, active, page), productRecord)
      }),

      get: traced("Products.get")(function* ({ business_id }: ActingBusiness, productId: ProductId) {
        return productRecord(yield* requireProduct(yield* products.find(business_id, productId)))
      }),

      /**
       * Changes the given fields. Bookings keep the price and the duration that they were made with. `Conflict` if
       * more places than the new capacity, or than the new seats of a departure, are taken. A departure that the schedule no
       * longer has keeps its bookings.
       */
      update: traced("Products.update")(function* (
        { business_id, timezone }: ActingBusiness,
        productId: ProductId,
        { currency: sent, price, ...changes }: ProductChanges,
        precondition: Precondition<ProductRecord> = unconditional
      ) {
        const now = yield* DateTime.now
        return yield* atomically(transaction, function* () {
          const before = yield* requireProduct(yield* products.lock(business_id, productId))
          const record = productRecord(before)
          yield* precondition(record)
          const currency = sent ?? before.currency
          // Without another price, its figure stays: 12.50 USD becomes 12.50 CHF.
          const wanted = { ...before, ...changes, currency }
          const price_minor = yield* checkedPrice(price ?? record.price, currency, wanted)
          const after = { ...wanted, price_minor }
          if (Equal.equals(after, before)) return record
          if (!Equal.equals(after.departures, before.departures))
            yield* requireSeatsTaken(after, timezone, now)
          const stored = { ...after, updated_at: now }
          if (!(yield* products.update(stored, now)))
            return yield* new Conflict({ reason: "More places than that are booked at some time" })
          return productRecord(stored)
        })
      }),

      /**
       * The departures of a tour on these days, with their bookings. One that the schedule no longer has is in the list while
       * it has bookings. `InvalidInput` for days in the wrong order or more than {@link maxListedDays}.
       */
      departures: traced("Products.departures")(function* (
        { business_id, timezone }: ActingBusiness,
        productId: ProductId,
        days: DepartureDays
      ) {
        const product = yield* requireProduct(yield* products.find(business_id, productId))
        return (yield* departuresOf(product, days, timezone)).map((departure) =>
          departureRecord(departure, timezone)
        )
      }),

      /** Deletes a product; its bookings stay. `ConfirmationRequired` if it has open bookings. */
      remove: traced("Products.remove")(function* (
        { business_id }: ActingBusiness,
        productId: ProductId,
        { force = false, precondition = unconditional }: DeletionTerms<ProductRecord> = {}
      ) {
        const now = yield* DateTime.now
        return yield* atomically(transaction, function* () {
          const last = productRecord(yield* requireProduct(yield* products.lock(business_id, productId)))
          yield* precondition(last)
          const open = yield* products.openBookings(business_id, productId, now, maxNamedBookings)
          if (open.length > 0 && !force)
            return yield* new ConfirmationRequired({
              reason: "The product has open bookings",
              atStake: open.map((booking_id) => ({ booking_id }))
            })
          yield* products.remove(business_id, productId, now)
          return last
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Products, Products.make)
}
