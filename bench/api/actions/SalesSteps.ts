/** Tariffs, fares, quotes, products, bookings and the booking page. */
import type { FaresCreateInput } from "@livery/client"
import { day, type Known, quietTime, ride, type Step, step, stepBy } from "./Step.ts"

const visitor = stepBy("nobody")

const request = { trip_date: quietTime(1), distance_m: 11_000, duration_minutes: 20 }

const place = {
  trip_date: quietTime(1),
  pickup_lat: ride.pickup_lat,
  pickup_lng: ride.pickup_lng,
  dropoff_lat: ride.dropoff_lat,
  dropoff_lng: ride.dropoff_lng
}

const customer = ({ unique }: Known) => ({
  customer_name: "Ann Guest",
  customer_email: `visitor-${String(unique)}@example.com`
})

/** A tariff of two classes. */
export const tariff: FaresCreateInput = {
  name: "Prices",
  currency: "CHF",
  zones: [{ id: "airport", name: "Airport", kind: "airport", airport: "ZRH" }],
  classes: [
    { vehicle_class: "sedan", distance: [{ base: 20, tiers: [{ amount: 2.5 }] }] },
    { vehicle_class: "van", distance: [{ base: 60 }] }
  ],
  modifiers: { waiting: [{ free_minutes: 15, amount: 0.5 }] }
}

const fares: ReadonlyArray<Step> = [
  step("POST /tariffs", { body: () => tariff, keep: { newTariff: "tariff_id" } }),
  step("GET /tariffs/{newTariff}"),
  step("PATCH /tariffs/{newTariff}", { body: () => ({ name: "Changed" }) }),
  step("GET /tariffs/{newTariff}/versions"),
  step("GET /tariffs/{newTariff}/versions/1"),
  step("POST /tariffs/{newTariff}/import", {
    body: () => {
      const form = new FormData()
      form.set("file", "from,to,sedan\nairport,airport,15\n")
      return form
    }
  }),
  step("POST /fares/estimate", { body: () => request }),
  step("POST /trips", { body: () => ({ ...ride, trip_date: quietTime(2) }), keep: { priced: "trip_id" } }),
  step("POST /trips/{priced}/fare", { body: () => ({ vehicle_class: "sedan" }) }),
  step("GET /trips/{priced}/fare"),
  step("PATCH /trips/{priced}, completed, with a fare", { body: () => ({ status: "completed" }) }),
  step("DELETE /tariffs/{newTariff}")
]

const quotes: ReadonlyArray<Step> = [
  ...["accepted", "rejected", "declined", "answered"].flatMap((name) => [
    step(`POST /quotes, to be ${name}`, {
      body: (known) => ({
        ...customer(known),
        customer_id: known["customer"],
        currency: "CHF",
        items: [{ description: "Ride", amount: 129, trip: { ...ride, trip_date: quietTime(3) } }]
      }),
      keep: { [name]: "quote_id" }
    }),
    step(`POST /quotes/{${name}}/send`, { keep: { [`${name}Token`]: "token" } })
  ]),
  visitor("GET /public/quotes/{answeredToken}"),
  visitor("POST /public/quotes/{answeredToken}/accept", { body: () => ({ name: "Ann Guest" }) }),
  visitor("POST /public/quotes/{declinedToken}/reject", { body: () => ({ reason: "Too dear" }) }),
  step("GET /quotes/{accepted}"),
  step("PATCH /quotes/{accepted}", { body: () => ({ notes: "Changed" }) }),
  step("POST /quotes/{accepted}/accept"),
  step("POST /quotes/{rejected}/reject", { body: () => ({ reason: "Too dear" }) }),
  step("POST /quotes/{accepted}/convert, 1 trip"),
  step("DELETE /quotes/{rejected}")
]

const booking = (known: Known) => ({
  ...customer(known),
  product_id: known["product"],
  starts_at: quietTime(4),
  pickup_address: "Here",
  dropoff_address: "There"
})

/** The business of the benchmark is on the clock of UTC. */
const seat = (known: Known) => ({
  ...customer(known),
  product_id: known["tour"],
  starts_at: quietTime(4)
})

const bookings: ReadonlyArray<Step> = [
  step("POST /products", {
    body: () => ({ name: "Excursion", kind: "tour", price: 45, capacity: 8, duration_minutes: 180 }),
    keep: { newProduct: "product_id" }
  }),
  step("POST /products, with departures", {
    body: () => ({
      name: "Tour",
      kind: "tour",
      price: 45,
      pickup_address: "Here",
      dropoff_address: "Here",
      departures: [{ times: ["10:00"], seats: 8 }]
    }),
    keep: { tour: "product_id" }
  }),
  step("GET /products/{newProduct}"),
  step("PATCH /products/{newProduct}, the capacity", { body: () => ({ capacity: 20 }) }),
  step("PATCH /products/{product}, with all bookings, the capacity", {
    body: ({ round }) => ({ capacity: 9_000 + Number(round) })
  }),
  step("POST /bookings, of the product with all bookings", {
    body: (known) => ({ ...booking(known), customer_id: known["customer"] }),
    keep: { booking: "booking_id" }
  }),
  step("GET /bookings/{booking}"),
  step("PATCH /bookings/{booking}", {
    body: () => ({ participants_count: 2, starts_at: quietTime(5) })
  }),
  step("POST /bookings/{booking}/payments", { body: () => ({ amount: 1, method: "cash" }) }),
  step("POST /bookings/{booking}/payment-link", { status: 503 }),
  step("POST /bookings/{booking}/confirm", { keep: { bookedTrip: "trip_id" } }),
  step("POST /bookings/{booking}/cancel"),
  step("POST /bookings, of a departure", { body: seat, keep: { seat: "booking_id" } }),
  step("POST /bookings/{seat}/confirm"),
  step("POST /bookings, of the same departure", { body: seat, keep: { otherSeat: "booking_id" } }),
  step("POST /bookings/{otherSeat}/confirm"),
  step(`GET /products/{tour}/departures?date_from=${day(904)}&date_to=${day(904)}`),
  step("POST /bookings/{seat}/cancel"),
  step("POST /bookings, to be deleted", { body: booking, keep: { deleted: "booking_id" } }),
  step("DELETE /bookings/{deleted}", { body: () => ({ force: true }) }),
  step("DELETE /products/{newProduct}")
]

const page: ReadonlyArray<Step> = [
  visitor("GET /public/businesses/{slug}"),
  visitor("GET /public/businesses/{slug}/places?query=air"),
  visitor(
    `GET /public/businesses/{slug}/products/{tour}/departures?date_from=${day(904)}&date_to=${day(904)}`
  ),
  visitor("POST /public/businesses/{slug}/estimate", {
    body: () => place,
    keep: { priceToken: "fares.0.price_token" }
  }),
  visitor("POST /public/businesses/{slug}/trips", {
    body: (known) => ({
      ...customer(known),
      pickup_address: "Here",
      dropoff_address: "There",
      price_token: known["priceToken"]
    })
  }),
  visitor("POST /public/businesses/{slug}/quotes", {
    body: (known) => ({
      ...customer(known),
      trip_date: `${day(901)}T10:00:00Z`,
      pickup_address: "Here",
      dropoff_address: "There"
    })
  }),
  visitor("POST /public/businesses/{slug}/bookings", { body: booking }),
  step("DELETE /products/{product}, with all bookings, refused", { status: 409 })
]

/** The steps of sales, in order. */
export const salesSteps: ReadonlyArray<Step> = [...fares, ...quotes, ...bookings, ...page]
