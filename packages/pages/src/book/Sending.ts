/** The requests that book what the form has, or ask for an offer. */
import { post } from "../api/Api.ts"
import { Failure } from "../api/Failure.ts"
import { newKey } from "../api/Key.ts"
import type { Answer, Price, Product, VehicleClass } from "./Business.ts"
import { asksFor, type Draft, numberOf, rideOf, startOf, textOrNull, waysOf } from "./Draft.ts"
import { failureOf } from "./state.ts"

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

/** The body that asks for an offer. The airports are in the addresses. */
const quoteOf = (draft: Draft, vehicle_class: VehicleClass | null): object => {
  const { dropoff_airport: _to, pickup_airport: _from, ...ride } = rideOf(draft)
  return { ...ride, ...detailsOf(draft), vehicle_class }
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

const keys = new Map<string, string>()

/** The key of a request. The same form has the same key, so that a repeated click books once. */
const keyOf = (text: string) => {
  const key = keys.get(text) ?? newKey()
  keys.set(text, key)
  return key
}

/** The requests of a form, one for each way. */
const requestsOf = (
  form: Draft,
  chosen: Product | null,
  price: Price | undefined
): ReadonlyArray<readonly [path: string, body: object]> => {
  if (chosen !== null) return [["bookings", bookingOf(form, chosen)]]
  return waysOf(form).map((way, index) => {
    const part = price?.parts[index]
    return part === undefined
      ? ["quotes", quoteOf(way, (way.vehicle_class || null) as VehicleClass | null)]
      : ["trips", tripOf(way, part.price_token)]
  })
}

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** How often a request is repeated whose outcome is unknown, once the way there is booked. */
const attempts = 3

/**
 * Books each way in order, or asks for an offer of it. After the first one, a failure ends them, and what is booked stays
 * booked.
 */
export const answersTo = async (
  path: string,
  form: Draft,
  chosen: Product | null,
  price: Price | undefined
): Promise<ReadonlyArray<Answer>> => {
  const answers: Array<Answer> = []
  for (const [target, body] of requestsOf(form, chosen, price)) {
    const sendOnce = async () => post<Answer>(`${path}/${target}`, body, keyOf(JSON.stringify(body)))
    if (answers.length === 0) answers.push(await sendOnce())
    else {
      let outcome = await sendOnce().catch(failureOf)
      for (
        let attempt = 1;
        attempt < attempts && outcome instanceof Failure && outcome.isPassing;
        attempt++
      ) {
        await wait(1000)
        outcome = await sendOnce().catch(failureOf)
      }
      if (outcome instanceof Failure) return answers
      answers.push(outcome)
    }
  }
  return answers
}
