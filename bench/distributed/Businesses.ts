/** The businesses of a run, made over HTTP, so that any database can have them. */
import { randomBytes } from "node:crypto"
import type { Company } from "../api/day/DayPopulation.ts"
import { found } from "../api/lists/Population.ts"
import { booking } from "../api/Routes.ts"
import { ask } from "../webhooks/Cluster.ts"

const customersEach = 5
const driversEach = 4
const invoicesEach = 2
const tokensEach = 2

/** Sends a request with the key of a business, and gives the data of the answer. */
const caller = (port: number, key: string) => async (method: string, path: string, body: object) => {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return (JSON.parse(text) as { readonly data: Readonly<Record<string, unknown>> }).data
}

const times = async <A>(count: number, make: (index: number) => Promise<A>) => {
  const made: Array<A> = []
  for (let index = 0; index < count; index++) made.push(await make(index))
  return made
}

/** A driver under way with a token. Each statement writes one row of one business, as a distributed database needs. */
const underWay = async (url: string, businessId: number, driverId: number, index: number) => {
  const token = `drv_${businessId}_${randomBytes(32).toString("base64url")}`
  const [trip] = await ask(
    url,
    `insert into trips (business_id, reference, status, driver_status, payment_status, trip_type, trip_date, pickup_address,
       dropoff_address, customer_name, currency, created_at, updated_at)
     values (${businessId}, 'UNDER-WAY-${index}', 'in_progress', 'en_route', 'unpaid', 'transfer', now(), 'a', 'b', 'c', 'CHF', now(), now())
     returning trip_id`
  )
  await ask(
    url,
    `insert into assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, token_hash, created_at, en_route_at)
     values (${businessId}, ${Number(trip?.["trip_id"])}, ${driverId}, 'en_route', now(), now() + interval '1 hour',
       encode(sha256(convert_to('${token}', 'UTF8')), 'hex'), now(), now())`
  )
  return token
}

const company = async (
  url: string,
  port: number,
  name: string,
  trips: number,
  receiver: string
): Promise<Company> => {
  const made = await found(url, name)
  const { businessId } = made
  const call = caller(port, made.key)
  await call("POST", "/webhooks", { url: receiver, events: ["trip.created"] })
  const customers = await times(customersEach, async (index) =>
    Number((await call("POST", "/customers", { name: `Customer ${index}` }))["customer_id"])
  )
  const drivers = await times(driversEach, async (index) =>
    Number((await call("POST", "/drivers", { name: `Driver ${index}` }))["driver_id"])
  )
  const upcoming = await times(trips, async (index) => {
    const trip = await call("POST", "/trips", {
      ...booking,
      trip_date: new Date(Date.now() + (2 + index) * 86_400_000).toISOString(),
      customer_id: customers[index % customersEach]
    })
    return Number(trip["trip_id"])
  })
  const invoices = await times(invoicesEach, async () => {
    const items = [{ description: "Season", unit_price: 1_000_000 }]
    return Number((await call("POST", "/invoices", { customer_id: customers[0], items }))["invoice_id"])
  })
  const tokens = await times(tokensEach, (index) => underWay(url, businessId, drivers[index] ?? 0, index))
  return { ...made, trips, customers, upcoming, drivers, invoices, tokens }
}

/** Makes so many businesses with so many trips each. Their endpoints deliver new trips to `receiver`. */
export const makeCompanies = async (
  url: string,
  port: number,
  {
    businesses,
    receiver,
    trips
  }: { readonly businesses: number; readonly trips: number; readonly receiver: string }
): Promise<ReadonlyArray<Company>> => {
  const run = randomBytes(4).toString("hex")
  return times(businesses, (index) => company(url, port, `company-${run}-${index}`, trips, receiver))
}
