import { Effect, Schema } from "effect"
import {
  type BusinessId,
  isOpenQuote,
  type NewQuote,
  Quote,
  type QuoteId,
  quoteMachine,
  QuoteRepository
} from "@livery/domain"
import { columnsOf, valuesOf } from "../sql/rows/Columns.ts"
import { business, forBusiness } from "../sql/statements/ForBusiness.ts"
import { pagesOf } from "../sql/lists/Pages.ts"
import { execute, instant, rowsAs, firstOf } from "../sql/rows/Rows.ts"
import { inStates, stateLiterals } from "../sql/rows/States.ts"
import { hasStatus, rowsInStatuses } from "./DueStatus.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const quoteStatus = stateLiterals(quoteMachine)

/** The stored statuses of quotes that may have this one, as literals: an open quote may have expired. */
const storedAs = (status: Quote["status"]): ReadonlyArray<string> =>
  quoteMachine.states
    .filter((stored) => stored === status || (status === "expired" && isOpenQuote(stored)))
    .map((stored) => quoteStatus[stored])

const quotes = rowsAs(Quote)
const pageOfQuotes = pagesOf(Quote)
const ids = rowsAs(Schema.Struct({ quote_id: Schema.Int }))

/** The trips of a quote `q`, in the order of its items. */
const tripIds = `ARRAY(
  SELECT qt.trip_id FROM quote_trips qt
  WHERE qt.business_id = ${business} AND qt.quote_id = q.quote_id ORDER BY qt.trip_id)`

/** The columns that an update never sets. Trips are rows of another table. */
const immutable = new Set(["business_id", "quote_id", "reference", "trip_ids", "created_at"])
const updatedNames = Object.keys(Quote.fields).filter((name) => !immutable.has(name))
const insertedNames = Object.keys(Quote.fields).filter((name) => name !== "quote_id" && name !== "trip_ids")

const rowOf = (names: ReadonlyArray<string>, quote: NewQuote) => ({
  ...valuesOf(names, quote),
  items: JSON.stringify(quote.items)
})

export const layer = onPostgres(QuoteRepository, (sql) => {
  const columns = forBusiness(sql, columnsOf(Quote, "q", { trip_ids: tripIds }))
  const isOpen = sql.literal(`status ${inStates(quoteMachine, isOpenQuote)}`)
  const expired = sql.literal(quoteStatus.expired)

  const liveQuote = (businessId: BusinessId, quoteId: QuoteId) =>
    sql`business_id = ${businessId} AND quote_id = ${quoteId} AND deleted_at IS NULL`

  const find = (businessId: BusinessId, quoteId: QuoteId) =>
    firstOf(quotes(sql`SELECT ${columns(businessId)} FROM quotes q WHERE ${liveQuote(businessId, quoteId)}`))

  return {
    insert: (quote) =>
      firstOf(
        quotes(sql`
          INSERT INTO quotes AS q ${sql.insert(rowOf(insertedNames, quote))}
          ON CONFLICT (business_id, reference) DO NOTHING
          RETURNING ${sql.literal(columnsOf(Quote, "q", { trip_ids: "ARRAY[]::bigint[]" }))}`)
      ),
    list: (businessId, query, now, page) => {
      const { before, customerId, from, reference, status } = query
      const isDue = sql`${isOpen} AND valid_until <= ${instant(now)}`
      const order = sql`created_at DESC, quote_id DESC`
      const listed = rowsInStatuses(sql, {
        table: "quotes",
        alias: "q",
        conditions: [
          sql`business_id = ${businessId}`,
          sql`deleted_at IS NULL`,
          ...(customerId === undefined ? [] : [sql`customer_id = ${customerId}`]),
          ...(reference === undefined ? [] : [sql`reference = ${reference}`]),
          ...(from === undefined ? [] : [sql`created_at >= ${instant(from)}`]),
          ...(before === undefined ? [] : [sql`created_at < ${instant(before)}`])
        ],
        statuses: status === undefined ? [] : storedAs(status),
        order
      })
      return pageOfQuotes(sql, page, {
        columns: columns(businessId),
        from: listed.from,
        where: sql.and([
          ...listed.where,
          ...(status === undefined ? [] : [hasStatus(sql, sql`status`, quoteStatus, status, isDue)])
        ]),
        order
      })
    },
    find,
    lock: Effect.fnUntraced(function* (businessId, quoteId) {
      // A separate statement, so that the next one sees trips that were committed while this one waited.
      yield* Effect.orDie(sql`SELECT FROM quotes WHERE ${liveQuote(businessId, quoteId)} FOR NO KEY UPDATE`)
      return yield* find(businessId, quoteId)
    }),
    findByToken: (businessId, tokenHash) =>
      firstOf(
        quotes(sql`
          SELECT ${columns(businessId)} FROM quotes q
          WHERE business_id = ${businessId} AND token_hash = ${tokenHash} AND deleted_at IS NULL`)
      ),
    update: (quote) =>
      execute(sql`
          UPDATE quotes SET ${sql.update(rowOf(updatedNames, quote))}
          WHERE ${liveQuote(quote.business_id, quote.quote_id)}`),
    addTrips: (businessId, quoteId, added) =>
      execute(sql`
          INSERT INTO quote_trips (business_id, quote_id, trip_id)
          SELECT ${businessId}::bigint, ${quoteId}::bigint, unnest(${added}::bigint[])`),
    remove: (businessId, quoteId, now) =>
      execute(sql`
          UPDATE quotes SET deleted_at = ${instant(now)}, token_hash = NULL WHERE ${liveQuote(businessId, quoteId)}`),
    expireDue: (now, limit) =>
      Effect.map(
        ids(sql`
          UPDATE quotes SET status = ${expired}, updated_at = ${instant(now)}
          WHERE (business_id, quote_id) IN (
            SELECT business_id, quote_id FROM quotes
            WHERE ${isOpen} AND valid_until <= ${instant(now)} AND deleted_at IS NULL
            ORDER BY valid_until LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED)
          RETURNING quote_id`),
        ({ length }) => length
      )
  }
})
