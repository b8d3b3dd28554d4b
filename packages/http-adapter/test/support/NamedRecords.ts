/** The requests that name records: in their paths, in their bodies and in their queries. */
import { booking } from "./Tenant.ts"
import type { Ask } from "./TestServer.ts"

/** The kinds of records that requests name. */
export type Kind =
  | "car"
  | "driver"
  | "customer"
  | "trip"
  | "invoice"
  | "openInvoice"
  | "payment"
  | "creditedInvoice"
  | "remittance"
  | "statement"
  | "entry"
  | "run"
  | "moved"
  | "creditNote"
  | "endpoint"
  | "delivery"
  | "tariff"
  | "member"
  | "quote"
  | "product"
  | "booking"
  | "absence"
  | "underWay"
  | "view"
  | "template"
  | "version"

/** The id of a record of each kind. */
export type Ids = Readonly<Record<Kind, number>>

const unused = 999_999_999
/** Ids that no record has. */
export const absent: Ids = {
  car: unused,
  driver: unused,
  customer: unused,
  trip: unused,
  invoice: unused,
  openInvoice: unused,
  payment: unused,
  endpoint: unused,
  delivery: unused,
  tariff: unused,
  member: unused,
  quote: unused,
  product: unused,
  booking: unused,
  creditedInvoice: unused,
  remittance: unused,
  statement: unused,
  entry: unused,
  run: unused,
  moved: unused,
  creditNote: unused,
  absence: unused,
  underWay: unused,
  view: unused,
  template: unused,
  version: unused
}

/** The forms that routes read instead of a body of JSON. */
export const forms: Readonly<Record<string, Ask>> = {
  "POST /tariffs/:id/import": {
    form: new TextEncoder().encode(
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nfrom,to,sedan\n\r\n--x--\r\n'
    ),
    headers: { "content-type": "multipart/form-data; boundary=x" }
  }
}

/** A body that the route would accept if the record existed; `{}` by default. */
export const bodies = (own: Ids): Readonly<Record<string, unknown>> => ({
  "PATCH /cars/:id": { name: "Mine" },
  "PATCH /business/members/:user_id": { role: "owner" },
  "PATCH /drivers/:id": { name: "Mine" },
  "PATCH /drivers/:id/pay": { schemes: [] },
  "POST /trips/:id/fare": { vehicle_class: "sedan" },
  "POST /drivers/:id/absences": { starts_at: booking.trip_date, ends_at: "2026-12-25T18:00:00Z" },
  "DELETE /drivers/:id/absences": { absence_ids: [own.absence] },
  "PATCH /customers/:id": { name: "Mine" },
  "PATCH /customers/:id/notice-preferences": { kinds: null, channels: null },
  "POST /drivers/:id/messages": { text: "Mine" },
  "PATCH /trips/:id": { notes: "Mine" },
  "PATCH /invoices/:id": { notes: "Mine" },
  "DELETE /invoices/:id": { force: true },
  "POST /customers/:id/invoices": { month: "2026-12" },
  "POST /customers/:id/statement/send": { from: "2026-11-01", to: "2026-12-31" },
  "POST /invoices/:id/trips": { trip_ids: [own.trip] },
  "DELETE /invoices/:id/trips": { trip_ids: [own.trip] },
  "POST /bank-statements/:id/entries/:entry_id/confirm": {
    allocations: [{ invoice_id: own.invoice, amount: 1 }]
  },
  "POST /bookings/:id/payments": { amount: 1, method: "cash" },
  "POST /invoices/:id/payments": { amount: 1, method: "cash" },
  "POST /invoices/:id/payments/:payment_id/reverse": { reason: "Mine" },
  "PATCH /trips/:id/driver-status": { status: "cancelled" },
  "POST /trips/:id/drivers": { driver_ids: [own.driver] },
  "POST /trips/:id/reopen": { reason: "Mine" },
  "POST /trips/:id/repeat": { rrule: "FREQ=DAILY;COUNT=2", until: "2027-12-31" },
  "PATCH /me/views/:id": { name: "Mine" },
  "PATCH /trip-templates/:id": { name: "Mine" },
  "POST /trip-templates/:id/trips": { ...booking },
  "PATCH /me/driver/trips/:id": { status: "cancelled" },
  "PATCH /tariffs/:id": { name: "Mine" },
  "PATCH /quotes/:id": { notes: "Mine" },
  "POST /quotes/:id/price": { amounts: [1] },
  "DELETE /quotes/:id": { force: true },
  "PATCH /products/:id": { name: "Mine" },
  "DELETE /products/:id": { force: true },
  "PATCH /bookings/:id": { notes: "Mine" },
  "POST /bookings/:id/cancel": { force: true },
  "DELETE /bookings/:id": { force: true },
  "PATCH /webhooks/:id": { events: ["trip.created"] },
  "POST /webhooks/:id/test": { event_type: "trip.created" },
  "DELETE /cars/:id": { force: true },
  "DELETE /drivers/:id": { force: true },
  "DELETE /customers/:id": { force: true },
  "DELETE /trips/:id": { force: true }
})

/** The query parameters that a route requires. */
export const requiredQueries: Readonly<Record<string, string>> = {
  "GET /drivers/:id/statement": "?from=2026-12-01&to=2026-12-31",
  "GET /customers/:id/statement": "?from=2026-12-01&to=2026-12-31",
  "GET /products/:id/departures": "?date_from=2026-12-24&date_to=2026-12-24",
  "GET /public/businesses/:vendor_slug/products/:id/departures": "?date_from=2026-12-24&date_to=2026-12-24"
}

/** The fields of queries and at the top level of bodies. */
const topReferences: Readonly<
  Record<
    string,
    (own: Ids & { readonly slug: string }, named: Ids) => readonly [path: string, body?: unknown]
  >
> = {
  "POST /trips car_id": (_, { car }) => ["/trips", { ...booking, car_id: car }],
  "POST /trips customer_id": (_, { customer }) => ["/trips", { ...booking, customer_id: customer }],
  "POST /trips linked_trip_id": (_, { trip }) => ["/trips", { ...booking, linked_trip_id: trip }],
  "PATCH /trips/:id linked_trip_id": (own, { trip }) => [`/trips/${own.trip}`, { linked_trip_id: trip }],
  "POST /trips/:id/duplicate linked_trip_id": (own, { trip }) => [
    `/trips/${own.trip}/duplicate`,
    { linked_trip_id: trip }
  ],
  "PATCH /trips/:id car_id": ({ trip }, { car }) => [`/trips/${trip}`, { car_id: car }],
  "PATCH /trips/:id customer_id": ({ trip }, { customer }) => [`/trips/${trip}`, { customer_id: customer }],
  "POST /trips/:id/duplicate car_id": ({ trip }, { car }) => [`/trips/${trip}/duplicate`, { car_id: car }],
  "POST /trips/:id/duplicate customer_id": ({ trip }, { customer }) => [
    `/trips/${trip}/duplicate`,
    { customer_id: customer }
  ],
  "POST /trips/:id/drivers driver_ids": (own, { driver }) => [
    `/trips/${own.trip}/drivers`,
    { driver_ids: [own.driver, driver] }
  ],
  "PATCH /trips/:id/driver-status driver_id": ({ trip }, { driver }) => [
    `/trips/${trip}/driver-status`,
    { driver_id: driver, status: "en_route" }
  ],
  "POST /invoices customer_id": (_, { customer }) => [
    "/invoices",
    { items: [{ description: "Transfer", unit_price: 1 }], customer_id: customer }
  ],
  "POST /invoices trip_ids": (_, { trip }) => ["/invoices", { trip_ids: [trip] }],
  "PATCH /invoices/:id customer_id": ({ invoice }, { customer }) => [
    `/invoices/${invoice}`,
    { customer_id: customer }
  ],
  "POST /invoices/:id/correct customer_id": ({ creditedInvoice }, { customer }) => [
    `/invoices/${creditedInvoice}/correct`,
    { customer_id: customer }
  ],
  "POST /invoices/:id/trips trip_ids": ({ openInvoice }, { trip }) => [
    `/invoices/${openInvoice}/trips`,
    { trip_ids: [trip] }
  ],
  "DELETE /invoices/:id/trips trip_ids": ({ openInvoice }, { trip }) => [
    `/invoices/${openInvoice}/trips`,
    { trip_ids: [trip] }
  ],
  "POST /drivers/:id/messages trip_id": ({ driver }, { trip }) => [
    `/drivers/${driver}/messages`,
    { text: "Call us", trip_id: trip }
  ],
  "POST /drivers default_car_id": (_, { car }) => ["/drivers", { name: "Mary", default_car_id: car }],
  "PATCH /drivers/:id default_car_id": ({ driver }, { car }) => [
    `/drivers/${driver}`,
    { default_car_id: car }
  ],
  "DELETE /drivers/:id/absences absence_ids": ({ driver }, { absence }) => [
    `/drivers/${driver}/absences`,
    { absence_ids: [absence] }
  ],
  "POST /quotes customer_id": (_, { customer }) => [
    "/quotes",
    { customer_id: customer, items: [{ description: "Ride" }] }
  ],
  "PATCH /quotes/:id customer_id": ({ quote }, { customer }) => [
    `/quotes/${quote}`,
    { customer_id: customer }
  ],
  "POST /quotes/:id/price tariff_id": ({ quote }, { tariff }) => [
    `/quotes/${quote}/price`,
    { vehicle_class: "sedan", tariff_id: tariff }
  ],
  "POST /bookings product_id": (_, { product }) => [
    "/bookings",
    { product_id: product, starts_at: booking.trip_date, customer_name: "Ada" }
  ],
  "POST /bookings customer_id": (own, { customer }) => [
    "/bookings",
    { product_id: own.product, starts_at: booking.trip_date, customer_id: customer }
  ],
  "PATCH /bookings/:id customer_id": (own, { customer }) => [
    `/bookings/${own.booking}`,
    { customer_id: customer }
  ],
  "POST /public/businesses/:vendor_slug/bookings product_id": ({ slug }, { product }) => [
    `/public/businesses/${slug}/bookings`,
    { product_id: product, starts_at: booking.trip_date, customer_name: "Ada" }
  ],
  "GET /bookings product_id": (_, { product }) => [`/bookings?product_id=${product}`],
  "GET /bookings customer_id": (_, { customer }) => [`/bookings?customer_id=${customer}`],
  "GET /invoices customer_id": (_, { customer }) => [`/invoices?customer_id=${customer}`],
  "GET /quotes customer_id": (_, { customer }) => [`/quotes?customer_id=${customer}`],
  "POST /trips/:id/fare tariff_id": ({ underWay }, { tariff }) => [
    `/trips/${underWay}/fare`,
    { vehicle_class: "sedan", tariff_id: tariff }
  ],
  "POST /fares/estimate customer_id": (_, { customer }) => [
    "/fares/estimate",
    { trip_date: booking.trip_date, customer_id: customer }
  ],
  "POST /customers tariff_id": (_, { tariff }) => ["/customers", { name: "Mary", tariff_id: tariff }],
  "PATCH /customers/:id tariff_id": ({ customer }, { tariff }) => [
    `/customers/${customer}`,
    { tariff_id: tariff }
  ],
  "POST /fares/estimate tariff_id": (_, { tariff }) => [
    "/fares/estimate",
    { trip_date: booking.trip_date, tariff_id: tariff }
  ],
  "GET /trips driver_id": (_, { driver }) => [`/trips?driver_id=${driver}`],
  "GET /trips car_id": (_, { car }) => [`/trips?car_id=${car}`],
  "GET /trips customer_id": (_, { customer }) => [`/trips?customer_id=${customer}`],
  "GET /dispatch/trips driver_id": (_, { driver }) => [`/dispatch/trips?driver_id=${driver}`],
  "GET /dispatch/trips car_id": (_, { car }) => [`/dispatch/trips?car_id=${car}`],
  "GET /dispatch/trips customer_id": (_, { customer }) => [`/dispatch/trips?customer_id=${customer}`]
}

const withItems = (trip: object) => ({
  customer_name: "Ada",
  items: [{ description: "Ride", trip: { ...booking, ...trip } }]
})

const batchOf = (trip: number, entry: object) =>
  ["/dispatch/assignments", [{ trip_id: trip, ...entry }]] as const

/** The fields of the items of a bulk, as a list and as an object, by the kind of the record that they name. */
const bulkReferences = (path: string, item: object, fields: Readonly<Record<string, Kind>>) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(
      ([field, kind]): ReadonlyArray<[string, (typeof topReferences)[string]]> => {
        const named = (ids: Ids) => [{ ...item, [field]: ids[kind] }]
        return [
          [`POST ${path}/bulk 0.${field}`, (_, ids) => [`${path}/bulk`, named(ids)]],
          [`POST ${path}/bulk items.0.${field}`, (_, ids) => [`${path}/bulk`, { items: named(ids) }]]
        ]
      }
    )
  )

/** The drivers that a customer of a bulk prefers or refuses. */
const bulkChoices = (field: string): typeof topReferences => {
  const named = ({ driver }: Ids) => [{ name: "Mary", [field]: [driver] }]
  return {
    [`POST /customers/bulk 0.${field}`]: (_, ids) => ["/customers/bulk", named(ids)],
    [`POST /customers/bulk items.0.${field}`]: (_, ids) => ["/customers/bulk", { items: named(ids) }]
  }
}

/** The fields below the top level of bodies, by the path in the body. */
const nestedReferences: typeof topReferences = {
  ...bulkReferences("/trips", booking, { car_id: "car", customer_id: "customer", linked_trip_id: "trip" }),
  ...bulkReferences("/drivers", { name: "Mary" }, { default_car_id: "car" }),
  ...bulkReferences("/customers", { name: "Mary" }, { tariff_id: "tariff" }),
  ...bulkChoices("preferred_driver_ids"),
  ...bulkChoices("refused_driver_ids"),
  "POST /customers preferred_driver_ids": (_, { driver }) => [
    "/customers",
    { name: "Mary", preferred_driver_ids: [driver] }
  ],
  "POST /customers refused_driver_ids": (_, { driver }) => [
    "/customers",
    { name: "Mary", refused_driver_ids: [driver] }
  ],
  "PATCH /customers/:id preferred_driver_ids": ({ customer }, { driver }) => [
    `/customers/${customer}`,
    { preferred_driver_ids: [driver] }
  ],
  "PATCH /customers/:id refused_driver_ids": ({ customer }, { driver }) => [
    `/customers/${customer}`,
    { refused_driver_ids: [driver] }
  ],
  "POST /quotes items.0.trip.car_id": (_, { car }) => ["/quotes", withItems({ car_id: car })],
  "POST /quotes items.0.trip.customer_id": (_, { customer }) => [
    "/quotes",
    withItems({ customer_id: customer })
  ],
  "POST /quotes items.0.trip.linked_trip_id": (_, { trip }) => [
    "/quotes",
    withItems({ linked_trip_id: trip })
  ],
  "PATCH /quotes/:id items.0.trip.car_id": ({ quote }, { car }) => [
    `/quotes/${quote}`,
    { items: withItems({ car_id: car }).items }
  ],
  "PATCH /quotes/:id items.0.trip.customer_id": ({ quote }, { customer }) => [
    `/quotes/${quote}`,
    { items: withItems({ customer_id: customer }).items }
  ],
  "PATCH /quotes/:id items.0.trip.linked_trip_id": ({ quote }, { trip }) => [
    `/quotes/${quote}`,
    { items: withItems({ linked_trip_id: trip }).items }
  ],
  "POST /trips/:id/drivers assignments.0.driver_id": ({ trip }, { driver }) => [
    `/trips/${trip}/drivers`,
    { assignments: [{ driver_id: driver }] }
  ],
  "POST /trips/:id/drivers assignments.0.car_id": ({ driver, trip }, { car }) => [
    `/trips/${trip}/drivers`,
    { assignments: [{ driver_id: driver, car_id: car }] }
  ],
  "POST /invoices items.0.trip_id": (_, { trip }) => [
    "/invoices",
    { items: [{ description: "Transfer", unit_price: 1, trip_id: trip }] }
  ],
  "PATCH /invoices/:id items.0.trip_id": ({ invoice }, { trip }) => [
    `/invoices/${invoice}`,
    { items: [{ description: "Transfer", unit_price: 1, trip_id: trip }] }
  ],
  "POST /invoices/:id/correct items.0.trip_id": ({ creditedInvoice }, { trip }) => [
    `/invoices/${creditedInvoice}/correct`,
    { items: [{ description: "Transfer", unit_price: 1, trip_id: trip }] }
  ],
  "POST /invoices/:id/credit-notes items.0.trip_id": ({ creditedInvoice }, { trip }) => [
    `/invoices/${creditedInvoice}/credit-notes`,
    { items: [{ description: "Transfer", unit_price: 1, trip_id: trip }] }
  ],
  "POST /payments customer_id": ({ invoice }, { customer }) => [
    "/payments",
    { customer_id: customer, amount: 1, allocations: [{ invoice_id: invoice, amount: 1 }] }
  ],
  "POST /payments allocations.0.invoice_id": (_, { invoice }) => [
    "/payments",
    { amount: 1, allocations: [{ invoice_id: invoice, amount: 1 }] }
  ],
  "POST /bank-statements/:id/entries/:entry_id/confirm allocations.0.invoice_id": (own, { invoice }) => [
    `/bank-statements/${own.statement}/entries/${own.entry}/confirm`,
    { allocations: [{ invoice_id: invoice, amount: 1 }] }
  ],
  "POST /dispatch/assignments 0.trip_id": ({ driver }, { trip }) => batchOf(trip, { driver_ids: [driver] }),
  "POST /dispatch/assignments 0.driver_ids": ({ trip }, { driver }) =>
    batchOf(trip, { driver_ids: [driver] }),
  "POST /dispatch/groups from_trip_id": (_own, { trip }) => [
    "/dispatch/groups",
    { group_id: "Wedding", from_trip_id: trip, move_minutes: 1 }
  ],
  "POST /dispatch/groups changes.car_id": (_own, { car }) => [
    "/dispatch/groups",
    { group_id: "Fair", changes: { car_id: car } }
  ],
  "POST /dispatch/groups changes.customer_id": (_own, { customer }) => [
    "/dispatch/groups",
    { group_id: "Fair", changes: { customer_id: customer } }
  ],
  "POST /dispatch/groups driver_ids": (_own, { driver }) => [
    "/dispatch/groups",
    { group_id: "Fair", driver_ids: [driver] }
  ],
  "POST /trip-templates trip_id": (_own, { trip }) => ["/trip-templates", { name: "Mine", trip_id: trip }],
  "POST /trip-templates/:id/trips car_id": ({ template }, { car }) => [
    `/trip-templates/${template}/trips`,
    { ...booking, car_id: car }
  ],
  "POST /trip-templates/:id/trips customer_id": ({ template }, { customer }) => [
    `/trip-templates/${template}/trips`,
    { ...booking, customer_id: customer }
  ],
  "POST /trip-templates/:id/trips linked_trip_id": ({ template }, { trip }) => [
    `/trip-templates/${template}/trips`,
    { ...booking, linked_trip_id: trip }
  ],
  "POST /dispatch/assignments 0.car_id": ({ trip }, { car }) => batchOf(trip, { car_id: car }),
  "POST /dispatch/assignments 0.assignments.0.driver_id": ({ trip }, { driver }) =>
    batchOf(trip, { assignments: [{ driver_id: driver }] }),
  "POST /dispatch/assignments 0.assignments.0.car_id": ({ driver, trip }, { car }) =>
    batchOf(trip, { assignments: [{ driver_id: driver, car_id: car }] })
}

/** The fields of bodies and queries that name a record, each with a request that uses it. */
export const references = { ...topReferences, ...nestedReferences }

/** Fields that end like an id and name no record of a business. */
export const noReferences = new Set<string>([
  "GET /trips group_id",
  "GET /dispatch/trips group_id",
  "POST /trips group_id",
  "POST /trips/bulk 0.group_id",
  "POST /trips/bulk items.0.group_id",
  "POST /dispatch/groups group_id",
  "PATCH /trips/:id group_id",
  "POST /trip-templates/:id/trips group_id",
  // A template takes over no reference to a record that is not there when a trip is booked from it.
  "POST /trip-templates trip.car_id",
  "POST /trip-templates trip.customer_id",
  "PATCH /trip-templates/:id trip.car_id",
  "PATCH /trip-templates/:id trip.customer_id",
  "POST /quotes items.0.trip.group_id",
  "PATCH /quotes/:id items.0.trip.group_id",
  "POST /trips/:id/duplicate group_id",
  // The tests of the settings name the upload of another business.
  "PATCH /settings/business logo_upload_id"
])
