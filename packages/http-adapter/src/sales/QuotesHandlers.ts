import { Effect, Redacted } from "effect"
import { PublicQuotes, Quotes, SalesEmails } from "@livery/domain"
import { CurrentBusiness, isConfirmed, basePath } from "@livery/contract"
import { paged } from "../http/responses/ListedPage.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { clientAddress } from "../http/request/ClientAddress.ts"
import { preconditionOf, withEtag, withEtagOf } from "../http/responses/Etag.ts"
import { linksTo } from "../http/server/PublicUrl.ts"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"

export const QuotesHandlers = handlersOf("quotes", function* (handlers) {
  const quotes = yield* Quotes
  const emails = yield* SalesEmails
  return handlers({
    list: forBusiness((acting, { query }) =>
      paged(query, (page) => quotes.list(acting, query, page), { narrowBy: "date_from" })
    ),
    create: forBusiness((acting, { payload }) => quotes.create(acting, payload)),
    read: forBusiness((acting, { params }) => Effect.map(quotes.get(acting, params.id), withEtag)),
    update: forBusiness((acting, { headers, params, payload }) =>
      Effect.map(quotes.update(acting, params.id, payload, preconditionOf(headers)), withEtag)
    ),
    remove: Effect.fnUntraced(function* ({ headers, params, payload }) {
      const terms = { force: isConfirmed(payload), precondition: preconditionOf(headers) }
      return withEtagOf(yield* quotes.remove(yield* CurrentBusiness, params.id, terms), { deleted: true })
    }),
    price: forBusiness((acting, { params, payload }) => quotes.price(acting, params.id, payload)),
    send: Effect.fnUntraced(function* ({ params, payload }) {
      const linkOf = yield* linksTo("quote", `${basePath}/public/quotes/`)
      const email = payload?.email ?? true
      const sent = yield* emails.sendQuote(yield* CurrentBusiness, params.id, { email, linkOf })
      const token = Redacted.value(sent.token)
      return { ...sent.quote, token, public_url: linkOf(token) }
    }),
    accept: Effect.fnUntraced(function* ({ params, payload, request }) {
      const acceptance = { name: payload?.name ?? null, address: yield* clientAddress(request) }
      return yield* emails.acceptQuote(yield* CurrentBusiness, params.id, acceptance, payload?.email ?? true)
    }),
    reject: forBusiness((acting, { params, payload }) =>
      quotes.reject(acting, params.id, payload?.reason ?? null)
    ),
    convert: forBusiness((acting, { params, payload }) =>
      quotes.convert(acting, params.id, isConfirmed(payload))
    )
  })
})

export const PublicQuotesHandlers = handlersOf("publicQuotes", function* (handlers) {
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
