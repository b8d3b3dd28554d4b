/** The use cases of products (docs/api/sales.md). */
import { Context, DateTime, Effect, Equal, Layer, Option } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { ConfirmationRequired, Conflict, InvalidInput, orNotFound } from "../../kernel/Errors.ts"
import type { ProductId } from "../../kernel/Ids.ts"
import type { Currency } from "../../kernel/money/Currency.ts"
import * as Money from "../../kernel/money/Money.ts"
import { mapPage, type PageRequest } from "../../kernel/Page.ts"
import { type Precondition, unconditional } from "../../kernel/Precondition.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import type { DeletionTerms } from "../../trips/trip/Deletion.ts"
import { type ProductChanges, type ProductInput, type ProductRecord, productRecord } from "./Product.ts"
import { ProductRepository } from "./ProductRepository.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** `ConfirmationRequired` names at most this many bookings. */
const maxNamedBookings = 20

const minorOf = (price: number, currency: Currency) =>
  Option.match(Money.fromMajor(price, currency), {
    onNone: () =>
      Effect.fail(
        new InvalidInput({ issues: [{ field: "price", ...Money.issueOfRefused(price, currency) }] })
      ),
    onSome: ({ minor }) => Effect.succeed(minor)
  })

/** `NotFound` if the product is absent or another business's; `Conflict` if the precondition fails. */
export class Products extends Context.Service<Products>()("@livery/domain/Products", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const products = yield* ProductRepository

    const requireProduct = orNotFound("product")

    return {
      /** `InvalidInput` for a price with more decimals than the currency. */
      create: traced("Products.create")(function* (
        { business_id, currency: ownCurrency }: ActingBusiness,
        { currency: sent, price, ...input }: ProductInput
      ) {
        const now = yield* DateTime.now
        const currency = sent ?? ownCurrency
        const price_minor = yield* minorOf(price, currency)
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
       * more places than the new capacity are taken.
       */
      update: traced("Products.update")(function* (
        { business_id }: ActingBusiness,
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
          const price_minor = yield* minorOf(price ?? record.price, currency)
          const after = { ...before, ...changes, currency, price_minor }
          if (Equal.equals(after, before)) return record
          const stored = { ...after, updated_at: now }
          if (!(yield* products.update(stored, now)))
            return yield* new Conflict({ reason: "More places than that are booked at some time" })
          return productRecord(stored)
        })
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
