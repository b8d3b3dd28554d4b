/**
 * Every list of a business that can grow without bound. Left out are those that cannot: a business's API keys and webhook
 * endpoints (50 at most each), a person's devices and businesses, and a driver's availability (31 days). `Coverage.ts` and
 * its test compare them with the contract.
 */
import { busyDay, type Grown } from "./Growth.ts"

/**
 * The caller of a list: the business's key, the key of the business with drivers under way, or the person who is an
 * owner and a driver, of the business or of the one whose driver has only upcoming jobs.
 */
export type Asker = "business" | "on the road" | "person" | "booked driver"

/** The request of a list. */
export interface List {
  /** The path, as the table names it. */
  readonly name: string
  readonly by: Asker
  readonly path: (grown: Grown) => string
  /** The body of a POST that makes a record, instead of asking for a list. */
  readonly body?: object
  /** A page whose `next_cursor` the path is followed by, for lists that go on by cursor. */
  readonly after?: string
}

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)

/** Every combination of the filters of trips; of statuses one that many trips have and one that few have. */
const tripFilters = ["", "status=completed", "status=pending"].flatMap((status) =>
  ["", "payment_status=paid"].flatMap((payment) =>
    ["", "filter=upcoming", "filter=previous", `date_from=${day(10)}&date_to=${day(40)}`].map((when) =>
      [status, payment, when].filter((part) => part !== "").join("&")
    )
  )
)

/** The filters of trips that the business's own data do not name: values that few trips have, and that all have. */
const valuesOfTrips = [
  "search=unusual",
  "search=station",
  "search=station+unusual",
  "reference=TR-5",
  "flight_number=LX318",
  "trip_type=event",
  "trip_type=transfer",
  "driver_status=unassigned",
  "driver_status=en_route",
  "vehicle_class=van",
  "vehicle_class=sedan",
  "group_id=rare",
  "trip_type=transfer&status=pending",
  "driver_status=unassigned&status=pending",
  "payment_status=paid&search=unusual",
  `updated_since=${day(-1)}T00:00:00Z`,
  "updated_since=2020-01-01T00:00:00Z"
]

const plain = (path: string, by: Asker = "business"): List => ({ name: path, by, path: () => path })

/** A list whose path has the id of a record. */
const of = (name: string, id: (grown: Grown) => number): List => ({
  name,
  by: "business",
  path: (grown) => name.replace("{id}", String(id(grown)))
})

const productOf = ({ productId }: Grown) => productId
const customerOf = ({ customerId }: Grown) => customerId
const driverOf = ({ driverId }: Grown) => driverId
const invoiceOf = ({ invoiceId }: Grown) => invoiceId
const endpointOf = ({ endpointId }: Grown) => endpointId

/** The lists of sales, of the payments and credit notes of an invoice, and of people. */
const listsOfSalesAndPeople: ReadonlyArray<List> = [
  plain("/business/members", "person"),
  plain("/business/members/invitations", "person"),
  plain(`/drivers/free?from=${day(20)}T10:00:00Z&to=${day(20)}T11:00:00Z`),
  plain(`/drivers/free?from=${day(20)}T10:00:00Z&to=${day(20)}T11:00:00Z&vehicle_class=van`),
  plain(`/drivers/free?from=${day(20)}T10:00:00Z&to=${day(20)}T11:00:00Z&vehicle_class=sedan`),
  plain(`/drivers/free?from=${day(20)}T10:00:00Z&to=${day(20)}T11:00:00Z&near=47.4,8.5`, "on the road"),
  plain(`/drivers/absences?from=${day(20)}T00:00:00Z&to=${day(21)}T00:00:00Z`),
  of("/drivers/{id}/absences", driverOf),
  of(`/drivers/{id}/absences?from=${day(-1)}T00:00:00Z`, driverOf),
  of(`/drivers/{id}/absences?to=2000-01-03T00:00:00Z`, driverOf),
  plain("/tariffs"),
  plain("/products"),
  plain("/products?active=true"),
  plain("/products?active=false"),
  plain("/bookings"),
  plain("/bookings?status=completed"),
  plain("/bookings?status=pending"),
  plain("/bookings?status=expired"),
  of("/bookings?product_id={id}", productOf),
  of("/bookings?customer_id={id}", customerOf),
  of("/bookings?product_id={id}&status=pending", productOf),
  of("/bookings?product_id={id}&payment_status=paid", productOf),
  of("/bookings?customer_id={id}&status=pending", customerOf),
  of("/bookings?customer_id={id}&payment_status=paid", customerOf),
  plain("/bookings?reference=B-5"),
  plain(`/bookings?date_from=${day(-40)}&date_to=${day(-10)}`),
  plain(`/bookings?status=pending&date_to=${day(-10)}`),
  plain("/bookings?payment_status=unpaid"),
  plain("/bookings?payment_status=partial"),
  plain("/bookings?payment_status=paid"),
  plain("/bookings?payment_status=paid&status=pending"),
  plain("/quotes"),
  plain("/quotes?status=rejected"),
  plain("/quotes?status=draft"),
  plain("/quotes?status=expired"),
  of("/quotes?customer_id={id}", customerOf),
  of("/quotes?customer_id={id}&status=draft", customerOf),
  plain("/quotes?reference=Q-5"),
  plain(`/quotes?date_from=${day(-40)}&date_to=${day(-10)}`),
  plain(`/quotes?status=draft&date_from=${day(-40)}`),
  of("/invoices/{id}/payments", invoiceOf),
  of("/invoices/{id}/credit-notes", invoiceOf),
  of("/invoices/{id}/timeline", invoiceOf),
  plain("/letters/failed"),
  plain("/trips/{trip}/notices")
]

/** Every list; the lists of trips with each combination of filters. */
export const lists: ReadonlyArray<List> = [
  ...listsOfSalesAndPeople,
  plain("/cars"),
  plain("/cars?active=true"),
  plain("/cars?active=false"),
  plain("/drivers"),
  plain("/drivers?active=true"),
  plain("/drivers?active=false"),
  plain("/drivers/locations", "on the road"),
  plain("/customers"),
  plain("/customers?search=person1"),
  plain("/customers?search=person"),
  of("/customers/{id}/trips", customerOf),
  of("/customers/{id}/invoices", customerOf),
  plain("/payments"),
  plain("/invoices"),
  plain("/invoices?status=unpaid"),
  plain("/invoices?status=paid"),
  plain("/invoices?status=void"),
  plain("/invoices?search=INV-0010"),
  plain("/invoices?search=INV-001001"),
  plain("/invoices?search=INV"),
  of("/invoices?customer_id={id}", customerOf),
  of("/invoices?customer_id={id}&status=paid", customerOf),
  plain(`/invoices?date_from=${day(-4000)}`),
  plain(`/invoices?date_from=${day(-4000)}&date_to=${day(4000)}&status=unpaid`),
  plain("/invoices?status=unpaid&search=INV-0"),
  plain("/invoices?status=paid&search=INV-0"),
  {
    name: "POST /invoices",
    by: "business",
    path: () => "/invoices",
    body: { items: [{ description: "Transfer", unit_price: 129 }] }
  },
  ...tripFilters.map((filter) => plain(filter === "" ? "/trips" : `/trips?${filter}`)),
  ...valuesOfTrips.map((filter) => plain(`/trips?${filter}`)),
  of("/trips?driver_id={id}", driverOf),
  of("/trips?customer_id={id}", customerOf),
  of("/trips?car_id={id}", ({ carId }) => carId),
  of("/trips?driver_id={id}&status=pending", driverOf),
  of("/trips?driver_id={id}&trip_type=event", driverOf),
  of("/trips?customer_id={id}&status=pending", customerOf),
  of("/trips?customer_id={id}&trip_type=event", customerOf),
  { name: "/trips, by cursor", by: "business", path: () => "/trips", after: "/trips?page=5" },
  of("/trips/{id}/timeline", ({ tripId }) => tripId),
  plain("/dispatch/trips?per_page=100"),
  plain("/dispatch/trips?per_page=100&status=confirmed"),
  plain(`/dispatch/trips?per_page=100&date=${day(1)}`),
  plain(`/dispatch/trips?per_page=100&date=${busyDay()}`),
  plain(`/dispatch/trips?per_page=100&page=3&date=${busyDay()}`),
  plain("/dispatch/trips?per_page=100&search=unusual"),
  plain("/dispatch/trips?per_page=100&vehicle_class=van"),
  of("/dispatch/trips?driver_id={id}", driverOf),
  of("/dispatch/trips?customer_id={id}", customerOf),
  plain(`/dispatch/trips?per_page=100&from=${busyDay()}T00:00:00Z&to=${busyDay()}T12:00:00Z`),
  plain("/dispatch/trips?per_page=100&trip_type=event"),
  plain("/dispatch/trips?per_page=100&driver_status=en_route"),
  plain("/dispatch/trips?per_page=100&reference=TR-5"),
  plain("/dispatch/trips?per_page=100&flight_number=LX318"),
  plain(`/dispatch/trips?per_page=100&updated_since=${day(-1)}T00:00:00Z`),
  plain("/me/driver/trips", "person"),
  plain("/me/driver/trips?filter=upcoming", "person"),
  {
    ...plain("/me/driver/trips?filter=upcoming", "booked driver"),
    name: "/me/driver/trips?filter=upcoming, all jobs"
  },
  plain("/me/driver/trips?filter=previous", "person"),
  plain("/me/driver/trips?status=assigned", "person"),
  {
    ...plain("/me/driver/trips?status=assigned", "booked driver"),
    name: "/me/driver/trips?status=assigned, all jobs"
  },
  plain("/me/driver/trips?status=en_route", "person"),
  plain("/me/driver/trips?status=completed", "person"),
  plain("/me/driver/trips?status=cancelled", "person"),
  plain("/me/driver/trips?filter=previous&status=assigned", "person"),
  of("/webhooks/{id}/deliveries", endpointOf),
  of("/webhooks/{id}/deliveries?status=failed", endpointOf),
  of("/webhooks/{id}/deliveries?status=pending", endpointOf),
  of("/webhooks/{id}/deliveries?status=delivered", endpointOf),
  plain("/events")
]
