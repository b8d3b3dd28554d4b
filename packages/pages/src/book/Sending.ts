/** The requests that book what the form has, or ask for an offer. */
import { post } from "../api/Api.ts"
import { Failure } from "../api/Failure.ts"
import { newKey } from "../api/Key.ts"
import type { Answer, Product, VehicleClass } from "./Business.ts"
import { type Draft, emptyDraft, reversed, startOf, waysOf } from "./Draft.ts"
import { asksFor, numberOf, rideOf, textOrNull } from "./RideBody.ts"
import * as state from "./state.ts"

const contactOf = (draft: Draft) => ({
  customer_name: draft.name,
  customer_email: textOrNull(draft.email),
  customer_phone: textOrNull(draft.phone),
  notes: textOrNull(draft.notes)
})

/** What a trip has and an estimate has not. */
const detailsOf = (draft: Draft) => ({
  pickup_address: draft.pickup,
  dropoff_address: draft.dropoff,
  flight_number: textOrNull(draft.flight),
  pickup_sign: textOrNull(draft.sign),
  ...contactOf(draft)
})

/** The body that books a ride at its price. */
const tripOf = (draft: Draft, price_token: string): object => ({ price_token, ...detailsOf(draft) })

/** The longest address that a trip may have. */
const longestAddress = 500

/** An address with the area that was typed or chosen beside it, unless the address names it. */
const addressWithArea = (address: string, area: string) =>
  address.trim() === "" || address.toLowerCase().includes(area.trim().toLowerCase())
    ? address
    : `${address}, ${area.trim()}`.slice(0, longestAddress)

/** The body that asks for an offer. A quote has no airports and no zones, so the addresses name them. */
const quoteOf = (draft: Draft): object => {
  const { dropoff_airport: _to, pickup_airport: _from, ...ride } = rideOf(draft)
  return {
    ...ride,
    ...detailsOf(draft),
    pickup_address: addressWithArea(draft.pickup, draft.pickup_area),
    dropoff_address: addressWithArea(draft.dropoff, draft.dropoff_area),
    vehicle_class: textOrNull(draft.vehicle_class) as VehicleClass | null
  }
}

/** The body that books places of a product. */
const bookingOf = (draft: Draft, product: Product): object => ({
  product_id: product.product_id,
  price_token: product.price_token,
  starts_at: startOf(draft),
  participants_count: numberOf(draft.passengers),
  pickup_address: asksFor("pickup", product) ? textOrNull(draft.pickup) : null,
  dropoff_address: asksFor("dropoff", product) ? textOrNull(draft.dropoff) : null,
  ...contactOf(draft)
})

/** The requests of the form, one for each way. A way without a price asks for an offer. */
const requestsOf = (form: Draft, chosen: Product | null): ReadonlyArray<state.Request> => {
  const requestOf = (target: string, body: object) => ({ target, body, key: newKey() })
  if (chosen !== null) return [requestOf("bookings", bookingOf(form, chosen))]
  const parts = state.fare.value?.parts ?? []
  return waysOf(form).map((way, index) => {
    const part = parts[index]
    return part === undefined
      ? requestOf("quotes", quoteOf(way))
      : requestOf("trips", tripOf(way, part.price_token))
  })
}

/** What is wrong with the start of the way back. The server sees each way alone, and the rest is for it to check. */
const wrongBack = (form: Draft) => {
  const [there, back] = waysOf(form)
  if (there === undefined || back === undefined) return []
  const missing = (["back_date", "back_time"] as const).filter((field) => form[field] === "")
  if (missing.length > 0) return missing.map((field) => ({ field, issue: "required" }))
  return startOf(back) > startOf(there) ? [] : [{ field: "back_date", issue: "too_early" }]
}

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** How often a request is sent whose outcome is unknown, once the way there is booked. */
const attempts = 3

const isAbout = ({ details }: Failure, type: string) => details.some((detail) => detail.type === type)

/** Whether the request may have been carried out. */
const isUnknown = (failure: Failure) => failure.isPassing || isAbout(failure, "idempotency_key")

/** Sends a request, up to `times` times while its outcome is unknown. */
const sendRequest = async (
  { body, key, target }: state.Request,
  times: number
): Promise<Answer | Failure> => {
  const outcome = await post<Answer>(`${state.path}/${target}`, body, key).catch(state.failureOf)
  if (times === 1 || !(outcome instanceof Failure) || !isUnknown(outcome)) return outcome
  await wait(1000)
  return sendRequest({ body, key, target }, times - 1)
}

/**
 * Books each way in order, or asks for an offer of it, or continues that. What is sent is kept before it is sent, and each
 * answer as it arrives, so that a repetition sends the same request under the same key. Throws the failure of a request; if the
 * way there is booked, it stays booked.
 */
export const book = async (): Promise<void> => {
  const form = state.draft.value
  const product = state.product.value ?? null
  const wrong = state.booked.value === null ? wrongBack(form) : []
  if (wrong.length > 0) throw new Failure(422, state.wayBack, "", wrong)
  let progress = state.booked.value ?? { answers: [], draft: form, product, rest: requestsOf(form, product) }
  state.keep(progress)
  for (const request of progress.rest) {
    const isFirst = progress.answers.length === 0
    const outcome = await sendRequest(request, isFirst ? 1 : attempts)
    if (!(outcome instanceof Failure)) {
      progress = { ...progress, answers: [...progress.answers, outcome], rest: progress.rest.slice(1) }
      state.keep(progress)
    } else {
      if (isUnknown(outcome)) state.draft.value = progress.draft
      else state.keep(isFirst ? null : { ...progress, rest: [] })
      throw outcome
    }
  }
}

/** Whether the price was used or has expired, or the product has no place left: the visitor decides again. */
export const isOfferGone = (failure: Failure): boolean =>
  failure.status === 409 &&
  !isUnknown(failure) &&
  (isAbout(failure, "price_token") || state.product.value !== undefined)

/** Begins another ride for the same person. The way back has the places of the first ride, the other way round. */
export const begin = (isWayBack: boolean): void => {
  const form = state.booked.value?.draft ?? state.draft.value
  const { email, name, passengers, phone } = form
  const back = reversed(form)
  state.forget()
  state.change({
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
