/** The fields of a quote that a request sets, and the issues that prevent storing them. */
import type { DateTime } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import { instantOf } from "../../kernel/time/WallClock.ts"
import type { NamedCustomer } from "../../trips/trip/TripReferences.ts"
import { contactOf, nameIssues } from "../fields/Contact.ts"
import type { Quote, QuoteChanges, QuoteInput } from "./Quote.ts"
import { itemsInCurrency, itemsOfInput } from "./QuoteItem.ts"

/** The fields of a quote that requests set. */
type QuoteOffer = Pick<
  Quote,
  | "customer_id"
  | "customer_name"
  | "customer_email"
  | "customer_phone"
  | "currency"
  | "valid_until"
  | "items"
  | "notes"
>

/** An offer; it may be stored only if `issues` is empty. */
export interface OfferDraft {
  readonly offer: QuoteOffer
  readonly issues: ReadonlyArray<FieldIssue>
}

const instantOrNull = (text: string | null, { timezone }: ActingBusiness) =>
  text === null ? null : instantOf(text, timezone)

/** An issue if the quote would expire at once. Null does not expire; `undefined` was not sent. */
const validityIssues = (
  sent: string | null | undefined,
  { timezone }: ActingBusiness,
  now: DateTime.Utc
): ReadonlyArray<FieldIssue> =>
  typeof sent === "string" && instantOf(sent, timezone).epochMilliseconds <= now.epochMilliseconds
    ? [{ field: "valid_until", issue: "out_of_range" }]
    : []

/** The offer of a new quote. Contact data that the request lacks is that of the customer. */
export const offerOfInput = (
  acting: ActingBusiness,
  input: QuoteInput,
  customer: NamedCustomer | null,
  now: DateTime.Utc
): OfferDraft => {
  const currency = input.currency ?? acting.currency
  const { issues, items } = itemsOfInput(input.items, currency, acting.timezone)
  const contact = contactOf(input, customer)
  return {
    issues: [...issues, ...validityIssues(input.valid_until, acting, now), ...nameIssues(contact)],
    offer: {
      customer_id: input.customer_id,
      ...contact,
      currency,
      valid_until: instantOrNull(input.valid_until, acting),
      items,
      notes: input.notes
    }
  }
}

/** The offer of a quote after changes. Amounts that are not sent keep their figures in another currency. */
export const offerWithChanges = (
  acting: ActingBusiness,
  quote: Quote,
  { currency = quote.currency, items: sentItems, valid_until, ...changes }: QuoteChanges,
  now: DateTime.Utc
): OfferDraft => {
  const { issues, items } =
    sentItems === undefined
      ? itemsInCurrency(quote.items, quote.currency, currency)
      : itemsOfInput(sentItems, currency, acting.timezone)
  const plain = {
    customer_id: quote.customer_id,
    customer_name: quote.customer_name,
    customer_email: quote.customer_email,
    customer_phone: quote.customer_phone,
    notes: quote.notes,
    ...changes
  }
  return {
    issues: [...issues, ...validityIssues(valid_until, acting, now), ...nameIssues(plain)],
    offer: {
      ...plain,
      currency,
      valid_until: valid_until === undefined ? quote.valid_until : instantOrNull(valid_until, acting),
      items
    }
  }
}
