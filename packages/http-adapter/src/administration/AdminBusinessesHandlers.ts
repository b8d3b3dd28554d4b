import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { AdminBusinesses } from "@livery/domain"
import { Api } from "../Api.ts"
import { preconditionOf, withEtag } from "../http/responses/Etag.ts"
import { adminPerPage, paged } from "../http/contract/Pages.ts"

export const AdminBusinessesHandlers = HttpApiBuilder.group(
  Api,
  "adminBusinesses",
  Effect.fn(function* (handlers) {
    const businesses = yield* AdminBusinesses
    return handlers.handleAll({
      list: ({ query }) =>
        paged(query, (page) => businesses.list(query, page), { defaultSize: adminPerPage }),
      read: ({ params }) => Effect.map(businesses.get(params.id), withEtag),
      usage: ({ params }) => businesses.usage(params.id),
      credits: ({ params, payload }) => businesses.addCredits(params.id, payload),
      suspend: ({ params, payload }) => businesses.setSuspended(params.id, payload),
      update: ({ headers, params, payload }) =>
        Effect.map(businesses.update(params.id, payload, preconditionOf(headers)), withEtag)
    })
  })
)
