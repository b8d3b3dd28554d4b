/** The requests that compare the two servers before the measurement: those that are measured, and refusals. */
import { ask } from "../webhooks/Cluster.ts"
import type { Bed } from "./Bed.ts"
import type { Request } from "./Load.ts"
import { booking, positionReport, withKey } from "./Routes.ts"

/** A request, with its name in the report. */
export interface Probe {
  readonly name: string
  readonly request: Request
}

const base = "/api/v1"
const json = { "Content-Type": "application/json" }

const full = {
  ...booking,
  trip_date: " 2031-07-04 09:30:00+02:00 ",
  duration_minutes: 45,
  pickup_address: "  Airport «T1» \u2013 \u{1F697} arrivals ",
  dropoff_address: 'Grand "Hotel"\\\n2nd line',
  customer_email: " ADA@example.com ",
  customer_phone: "+41 44 668 18 00",
  trip_type: "airport_arrival",
  pickup_postal_code: "8058",
  dropoff_postal_code: " ",
  pickup_lat: 47.4582,
  pickup_lng: 8.5555,
  dropoff_lat: -0.1,
  dropoff_lng: 1e-7,
  total_amount: 1234.05,
  currency: "eur",
  flight_number: "LX 318",
  terminal: "1",
  participants_count: 2,
  notes: "x".repeat(200),
  special_requirements: null
}

const wrong = {
  trip_date: "2031-02-30T09:30:00Z",
  pickup_address: "  ",
  dropoff_address: null,
  customer_name: "x".repeat(201),
  trip_type: "rocket",
  participants_count: 0,
  pickup_lat: "47",
  customer_email: "nobody"
}

/** Every probe, in the order in which they are sent. */
export const makeProbes = async (bed: Bed): Promise<ReadonlyArray<Probe>> => {
  const headers = withKey(bed)
  const get = (name: string, path: string, sent: Request["headers"] = headers): Probe => ({
    name: `GET ${path}${name}`,
    request: { method: "GET", path: path.startsWith("/health") ? path : base + path, headers: sent }
  })
  const post = (name: string, path: string, body: string, sent: Request["headers"] = headers): Probe => ({
    name: `POST ${path.split("?", 1)[0]}${name}`,
    request: { method: "POST", path: base + path, headers: { ...sent, ...json }, body }
  })
  const idWhere = async (condition: string) => {
    const [row] = await ask(
      bed.url,
      `select min(trip_id) as id, min(car_id) as car from trips where business_id = ${bed.businessId} and ${condition}`
    )
    return { id: String(row?.["id"]), car: Number(row?.["car"]) }
  }
  const completed = await idWhere("status = 'completed'")
  const underWay = await idWhere("driver_status = 'en_route'")
  const [token = "", other = ""] = bed.driverTokens
  const located = positionReport(token, 0)
  const location = (name: string, body: object, by = token) =>
    post(name, `/driver/location?token=${by}`, JSON.stringify(body), {})
  return [
    get("", "/health/live"),
    get("", "/ping"),
    get(" without a credential", "/ping", {}),
    get(" with an unknown key", "/ping", { Authorization: `Bearer lvk_${"x".repeat(43)}` }),
    get(" counted", "/trips"),
    get(" not counted", "/trips"),
    get("", "/trips?page=2"),
    get("", "/trips?status=pending&payment_status=paid"),
    get(" with wrong fields", "/trips?page=0&status=x&unknown=1"),
    get(" completed", `/trips/${completed.id}`),
    get(" under way", `/trips/${underWay.id}`),
    get(" absent", "/trips/999999999"),
    get(" that is no id", "/trips/abc"),
    post("", "/trips", JSON.stringify(booking)),
    post(" with every field", "/trips", JSON.stringify({ ...full, car_id: completed.car })),
    post(" without an offset", "/trips", JSON.stringify({ ...booking, trip_date: "2031-01-15 08:00" })),
    post(" with a car that is not there", "/trips", JSON.stringify({ ...booking, car_id: 999_999 })),
    post(" with wrong fields", "/trips", JSON.stringify(wrong)),
    post(" with no field", "/trips", "{}"),
    post(" that is no JSON", "/trips", "{"),
    post(" without a credential", "/trips", JSON.stringify(booking), {}),
    { name: "POST /driver/location", request: located },
    location(" unmeasured", { lat: 1, lng: 2, accuracy: -1, heading: null, speed: -1 }, other),
    location(" measured before", { lat: 1, lng: 2, recorded_at: "2020-01-01T00:00:00Z" }),
    location(" from the future", { lat: 1, lng: 2, recorded_at: "2031-01-01T00:00:00Z" }),
    location(" with wrong fields", { lat: 470.1, speed: "13" }),
    location(" with an unknown token", { lat: 1, lng: 2 }, "drv_nobody"),
    get(" unknown", "/nothing")
  ]
}
