import { Array, Effect, Schema } from "effect"
import {
  BookingId,
  bookingMachine,
  type BusinessId,
  type NewProduct,
  type Places,
  Product,
  type ProductId,
  ProductRepository
} from "@livery/domain"
import { columnsOf, valuesOf } from "../sql/rows/Columns.ts"
import { pagesOf } from "../sql/lists/Pages.ts"
import { execute, instant, oneRow, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { inStates } from "../sql/rows/States.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const products = rowsAs(Product)
const pageOfProducts = pagesOf(Product)
const peaks = rowsAs(Schema.Struct({ is_full: Schema.Boolean }))
const ids = rowsAs(Schema.Struct({ booking_id: BookingId }))

const names = Object.keys(Product.fields).filter((name) => name !== "product_id")

/** The values of the columns. The driver would write lists as arrays of PostgreSQL. */
const rowOf = (product: NewProduct): Record<string, unknown> => ({
  ...valuesOf(names, product),
  departures: JSON.stringify(product.departures),
  taxes: product.taxes === null ? null : JSON.stringify(product.taxes)
})

export const layer = onPostgres(ProductRepository, (sql) => {
  const columns = sql.literal(columnsOf(Product))
  const isOpen = sql.literal(
    `status ${inStates(bookingMachine, (status) => !bookingMachine.isTerminal(status))}`
  )

  const anyProduct = (businessId: BusinessId, productId: ProductId) =>
    sql`business_id = ${businessId} AND product_id = ${productId}`
  const liveProduct = (businessId: BusinessId, productId: ProductId) =>
    sql`${anyProduct(businessId, productId)} AND deleted_at IS NULL`

  const loadsWithin = (businessId: BusinessId, { from, productId, to }: Places) =>
    sql`${anyProduct(businessId, productId)} AND at >= ${instant(from)} AND at < ${instant(to)}`

  /** Adds a row at both ends of the window, so that the load can change there. */
  const splitLoads = (businessId: BusinessId, { from, productId, to }: Places) => sql`
    INSERT INTO product_loads (business_id, product_id, at, taken, capacity)
    SELECT ${businessId}::bigint, ${productId}::bigint, w.at,
      coalesce((
        SELECT l.taken FROM product_loads l
        WHERE l.business_id = ${businessId} AND l.product_id = ${productId} AND l.at <= w.at
        ORDER BY l.at DESC LIMIT 1), 0),
      (SELECT p.capacity FROM products p WHERE p.business_id = ${businessId} AND p.product_id = ${productId})
    FROM unnest(${[instant(from), instant(to)]}::timestamptz[]) AS w (at)
    ON CONFLICT (business_id, product_id, at) DO NOTHING`

  const add = (businessId: BusinessId, places: Places, count: number) =>
    sql`UPDATE product_loads SET taken = taken + ${count} WHERE ${loadsWithin(businessId, places)}`

  return {
    insert: (product) =>
      oneRow(products(sql`INSERT INTO products ${sql.insert(rowOf(product))} RETURNING ${columns}`)),
    list: (businessId, active, page) =>
      pageOfProducts(sql, page, {
        columns,
        from: sql`products`,
        where: sql`business_id = ${businessId} AND deleted_at IS NULL
          ${active === undefined ? sql`` : sql`AND active = ${active}`}`,
        order: sql`name, product_id`
      }),
    find: (businessId, productId) =>
      firstOf(products(sql`SELECT ${columns} FROM products WHERE ${liveProduct(businessId, productId)}`)),
    lock: (businessId, productId) =>
      firstOf(
        products(
          sql`SELECT ${columns} FROM products WHERE ${liveProduct(businessId, productId)} FOR NO KEY UPDATE`
        )
      ),
    lockPlaces: (businessId, productId) =>
      execute(sql`SELECT FROM products WHERE ${anyProduct(businessId, productId)} FOR NO KEY UPDATE`),
    update: Effect.fnUntraced(function* (product, now) {
      const { business_id, capacity, product_id } = product
      // The loads from the present one on. Earlier ones keep the capacity that they had.
      const fromNow = sql`${anyProduct(business_id, product_id)} AND at >= coalesce((
        SELECT max(p.at) FROM product_loads p
        WHERE p.business_id = ${business_id} AND p.product_id = ${product_id} AND p.at <= ${instant(now)}),
        '-infinity'::timestamptz)`
      const [full] = yield* peaks(
        sql`SELECT coalesce(max(taken) > ${capacity}::int, false) AS is_full FROM product_loads WHERE ${fromNow}`
      )
      if (full?.is_full === true) return false
      yield* sql`UPDATE product_loads SET capacity = ${capacity} WHERE ${fromNow}`
      yield* sql`UPDATE products SET ${sql.update(rowOf(product), ["business_id", "created_at"])}
        WHERE ${liveProduct(business_id, product_id)}`
      return true
    }, Effect.orDie),
    remove: (businessId, productId, now) =>
      execute(
        sql`UPDATE products SET deleted_at = ${instant(now)} WHERE ${liveProduct(businessId, productId)}`
      ),
    openBookings: (businessId, productId, now, limit) =>
      Effect.map(
        ids(sql`
          SELECT booking_id FROM bookings
          WHERE ${anyProduct(businessId, productId)} AND ${isOpen} AND ends_at > ${instant(now)} AND deleted_at IS NULL
          ORDER BY booking_id LIMIT ${limit}`),
        Array.map(({ booking_id }) => booking_id)
      ),
    reserve: Effect.fnUntraced(function* (businessId, places) {
      yield* splitLoads(businessId, places)
      const [full] = yield* peaks(sql`
        SELECT coalesce(bool_or(taken + ${places.count}::int > capacity), false) AS is_full FROM product_loads
        WHERE ${loadsWithin(businessId, places)}`)
      if (full?.is_full === true) return false
      yield* add(businessId, places, places.count)
      return true
    }, Effect.orDie),
    release: (businessId, places) => execute(add(businessId, places, -places.count))
  }
})
