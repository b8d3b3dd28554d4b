/** The routes that are measured, with the requests that are sent to each. */
import { ask } from "../webhooks/Cluster.ts"
import type { Bed } from "./Bed.ts"
import type { Request } from "./Load.ts"

/** A measured route. */
export interface Route {
  /** As the tables name it, for example `GET /trips/{id}`. */
  readonly name: string
  readonly requests: ReadonlyArray<Request>
  /** The request whose statements `pgbench` runs, if all requests are sent to Livery beside it; by default, the first one is sent alone. */
  readonly typical?: number
}

/** A booking with the usual fields. */
export const booking = {
  trip_date: "2031-05-04T09:30:00Z",
  pickup_address: "Airport, Terminal 1",
  dropoff_address: "Grand Hotel",
  customer_name: "Ada Lovelace",
  total_amount: 129.5
}

const base = "/api/v1"
const json = { "Content-Type": "application/json" }

/** The headers of a caller with the business's key. */
export const withKey = ({ apiKey }: Bed) => ({ Authorization: `Bearer ${apiKey}` })

/** The report of a position by a driver's token. */
export const positionReport = (token: string, index: number): Request => ({
  method: "POST",
  path: `${base}/driver/location?token=${token}`,
  headers: json,
  body: JSON.stringify({ lat: 47 + index / 1_000, lng: 8.5, accuracy: 5, speed: 13 })
})

const tripsRead = 500
const pages = 64
const passengers = 2_000

/** Every measured route. */
export const makeRoutes = async (bed: Bed): Promise<ReadonlyArray<Route>> => {
  const get = (path: string): Request => ({ method: "GET", path: base + path, headers: withKey(bed) })
  const trips = await ask(
    bed.url,
    `select trip_id from trips where business_id = ${bed.businessId} order by md5(reference) limit ${tripsRead}`
  )
  return [
    { name: "GET /health/live", requests: [{ method: "GET", path: "/health/live", headers: {} }] },
    { name: "GET /ping", requests: [get("/ping")] },
    // All clients request one list.
    { name: "GET /trips", requests: [get("/trips")] },
    {
      name: "GET /trips?page=",
      requests: Array.from({ length: pages }, (_, page) => get(`/trips?page=${page + 1}`)),
      typical: pages / 2
    },
    { name: "GET /trips/{id}", requests: trips.map((trip) => get(`/trips/${String(trip["trip_id"])}`)) },
    {
      name: "POST /trips",
      // Of different passengers: of bookings that are the same, each would warn of all before it.
      requests: Array.from({ length: passengers }, (_, passenger) => ({
        method: "POST",
        path: `${base}/trips`,
        headers: { ...withKey(bed), ...json },
        body: JSON.stringify({
          ...booking,
          trip_date: new Date(Date.UTC(2031, 4, 4, 9, passenger)).toISOString(),
          customer_name: `Ada Lovelace ${passenger}`
        })
      }))
    },
    {
      name: "POST /driver/location",
      requests: bed.driverTokens.map((token, index) => positionReport(token, index))
    }
  ]
}
