/** The state of the booking page. What was typed stays in this tab, also while its language changes. */
import { computed, signal } from "@preact/signals"
import { get } from "../api/Api.ts"
import { Failure } from "../api/Failure.ts"
import { applyAccent } from "../shell/Brand.ts"
import type { Answer, Business, Price, Prices, Product } from "./Business.ts"
import { type Draft, emptyDraft, pricedBy, startOf, waysOf } from "./Draft.ts"

/** A request that books, or asks for an offer. With the same key, it is carried out once. */
export interface Request {
  readonly target: string
  readonly body: object
  readonly key: string
}

/**
 * What was booked or asked for, and the form that led to it. There is an answer for each way; one is missing if the way back
 * could not be booked. `rest` are the requests without an answer: it is not known whether the first of them was carried out.
 */
export interface Booked {
  readonly answers: ReadonlyArray<Answer>
  readonly draft: Draft
  readonly product: Product | null
  readonly rest: ReadonlyArray<Request>
}

interface Kept {
  readonly draft: Draft
  readonly booked: Booked | null
}

const slug = decodeURIComponent(location.pathname.split("/").at(-1) ?? "")
/** The path of the business in the API. */
export const path = `/public/businesses/${encodeURIComponent(slug || "-")}`
const place = `livery.book.${slug}`

/** A browser may refuse the storage, for example in a frame of another site. */
const keptBefore = (): Partial<Kept> => {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? "{}") as Partial<Kept>
  } catch {
    return {}
  }
}

const before = keptBefore()

/** Whether another site shows the page in a frame. Its links then open beside that site. */
export const isFramed = window.parent !== window

export const business = signal<Business | undefined>(undefined)
/** Why the page could not be read. */
export const failure = signal<Failure | undefined>(undefined)
export const draft = signal<Draft>({ ...emptyDraft, ...before.draft })
/** What was sent for the form; null until the button is pressed. */
export const booked = signal<Booked | null>(before.booked?.rest === undefined ? null : before.booked)
/** What the page confirms, once nothing more is sent for it. */
export const confirmed = signal<Booked | null>(null)
/** The prices of the ways that the form has; undefined while a part of it is missing or was refused. */
export const estimate = signal<Prices | undefined>(undefined)
export const isPricing = signal(false)
/** Why there are no prices. */
export const priceRefusal = signal<Failure | undefined>(undefined)
/** Why the booking was refused. What was typed stays. */
export const refusal = signal<Failure | undefined>(undefined)
export const isSending = signal(false)
/** The type of a refusal that the page makes itself: the start of the way back is wrong. It ends with the next change. */
export const wayBack = "way_back"
/** Whether the last booking failed because its price could no longer be used. */
export const isPriceGone = signal(false)

/** The chosen product; none for a ride. */
export const product = computed<Product | undefined>(() =>
  business.value?.products.find(({ product_id }) => String(product_id) === draft.value.product)
)

/** The price that the button books: of the chosen class, else of the first. */
export const fare = computed<Price | undefined>(() => {
  const fares = estimate.value?.fares ?? []
  const wanted = draft.value.vehicle_class
  const isUnpriced = estimate.value?.unavailable.some(({ vehicle_class }) => vehicle_class === wanted)
  return (
    fares.find(({ vehicle_class }) => vehicle_class === wanted) ??
    (isUnpriced === true ? undefined : fares[0])
  )
})

/** Keeps the form, and what was sent for it. */
export const keep = (sent: Booked | null = booked.value): void => {
  booked.value = sent
  try {
    sessionStorage.setItem(place, JSON.stringify({ draft: draft.value, booked: booked.value }))
  } catch {
    // Without the storage, the form lasts as long as the page.
  }
}

/** A failure of any error. */
export const failureOf = (error: unknown) =>
  error instanceof Failure ? error : new Failure(0, "unknown", String(error))

let typing: ReturnType<typeof setTimeout> | undefined
let renewal: ReturnType<typeof setTimeout> | undefined
let round = 0

/** Before the end of a price, in milliseconds, when it is asked for again. */
const renewBefore = 30_000

/** A booking whose outcome is unknown keeps its price, so that its repetition is the same request. */
const renew = () => {
  if (booked.value === null) void price()
}

const renewAt = (instants: ReadonlyArray<string>) => {
  clearTimeout(renewal)
  const [until] = [...instants].sort()
  if (until !== undefined)
    renewal = setTimeout(renew, Math.max(10_000, Date.parse(until) - Date.now() - renewBefore))
}

const isPriceable = (form: Draft) =>
  form.product === "" &&
  form.pickup.trim() !== "" &&
  form.dropoff.trim() !== "" &&
  waysOf(form).every((way) => startOf(way) !== "")

/** Asks for the prices of the ride. The answer to an earlier form is dropped. */
export const price = async (): Promise<void> => {
  clearTimeout(typing)
  clearTimeout(renewal)
  const current = ++round
  if (!isPriceable(draft.value)) {
    isPricing.value = false
    estimate.value = undefined
    priceRefusal.value = undefined
    return
  }
  isPricing.value = true
  const form = draft.value
  const outcome = await import("./Pricing.ts").then(async ({ pricesOf }) => pricesOf(form)).catch(failureOf)
  if (current !== round) return
  isPricing.value = false
  estimate.value = outcome instanceof Failure ? undefined : outcome
  priceRefusal.value = outcome instanceof Failure ? outcome : undefined
  if (!(outcome instanceof Failure))
    renewAt(outcome.fares.flatMap(({ parts }) => parts.map(({ price_valid_until }) => price_valid_until)))
}

/** Reads the business of the address, with its products and their prices. */
export const load = async (): Promise<void> => {
  failure.value = undefined
  try {
    const read = await get<Business>(path)
    applyAccent(read.accent_color)
    business.value = read
    if (product.value === undefined) change({ product: "" })
  } catch (error) {
    failure.value = failureOf(error)
  }
}

/** How long typing may pause before the prices are asked for, in milliseconds. */
const pause = 400

/** Changes fields of the form. */
export function change(changes: Partial<Draft>): void {
  draft.value = { ...draft.value, ...changes }
  keep()
  if (refusal.value?.type === wayBack) refusal.value = undefined
  if (!Object.keys(changes).some((field) => pricedBy.has(field))) return
  clearTimeout(typing)
  isPricing.value = isPriceable(draft.value)
  typing = setTimeout(() => void price(), pause)
}

/** The code that books; without a connection it cannot be loaded, as nothing can be booked then. */
const loadSending = async () =>
  import("./Sending.ts").catch((error: unknown) => {
    throw new Failure(0, "unreachable", String(error))
  })

/** The price was used or has expired: the current ones are read, and the visitor decides again. */
const renewPrices = async () => {
  isPriceGone.value = true
  refusal.value = undefined
  await (product.value === undefined ? price() : load())
}

/** Whether nothing is known of the price of a complete ride. */
const isPriceUnknown = () =>
  isPriceable(draft.value) && estimate.value === undefined && priceRefusal.value === undefined

/** Books the ride or the product, or asks for an offer. If it is not known whether that was done, it is repeated. */
export const send = async (): Promise<void> => {
  if (isSending.value || isPricing.value) return
  if (booked.value === null && (priceRefusal.value?.isPassing === true || isPriceUnknown())) return price()
  isSending.value = true
  refusal.value = undefined
  isPriceGone.value = false
  try {
    const { book, isOfferGone } = await loadSending()
    await book().catch(async (error: unknown) => {
      refusal.value = failureOf(error)
      if (booked.value === null && isOfferGone(refusal.value)) await renewPrices()
    })
  } catch (error) {
    refusal.value = failureOf(error)
  } finally {
    isSending.value = false
    showOutcome()
  }
}

const showOutcome = () => {
  confirmed.value = booked.value !== null && booked.value.answers.length > 0 ? booked.value : null
}

/** Shows what was booked before the page was loaded, and sends what had no answer then. */
export const resume = async (): Promise<void> => {
  showOutcome()
  if (booked.value !== null && booked.value.rest.length > 0) await send()
}

/** Forgets what was booked, and its price. */
export const forget = (): void => {
  keep(null)
  confirmed.value = null
  refusal.value = undefined
  estimate.value = undefined
}

/** Begins another ride for the same person, or the way back. */
export const begin = (isWayBack: boolean): void => {
  void loadSending().then((sending) => sending.begin(isWayBack))
}
