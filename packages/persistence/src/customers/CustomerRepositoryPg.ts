import { Array, Effect, Schema } from "effect"
import type { SqlError } from "effect/sql"
import {
  type BusinessId,
  Customer,
  type CustomerId,
  CustomerInput,
  CustomerRepository,
  DriverId,
  EmailExists,
  searchWordsOf
} from "@livery/domain"
import { columnsOf, columnsSetBy, valuesOf } from "../sql/rows/Columns.ts"
import { pagesOf } from "../sql/lists/Pages.ts"
import { violates } from "../sql/statements/PgErrors.ts"
import { instant, oneRow, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { searchedPagesOf } from "../sql/lists/SearchedPages.ts"
import { besideWords, documentOf, documentQueryOf } from "../sql/lists/SearchDocument.ts"
import { lockCustomerEmails } from "../trips/ReferenceLocks.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const customers = rowsAs(Customer)
const driverIdsOf = rowsAs(Schema.Struct({ driver_id: DriverId }))
const pageOfCustomers = pagesOf(Customer)
const pageOfMatches = searchedPagesOf(Customer)

/** The columns that requests set. */
const setByCallers = columnsSetBy(CustomerInput, Customer)

/** The `tsvector` of the words by which a customer is found. */
const searchOf = (businessId: BusinessId, customer: CustomerInput) =>
  documentOf(businessId, searchWordsOf(customer))

const emailIsTaken = (error: SqlError.SqlError) => violates(error, "customers_by_email")

/** Customers in the table `customers`, with the index of words by which they are found. */
export const layer = onPostgres(CustomerRepository, (sql) => {
  const columns = sql.literal(columnsOf(Customer))
  const written = sql.literal(setByCallers.join(", "))
  const given = sql.literal(setByCallers.map((name) => `r.${name}`).join(", "))
  const liveCustomer = (businessId: BusinessId, customerId: CustomerId) =>
    sql`business_id = ${businessId} AND customer_id = ${customerId} AND deleted_at IS NULL`

  return {
    insert: Effect.fnUntraced(function* (businessId, customer, now) {
      const row = {
        ...valuesOf(setByCallers, customer),
        business_id: businessId,
        search: searchOf(businessId, customer),
        created_at: instant(now),
        updated_at: instant(now)
      }
      const [inserted] = yield* customers(sql`
        INSERT INTO customers ${sql.insert(row)}
        ON CONFLICT (business_id, email) WHERE email IS NOT NULL AND deleted_at IS NULL DO NOTHING
        RETURNING ${columns}`)
      return inserted ?? (yield* new EmailExists())
    }),
    insertAll: (businessId, all, now) => {
      if (all.length === 0) return Effect.succeed([])
      const rows = all.map((customer) => ({
        ...valuesOf(setByCallers, customer),
        search: searchOf(businessId, customer)
      }))
      return customers(sql`
        INSERT INTO customers (business_id, ${written}, search, created_at, updated_at)
        SELECT ${businessId}::bigint, ${given}, c.search::tsvector, ${instant(now)}::timestamptz, ${instant(now)}::timestamptz
        FROM jsonb_array_elements(${JSON.stringify(rows)}::jsonb) WITH ORDINALITY AS e (row, place),
          jsonb_populate_record(NULL::customers, e.row - 'search') AS r,
          jsonb_to_record(e.row) AS c (search text)
        ORDER BY e.place
        ON CONFLICT (business_id, email) WHERE email IS NOT NULL AND deleted_at IS NULL DO NOTHING
        RETURNING ${columns}`)
    },
    list: (businessId, words, page) => {
      const where = sql`business_id = ${businessId} AND deleted_at IS NULL`
      const order = sql`name, customer_id`
      if (words === undefined)
        return pageOfCustomers(sql, page, { columns, from: sql`customers`, where, order })
      if (words.length === 0) return Effect.succeed({ items: [], total: 0, hasMore: false })
      return pageOfMatches(sql, page, {
        columns,
        table: sql`customers`,
        alias: sql`c`,
        where,
        matches: sql`
          ${besideWords(sql, businessId, sql`c`)} AND search @@ ${documentQueryOf(businessId, words)}::tsquery
          AND deleted_at IS NULL`,
        order
      })
    },
    find: (businessId, customerId) =>
      firstOf(customers(sql`SELECT ${columns} FROM customers WHERE ${liveCustomer(businessId, customerId)}`)),
    lock: (businessId, customerId) =>
      firstOf(
        customers(sql`
          SELECT ${columns} FROM customers WHERE ${liveCustomer(businessId, customerId)} FOR NO KEY UPDATE`)
      ),
    lockForDelete: (businessId, customerId) =>
      firstOf(
        customers(
          sql`SELECT ${columns} FROM customers WHERE ${liveCustomer(businessId, customerId)} FOR UPDATE`
        )
      ),
    hasTariff: (businessId, tariffId) =>
      Effect.map(
        Effect.orDie(sql`
          SELECT FROM tariffs
          WHERE business_id = ${businessId} AND tariff_id = ${tariffId} AND deleted_at IS NULL`),
        (rows) => rows.length > 0
      ),
    driversAmong: (businessId, driverIds) =>
      Effect.map(
        driverIdsOf(sql`
          SELECT driver_id FROM drivers
          WHERE business_id = ${businessId} AND driver_id = ANY (${driverIds}::bigint[]) AND deleted_at IS NULL
          ORDER BY driver_id`),
        Array.map(({ driver_id }) => driver_id)
      ),
    lockEmails: (businessId) => lockCustomerEmails(sql, businessId, "FOR UPDATE"),
    update: Effect.fnUntraced(function* (businessId, customerId, customer, now) {
      const row = {
        ...valuesOf(setByCallers, customer),
        search: searchOf(businessId, customer),
        updated_at: instant(now)
      }
      const updated = yield* sql<object>`
        UPDATE customers SET ${sql.update(row)} WHERE ${liveCustomer(businessId, customerId)}
        RETURNING ${columns}`.pipe(
        Effect.catch((error) => (emailIsTaken(error) ? Effect.fail(new EmailExists()) : Effect.die(error)))
      )
      return yield* oneRow(customers(Effect.succeed(updated)))
    }),
    remove: Effect.fnUntraced(function* (businessId, customerId, now) {
      yield* sql`
        DELETE FROM customers WHERE ${liveCustomer(businessId, customerId)}
          AND NOT EXISTS (SELECT FROM trips WHERE business_id = ${businessId} AND customer_id = ${customerId})
          AND NOT EXISTS (SELECT FROM bookings WHERE business_id = ${businessId} AND customer_id = ${customerId})
          AND NOT EXISTS (SELECT FROM quotes WHERE business_id = ${businessId} AND customer_id = ${customerId})
          AND NOT EXISTS (SELECT FROM invoices WHERE business_id = ${businessId} AND customer_id = ${customerId})`
      yield* sql`UPDATE customers SET deleted_at = ${instant(now)} WHERE ${liveCustomer(businessId, customerId)}`
    }, Effect.orDie)
  }
})
