import { type BusinessId, isOpenQuote, type Quote, quoteAt, QuoteId, QuoteRepository } from "@livery/domain"
import { Option } from "effect"
import { rowOf } from "../store/Fields.ts"
import { pageOf } from "../store/Pages.ts"
import { isWithin } from "../store/Ranges.ts"
import type { QuoteRow } from "../store/Rows.ts"
import { inMemory } from "../store/Store.ts"

/** The newest first. */
const newestFirst = (one: Quote, other: Quote) =>
  other.created_at.epochMilliseconds - one.created_at.epochMilliseconds || other.quote_id - one.quote_id

const stored = ({ deleted_at: _deleted, ...row }: QuoteRow): Quote => row

export const layer = inMemory(QuoteRepository, ({ quotes, step }) => {
  const ofBusiness = (businessId: BusinessId) =>
    quotes
      .where(({ business_id, deleted_at }) => business_id === businessId && deleted_at === undefined)
      .map(stored)
  const find = (businessId: BusinessId, quoteId: QuoteId) =>
    step(() => Option.map(Option.fromUndefinedOr(rowOf(quotes, businessId, quoteId)), stored))

  return {
    insert: (quote) =>
      step(() => {
        const isTaken = quotes.find(
          ({ business_id, reference }) => business_id === quote.business_id && reference === quote.reference
        )
        if (isTaken) return Option.none()
        const quote_id = QuoteId.make(quotes.next())
        return Option.some(stored(quotes.set(quote_id, { ...quote, quote_id, trip_ids: [] })))
      }),
    list: (businessId, { before, customerId, from, reference, status }, now, page) =>
      step(() => {
        const listed = ofBusiness(businessId)
          .filter(
            (quote) =>
              (status === undefined || quoteAt(quote, now).status === status) &&
              (customerId === undefined || quote.customer_id === customerId) &&
              (reference === undefined || quote.reference === reference) &&
              isWithin(quote.created_at, from, before)
          )
          .toSorted(newestFirst)
        return pageOf(listed, page)
      }),
    find,
    lock: find,
    findByToken: (businessId, tokenHash) =>
      step(() =>
        Option.fromUndefinedOr(ofBusiness(businessId).find(({ token_hash }) => token_hash === tokenHash))
      ),
    update: ({ trip_ids: _trips, ...quote }) =>
      step(() => {
        quotes.change(quote.quote_id, quote)
      }),
    addTrips: (_, quoteId, trip_ids) =>
      step(() => {
        quotes.change(quoteId, { trip_ids })
      }),
    remove: (businessId, quoteId, now) =>
      step(() => {
        if (rowOf(quotes, businessId, quoteId)) quotes.change(quoteId, { deleted_at: now, token_hash: null })
      }),
    expireDue: (now, limit) =>
      step(() => {
        const due = quotes
          .where((quote) => quote.deleted_at === undefined && isOpenQuote(quote.status))
          .filter((quote) => quoteAt(quote, now).status === "expired")
          .slice(0, limit)
        for (const { quote_id } of due) quotes.change(quote_id, { status: "expired", updated_at: now })
        return due.length
      })
  }
})
