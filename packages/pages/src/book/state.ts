/** The state of the booking page. What was typed stays in this tab, also while its language changes. */
import { computed, signal } from "@preact/signals"
import { get, post } from "../api/Api.ts"
import { Failure } from "../api/Failure.ts"
import { language } from "../i18n/Language.ts"
import { applyAccent } from "../shell/Brand.ts"
import type { Answer, Business, Estimate, FoundPlace, Price, Prices, Product } from "./Business.ts"
import { type Draft, emptyDraft, pricedBy, reversed, rideOf, startOf, waysOf } from "./Draft.ts"

/**
 * What was booked or asked for, and the form that led to it. There is an answer for each way; one is missing if the way back
 * could not be booked.
 */
export interface Booked {
  readonly answers: ReadonlyArray<Answer>
  readonly draft: Draft
  readonly product: Product | null
}

interface Kept {
  readonly draft: Draft
  readonly booked: Booked | null
}

const slug = decodeURIComponent(location.pathname.split("/").at(-1) ?? "")
const path = `/public/businesses/${encodeURIComponent(slug || "-")}`
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
export const booked = signal<Booked | null>(before.booked?.answers === undefined ? null : before.booked)
/** The prices of the ways that the form has; undefined while a part of it is missing or was refused. */
export const estimate = signal<Prices | undefined>(undefined)
export const isPricing = signal(false)
/** Why there are no prices. */
export const priceRefusal = signal<Failure | undefined>(undefined)
/** Why the booking was refused. What was typed stays. */
export const refusal = signal<Failure | undefined>(undefined)
export const isSending = signal(false)
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

const keep = () => {
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
  if (refusal.value?.isPassing !== true) void price()
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

/** The prices of all ways: a class has one if each way has one. */
const together = (ways: ReadonlyArray<Estimate>): Prices => {
  const classes = new Set(ways.flatMap(({ fares }) => fares.map(({ vehicle_class }) => vehicle_class)))
  const fares = [...classes].flatMap((vehicle_class): ReadonlyArray<Price> => {
    const parts = ways.flatMap((way) => way.fares.filter((fare) => fare.vehicle_class === vehicle_class))
    const total_amount = parts.reduce((sum, part) => sum + part.total_amount, 0)
    return parts.length === ways.length ? [{ vehicle_class, total_amount, parts }] : []
  })
  const priced = new Set(fares.map(({ vehicle_class }) => vehicle_class))
  const unavailable = new Map(
    ways.flatMap((way) => way.unavailable).map((missing) => [missing.vehicle_class, missing] as const)
  )
  return {
    currency: ways[0]?.currency ?? "",
    fares,
    unavailable: [...unavailable.values()].filter(({ vehicle_class }) => !priced.has(vehicle_class))
  }
}

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
  const outcome = await Promise.all(
    waysOf(draft.value).map(async (way) => post<Estimate>(`${path}/estimate`, rideOf(way)))
  ).then(together, failureOf)
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
  if (!Object.keys(changes).some((field) => pricedBy.has(field))) return
  clearTimeout(typing)
  isPricing.value = isPriceable(draft.value)
  typing = setTimeout(() => void price(), pause)
}

/** Finds places by a part of their name; none while the server cannot be reached. */
export const findPlaces = async (text: string): Promise<ReadonlyArray<FoundPlace>> => {
  const query = new URLSearchParams({ query: text, language })
  return get<ReadonlyArray<FoundPlace>>(`${path}/places?${query}`).catch(() => [])
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

/** Books the ride or the product, or asks for an offer. */
export const send = async (): Promise<void> => {
  if (isSending.value || isPricing.value) return
  if (priceRefusal.value?.isPassing === true) return price()
  isSending.value = true
  refusal.value = undefined
  isPriceGone.value = false
  const form = draft.value
  const chosen = product.value ?? null
  const shownPrice = fare.value
  try {
    const { answersTo } = await loadSending()
    booked.value = { answers: await answersTo(path, form, chosen, shownPrice), draft: form, product: chosen }
    keep()
  } catch (error) {
    refusal.value = failureOf(error)
    if (refusal.value.status === 409 && (chosen !== null || shownPrice !== undefined)) await renewPrices()
  } finally {
    isSending.value = false
  }
}

/** Begins another ride for the same person. The way back has the places of the first ride, the other way round. */
export const begin = (isWayBack: boolean): void => {
  const form = booked.value?.draft ?? draft.value
  const { email, name, passengers, phone } = form
  const back = reversed(form)
  booked.value = null
  estimate.value = undefined
  change({
    ...emptyDraft,
    name,
    email,
    phone,
    ...(isWayBack
      ? {
          passengers,
          pickup: back.pickup,
          pickup_area: back.pickup_area,
          pickup_code: back.pickup_code,
          dropoff: back.dropoff,
          dropoff_area: back.dropoff_area,
          dropoff_code: back.dropoff_code,
          date: back.date,
          time: back.time
        }
      : {})
  })
}
