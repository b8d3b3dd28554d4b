/** The port that stores products, and how many of their places are taken at each time. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BookingId, BusinessId, ProductId } from "../../kernel/Ids.ts"
import type { Page, PageRequest } from "../../kernel/Page.ts"
import type { Product } from "./Product.ts"

/** A product that is not stored yet. */
export type NewProduct = Omit<Product, "product_id">

/** Places of a product from `from` up to `to`, exclusive. */
export interface Places {
  readonly productId: ProductId
  readonly from: DateTime.Utc
  readonly to: DateTime.Utc
  readonly count: number
}

/**
 * No method returns a deleted product.
 *
 * - `list`: a page of the products by name, then id; all, or those that are active or not.
 * - `find`, `lock`: the business's product with that id; `lock` locks it until the transaction ends.
 * - `lockPlaces`: locks a product, also a deleted one, so that its places can be given back.
 * - `update`: stores the fields of a locked product. False, and nothing is stored, if more places than the new
 *   capacity are taken at some time from `now` on.
 * - `remove`: deletes a locked product.
 * - `openBookings`: at most `limit` bookings of a product that are pending or confirmed and end after `now`.
 * - `reserve`: takes places of a locked product. False, and none is taken, if at some time within the window more
 *   places than the capacity would be taken.
 * - `release`: gives back places of a locked product.
 */
export class ProductRepository extends Context.Service<
  ProductRepository,
  {
    readonly insert: (product: NewProduct) => Effect.Effect<Product>
    readonly list: (
      businessId: BusinessId,
      active: boolean | undefined,
      page: PageRequest
    ) => Effect.Effect<Page<Product>>
    readonly find: (businessId: BusinessId, productId: ProductId) => Effect.Effect<Option.Option<Product>>
    readonly lock: (businessId: BusinessId, productId: ProductId) => Effect.Effect<Option.Option<Product>>
    readonly lockPlaces: (businessId: BusinessId, productId: ProductId) => Effect.Effect<void>
    readonly update: (product: Product, now: DateTime.Utc) => Effect.Effect<boolean>
    readonly remove: (businessId: BusinessId, productId: ProductId, now: DateTime.Utc) => Effect.Effect<void>
    readonly openBookings: (
      businessId: BusinessId,
      productId: ProductId,
      now: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<BookingId>>
    readonly reserve: (businessId: BusinessId, places: Places) => Effect.Effect<boolean>
    readonly release: (businessId: BusinessId, places: Places) => Effect.Effect<void>
  }
>()("@livery/domain/ProductRepository") {}
