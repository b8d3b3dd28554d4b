/** Quotes, for the business and for the holder of a quote's link (docs/api/sales.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  CustomerAcceptance,
  CustomerId,
  DeletionResult,
  CustomerEmailInput,
  PublicQuoteRecord,
  QuoteAcceptance,
  QuoteChanges,
  QuoteFilter,
  QuoteId,
  QuoteInput,
  QuotePricing,
  QuoteRecord,
  QuoteRejection
} from "@livery/domain/records"
import { BusinessAccess, inArea, PublicAccess } from "../http/Access.ts"
import { confirmationPayload, optionalBody } from "../http/Confirmation.ts"
import { basePath, callsOut, created, paging, recordId, summary, wholeNumber } from "../http/Contract.ts"
import { data, list } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { ifMatch, tagged } from "../http/SafeEdits.ts"
import { publicAddress, secretParameter } from "../http/Traits.ts"

const id = recordId(QuoteId)

const QuoteBody = data(QuoteRecord, "QuoteBody")

/** A sent quote with the customer's link. `token` is the last part of `public_url`; neither is returned again. */
const SentQuoteBody = data(
  Schema.Struct({ ...QuoteRecord.fields, token: Schema.String, public_url: Schema.String }),
  "SentQuoteBody"
)

/**
 * The routes under `/quotes`: drafts, prices, sending, acceptance, trips. For API keys and members with a right in the
 * area `sales`.
 */
export const QuotesApi = HttpApiGroup.make("quotes")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...paging,
        ...QuoteFilter.fields,
        customer_id: Schema.optionalKey(wholeNumber(CustomerId))
      },
      success: list(QuoteRecord, "QuoteListBody")
    }).annotateMerge(summary("The business's quotes, the newest first")),
    HttpApiEndpoint.post("create", "/", {
      payload: QuoteInput,
      success: QuoteBody.pipe(created)
    }).annotateMerge(summary("Add a quote as a draft")),
    HttpApiEndpoint.get("read", "/:id", {
      params: { id },
      success: tagged(QuoteBody),
      error: wireErrors.notFound
    }).annotateMerge(summary("One quote")),
    HttpApiEndpoint.patch("update", "/:id", {
      params: { id },
      headers: ifMatch,
      payload: QuoteChanges,
      success: tagged(QuoteBody),
      error: [wireErrors.notFound, wireErrors.conflict, wireErrors.illegalTransition]
    }).annotateMerge(summary("Change a quote; a sent one becomes a draft, and its link stops working")),
    HttpApiEndpoint.delete("remove", "/:id", {
      params: { id },
      headers: ifMatch,
      payload: confirmationPayload,
      success: tagged(data(DeletionResult, "QuoteDeletedBody")),
      error: [wireErrors.notFound, wireErrors.conflict, wireErrors.confirmationRequired]
    })
      .annotateMerge(summary("Delete a quote; its trips stay"))
      .annotateMerge(optionalBody),
    HttpApiEndpoint.post("price", "/:id/price", {
      params: { id },
      payload: QuotePricing,
      success: QuoteBody,
      error: [wireErrors.notFound, wireErrors.illegalTransition]
    })
      .annotateMerge(callsOut)
      .annotateMerge(
        summary(
          "Price the items of a quote by a tariff or with given amounts; its earlier link stops working"
        )
      ),
    HttpApiEndpoint.post("send", "/:id/send", {
      params: { id },
      payload: [CustomerEmailInput, Schema.Null],
      success: SentQuoteBody,
      error: [wireErrors.notFound, wireErrors.illegalTransition, wireErrors.usageLimitReached]
    })
      .annotateMerge(
        summary(
          "Email the quote's link to the customer; only this response has it, and an earlier link stops working"
        )
      )
      .annotateMerge(optionalBody),
    HttpApiEndpoint.post("accept", "/:id/accept", {
      params: { id },
      payload: [QuoteAcceptance, Schema.Null],
      success: QuoteBody,
      error: [wireErrors.notFound, wireErrors.illegalTransition, wireErrors.usageLimitReached]
    })
      .annotateMerge(summary("Accept a quote on behalf of the customer"))
      .annotateMerge(optionalBody),
    HttpApiEndpoint.post("reject", "/:id/reject", {
      params: { id },
      payload: [QuoteRejection, Schema.Null],
      success: QuoteBody,
      error: [wireErrors.notFound, wireErrors.illegalTransition]
    })
      .annotateMerge(summary("Reject a quote on behalf of the customer"))
      .annotateMerge(optionalBody),
    HttpApiEndpoint.post("convert", "/:id/convert", {
      params: { id },
      payload: confirmationPayload,
      success: QuoteBody,
      error: [
        wireErrors.notFound,
        wireErrors.illegalTransition,
        wireErrors.conflict,
        wireErrors.confirmationRequired
      ]
    })
      .annotateMerge(summary("Book the trips of a quote; a quote that is not accepted yet is accepted"))
      .annotateMerge(optionalBody)
  )
  .middleware(BusinessAccess)
  .prefix(`${basePath}/quotes`)
  .annotateMerge(inArea("sales"))
  .annotateMerge(OpenApi.annotations({ title: "Quotes" }))

const params = { token: Schema.String }
const PublicQuoteBody = data(PublicQuoteRecord, "PublicQuoteBody")

/**
 * The routes under `/public/quotes`: a customer reads, accepts or rejects a quote. For anyone with the quote's link.
 */
export const PublicQuotesApi = HttpApiGroup.make("publicQuotes")
  .add(
    HttpApiEndpoint.get("read", "/:token", {
      params,
      success: tagged(PublicQuoteBody),
      error: wireErrors.notFound
    }).annotateMerge(summary("The quote of a link")),
    HttpApiEndpoint.post("accept", "/:token/accept", {
      params,
      payload: CustomerAcceptance,
      success: PublicQuoteBody,
      error: [wireErrors.notFound, wireErrors.illegalTransition]
    }).annotateMerge(summary("Accept the quote; the name, the time and the IP address are recorded")),
    HttpApiEndpoint.post("reject", "/:token/reject", {
      params,
      payload: [QuoteRejection, Schema.Null],
      success: PublicQuoteBody,
      error: [wireErrors.notFound, wireErrors.illegalTransition]
    })
      .annotateMerge(summary("Reject the quote"))
      .annotateMerge(optionalBody)
  )
  .middleware(PublicAccess)
  .prefix(`${basePath}/public/quotes`)
  .annotateMerge(OpenApi.annotations({ title: "Quotes by link" }))
  .annotateMerge(secretParameter("token"))
  .annotateMerge(publicAddress("quote"))
