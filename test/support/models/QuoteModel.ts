/** The effect of each step on a quote of one ride, as docs/api/sales.md says. */
import { isOpenQuote, quoteMachine, type QuoteStatus } from "@livery/domain"
import { Schema } from "effect"
import type { Taken } from "./Model.ts"

/** The amounts of the offer: as it is made, by each of its steps, and by the tariff. */
export const amounts = { made: 90, change: 80, price: 70, fare: 45 } as const

/**
 * The steps that callers take, and the passing of the time until which the quote is valid. `fare` is a price by the
 * tariff, `old link` an acceptance by a link that was replaced.
 */
export const QuoteStep = Schema.Literals([
  "price",
  "fare",
  "change",
  "note",
  "send",
  "accept",
  "reject",
  "convert",
  "accept by link",
  "reject by link",
  "old link",
  "wait"
])
export type QuoteStep = typeof QuoteStep.Type

/** A quote. `accepted` counts the events `quote.accepted`, `links` the links that were made. */
export interface QuoteModel {
  readonly status: QuoteStatus
  readonly amount: number
  readonly version: number
  readonly links: number
  /** Whether the newest link works. */
  readonly hasLink: boolean
  readonly accepted: number
  readonly trips: number
}

/** A new quote. */
export const draftQuote: QuoteModel = {
  status: "draft",
  amount: amounts.made,
  version: 1,
  links: 0,
  hasLink: false,
  accepted: 0,
  trips: 0
}

/** Takes a step of a quote. */
export const takeQuoteStep = (model: QuoteModel, step: QuoteStep): Taken<QuoteModel> => {
  const { accepted, status, version } = model
  const isOpen = isOpenQuote(status)
  const ok = (changes: Partial<QuoteModel>): Taken<QuoteModel> => ({
    answer: "ok",
    after: { ...model, ...changes }
  })
  const refused = (answer: 404 | 409 | 422): Taken<QuoteModel> => ({ answer, after: model })
  const offer = (amount: number) =>
    isOpen ? ok({ status: "draft", amount, version: version + 1, hasLink: false }) : refused(422)
  const answered = (to: "accepted" | "rejected", by: "operator" | "customer") =>
    quoteMachine.can(status, to, by)
      ? ok({ status: to, accepted: to === "accepted" ? accepted + 1 : accepted })
      : refused(422)
  switch (step) {
    case "price":
    case "fare":
      return offer(amounts[step])
    case "change":
      // A change to the present values changes nothing.
      return isOpen && model.amount === amounts.change ? ok({}) : offer(amounts.change)
    case "note":
      return ok({})
    case "send":
      return isOpen ? ok({ status: "sent", hasLink: true, links: model.links + 1 }) : refused(422)
    case "accept":
      return answered("accepted", "operator")
    case "reject":
      return answered("rejected", "operator")
    case "accept by link":
      return model.hasLink ? answered("accepted", "customer") : refused(404)
    case "reject by link":
      return model.hasLink ? answered("rejected", "customer") : refused(404)
    case "old link":
      return refused(404)
    case "convert":
      if (status === "converted") return refused(409)
      return isOpen || status === "accepted"
        ? ok({ status: "converted", trips: 1, accepted: isOpen ? accepted + 1 : accepted })
        : refused(422)
    case "wait":
      return ok(isOpen ? { status: "expired" } : {})
  }
}

/** {@link takeQuoteStep} for customers who have the link of `known`: another link since then makes theirs stop working. */
export const takeWithLinkOf =
  (known: QuoteModel) =>
  (model: QuoteModel, step: QuoteStep): Taken<QuoteModel> =>
    (step === "accept by link" || step === "reject by link") && model.links !== known.links
      ? { answer: 404, after: model }
      : takeQuoteStep(model, step)

/** The shortest way to each status. */
export const waysOfQuote: Readonly<Record<QuoteStatus, ReadonlyArray<QuoteStep>>> = {
  draft: [],
  sent: ["send"],
  accepted: ["send", "accept by link"],
  converted: ["convert"],
  rejected: ["reject"],
  expired: ["send", "wait"]
}
