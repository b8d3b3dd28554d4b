import { Effect, Redacted } from "effect"
import { PublicQuotes, Quotes, SalesEmails } from "@livery/domain"
import { Api, CurrentBusiness, isConfirmed, basePath } from "@livery/contract"
import { paged } from "../http/responses/ListedPage.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { clientAddress } from "../http/request/ClientAddress.ts"
import { preconditionOf, withEtag, withEtagOf } from "../http/responses/Etag.ts"
import { linksTo } from "../http/server/PublicUrl.ts"

export const QuotesHandlers = handlersOf(
  Api,
  "quotes",
  Effect.fn(function* (handlers) {
    const quotes = yield* Quotes
    const emails = yield* SalesEmails
    return handlers({
      list: Effect.fnUntraced(function* ({ query }) {
        const acting = yield* CurrentBusiness
        return yield* paged(query, (page) => quotes.list(acting, query, page), { narrowBy: "date_from" })
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        return yield* quotes.create(yield* CurrentBusiness, payload)
      }),
      read: Effect.fnUntraced(function* ({ params }) {
        return withEtag(yield* quotes.get(yield* CurrentBusiness, params.id))
      }),
      update: Effect.fnUntraced(function* ({ headers, params, payload }) {
        return withEtag(
          yield* quotes.update(yield* CurrentBusiness, params.id, payload, preconditionOf(headers))
        )
      }),
      remove: Effect.fnUntraced(function* ({ headers, params, payload }) {
        const terms = { force: isConfirmed(payload), precondition: preconditionOf(headers) }
        return withEtagOf(yield* quotes.remove(yield* CurrentBusiness, params.id, terms), { deleted: true })
      }),
      price: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* quotes.price(yield* CurrentBusiness, params.id, payload)
      }),
      send: Effect.fnUntraced(function* ({ params, payload }) {
        const linkOf = yield* linksTo("quote", `${basePath}/public/quotes/`)
        const email = payload?.email ?? true
        const sent = yield* emails.sendQuote(yield* CurrentBusiness, params.id, { email, linkOf })
        const token = Redacted.value(sent.token)
        return { ...sent.quote, token, public_url: linkOf(token) }
      }),
      accept: Effect.fnUntraced(function* ({ params, payload, request }) {
        const acceptance = { name: payload?.name ?? null, address: yield* clientAddress(request) }
        return yield* emails.acceptQuote(
          yield* CurrentBusiness,
          params.id,
          acceptance,
          payload?.email ?? true
        )
      }),
      reject: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* quotes.reject(yield* CurrentBusiness, params.id, payload?.reason ?? null)
      }),
      convert: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* quotes.convert(yield* CurrentBusiness, params.id, isConfirmed(payload))
      })
    })
  })
)

export const PublicQuotesHandlers = handlersOf(
  Api,
  "publicQuotes",
  Effect.fn(function* (handlers) {
    const quotes = yield* PublicQuotes
    return handlers({
      read: ({ params }) => Effect.map(quotes.read(Redacted.make(params.token)), withEtag),
      accept: Effect.fnUntraced(function* ({ params, payload, request }) {
        const by = { name: payload.name, address: yield* clientAddress(request) }
        return yield* quotes.accept(Redacted.make(params.token), by)
      }),
      reject: ({ params, payload }) => quotes.reject(Redacted.make(params.token), payload?.reason ?? null)
    })
  })
)
