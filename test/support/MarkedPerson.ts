/** A person whose name is in every place that the API allows, for tests of erasures. */
import type {
  AssignmentRecord,
  BookingRecord,
  CreatedEndpointRecord,
  CustomerRecord,
  DriverRecord,
  InvoiceRecord,
  QuoteRecord,
  TrackingLinkRecord,
  TripRecord
} from "@livery/domain"
import { assert } from "vitest"
import { samples } from "../../packages/integrations/test/files/Samples.ts"
import type { Account } from "./Account.ts"
import { type Answer, bearer, clientOf } from "./Client.ts"
import type { Receiver } from "./Receiver.ts"
import type { Server } from "./Server.ts"

/** A text that no other row contains, and a latitude that no other does. */
export interface Marker {
  readonly text: string
  readonly email: string
  readonly lat: number
}

/** The marker of a word of letters and digits. */
export const markerOf = (text: string, lat: number): Marker => ({ text, email: `${text}@mail.example`, lat })

/** The data of an answer of that status. */
export const given = <A>({ body, status, text }: Answer<A>, expected = 200): A => {
  assert.strictEqual(status, expected, text)
  return body.data
}

/** The fields of a trip that name the person as its customer. */
const markedTrip = ({ email, lat, text }: Marker) => ({
  trip_date: "2026-11-20T10:00:00Z",
  pickup_address: `${text} street`,
  pickup_postal_code: `p${text}`,
  pickup_lat: lat,
  pickup_lng: 8.5,
  dropoff_address: `Airport ${text}`,
  dropoff_postal_code: `d${text}`,
  dropoff_lat: lat,
  dropoff_lng: 8.6,
  customer_name: text,
  customer_phone: `+41 ${text}`,
  flight_number: `LX ${text}`,
  terminal: text,
  notes: text,
  special_requirements: text,
  total_amount: 100,
  distance_m: 10_000,
  po_number: text,
  cost_center: text,
  metadata: { [`key_${text}`]: text },
  internal_notes: text,
  child_seats: [{ type: text, count: 1 }],
  pickup_sign: text,
  stops: [{ address: text, contact: text, lat, lng: 8 }],
  passengers: [{ name: text, email, phone: `+41 ${text}` }],
  booker_name: text,
  booker_email: email,
  booker_phone: `+41 ${text}`
})

/** Uploads a file, and returns its address. */
export const upload = async (server: Server, { apiKey }: Account): Promise<string> => {
  const form = new FormData()
  form.append("file", new Blob([new Uint8Array(samples.png)]), "a.png")
  const response = await fetch(`${server.api}/uploads`, {
    method: "POST",
    headers: bearer(apiKey),
    body: form
  })
  return ((await response.json()) as { readonly data: { readonly url: string } }).data.url
}

/** Stores a customer in all records of a business. Returns ids, addresses of files, and keys of idempotent requests. */
export const markCustomer = async (server: Server, account: Account, marker: Marker, receiver: Receiver) => {
  const { client } = account
  const { email, lat, text } = marker
  given(
    await client.post<CreatedEndpointRecord>("/webhooks", {
      url: receiver.url,
      events: ["trip.created", "trip.updated", "trip.completed", "quote.accepted", "invoice.created"]
    }),
    201
  )
  const photo = await upload(server, account)
  const key = { "Idempotency-Key": `booking-${text}` }
  const repeatable = clientOf(server.api, { ...bearer(account.apiKey), ...key })
  const customerInput = {
    name: text,
    email,
    phone: `+41 ${text}`,
    company: `${text} Ltd`,
    address: `${text} street`,
    notes: `${text} ${photo}`
  }
  const { customer_id } = given(await client.post<CustomerRecord>("/customers", customerInput), 201)
  const { driver_id } = given(await client.post<DriverRecord>("/drivers", { name: "Bertha Benz" }), 201)
  given(
    await client.post("/tariffs", {
      name: "Prices",
      currency: "USD",
      classes: [{ vehicle_class: "sedan", distance: [{ base: 20, tiers: [{ amount: 2.5 }] }] }]
    }),
    201
  )
  const booking = { ...markedTrip(marker), customer_id, external_ref: `e${text}`, group_id: `g${text}` }
  const { trip_id } = given(await repeatable.post<TripRecord>("/trips", booking), 201)
  given(await client.post(`/trips/${trip_id}/fare`, { vehicle_class: "sedan" }))
  given(await client.patch(`/trips/${trip_id}`, { notes: `Changed ${text}`, customer_name: `Dr ${text}` }))
  given(await client.post<TrackingLinkRecord>(`/trips/${trip_id}/tracking-link`), 201)
  const assigned = given(
    await client.post<AssignmentRecord>(`/trips/${trip_id}/drivers`, { driver_ids: [driver_id] })
  )
  const token = assigned.drivers[0]?.driver_token ?? ""
  const driver = clientOf(server.api)
  const status = (change: object) => driver.post(`/driver/status?token=${token}`, change)
  given(await status({ status: "en_route", milestone: "arrived_at_pickup", lat, lng: 8.5 }))
  given(await driver.post(`/driver/location?token=${token}`, { lat, lng: 8.5 }))
  given(await status({ status: "completed" }))
  const office = clientOf(server.api, bearer(account.accessToken))
  const view = (query: string) =>
    office.post("/me/views", { name: `Rides of ${text}`, screen: "trips", query })
  given(await view(`customer_id=${customer_id}`), 201)

  const byEmail = { trip_date: "2026-11-21T10:00:00Z", pickup_address: text, dropoff_address: text }
  const later = given(
    await client.post<TripRecord>("/trips", { ...byEmail, customer_name: text, customer_email: email }),
    201
  )
  given(await client.remove(`/trips/${later.trip_id}`, { force: true }))
  const shared = given(
    await client.post<TripRecord>("/trips", {
      ...byEmail,
      pickup_address: "Here",
      dropoff_address: "There",
      customer_name: "Another customer",
      notes: `Ask ${text}`,
      passengers: [{ name: text, email }, { name: "Second passenger" }],
      booker_name: text,
      booker_email: email
    }),
    201
  )
  const email_of_driver = "bertha@mail.example"
  given(await client.patch(`/drivers/${driver_id}`, { email: email_of_driver }))
  given(await client.post(`/drivers/${driver_id}/messages`, { text: `Ring ${text}`, trip_id }), 201)
  const refused = given(
    await client.post<AssignmentRecord>(`/trips/${shared.trip_id}/drivers`, { driver_ids: [driver_id] })
  )
  const declining = `/driver/status?token=${refused.drivers[0]?.driver_token ?? ""}`
  given(await driver.post(declining, { status: "cancelled", reason: `I know ${text}` }))

  const quote = given(
    await client.post<QuoteRecord>("/quotes", {
      customer_id,
      customer_name: text,
      customer_email: email,
      customer_phone: `+41 ${text}`,
      notes: text,
      items: [{ description: text, trip: markedTrip(marker), amount: 90 }]
    }),
    201
  )
  given(await client.post(`/quotes/${quote.quote_id}/send`))
  given(await client.post(`/quotes/${quote.quote_id}/accept`, { name: text }))
  const product = given(
    await client.post<{ readonly product_id: number }>("/products", {
      name: "Excursion",
      kind: "tour",
      price: 45,
      capacity: 8,
      duration_minutes: 180
    }),
    201
  )
  const reserved = given(
    await client.post<BookingRecord>("/bookings", {
      product_id: product.product_id,
      customer_name: text,
      customer_email: email,
      customer_phone: `+41 ${text}`,
      pickup_address: text,
      dropoff_address: text,
      starts_at: "2026-12-24T18:00:00Z",
      notes: text
    }),
    201
  )
  const invoice = given(
    await client.post<InvoiceRecord>("/invoices", {
      customer_id,
      items: [{ description: `Ride of ${text}`, unit_price: 100 }],
      trip_ids: [trip_id],
      notes: `For ${text}`
    }),
    201
  )
  given(await client.post(`/invoices/${invoice.invoice_id}/email`, { message: text }))
  given(
    await client.post(`/invoices/${invoice.invoice_id}/payments`, {
      amount: 10,
      method: "cash",
      reference: `From ${text}`
    }),
    201
  )
  given(await office.post("/business/members", { email, role: "viewer" }), 201)
  await receiver.notice(({ event }) => event.type === "invoice.created", 20_000)
  return {
    booking,
    customer_id,
    trip_id,
    shared_trip_id: shared.trip_id,
    quote_id: quote.quote_id,
    booking_id: reserved.booking_id,
    invoice_id: invoice.invoice_id,
    photo,
    repeatable,
    /** The receivers of emails about the person: a driver, and the office. */
    told: [email_of_driver, account.email]
  }
}
