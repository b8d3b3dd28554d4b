/** The businesses of the day: 200 of uneven size, the largest with most of the trips. */
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { ask } from "../../webhooks/Cluster.ts"
import { report } from "../../webhooks/Figures.ts"
import { makeDrivers, subscribe } from "../Bed.ts"
import {
  type Caller,
  equip,
  type Fleet,
  found,
  lineOf,
  load,
  none,
  secondsADay,
  write
} from "../lists/Population.ts"

/** A business with what its requests name. */
export interface Company extends Caller {
  /** How many trips it has. */
  readonly trips: number
  readonly customers: ReadonlyArray<number>
  /** Ids of confirmed trips of the future, in no order. */
  readonly upcoming: ReadonlyArray<number>
  readonly drivers: ReadonlyArray<number>
  /** Invoices that no payment of a cent pays in full. */
  readonly invoices: ReadonlyArray<number>
  /** Tokens of drivers under way. */
  readonly tokens: ReadonlyArray<string>
}

const companies = 200
const customersEach = 50
const invoicesEach = 10

/** The trips of the company of a rank: a tenth of the largest, divided by the rank. The first 160 are of today and tomorrow. */
const sizeOf = (rank: number, largest: number) =>
  rank === 0 ? largest : Math.max(400, Math.round(largest / 10 / rank))

const idsOf = async (url: string, statement: string): Promise<ReadonlyArray<number>> =>
  (await ask(url, statement)).map((row) => Number(row["id"]))

interface Founded {
  readonly caller: Caller
  readonly fleet: Fleet
  readonly trips: number
}

const tripLines = function* (founded: ReadonlyArray<Founded>) {
  const now = Math.floor(Date.now() / 1000)
  const today = now - (now % secondsADay)
  for (const { caller, fleet, trips } of founded)
    for (let index = 0; index < trips; index++)
      yield [
        ...lineOf(caller.businessId, index, trips, today, now),
        fleet.firstCar + (index % fleet.cars),
        index % 2 === 0 || fleet.customerId === undefined
          ? none
          : fleet.customerId + ((index * 7) % customersEach)
      ]
}

const fillTrips = async (url: string, directory: string, founded: ReadonlyArray<Founded>) => {
  const file = join(directory, "trips-of-the-day.tsv")
  await write(file, tripLines(founded))
  const fleets = founded
    .map(({ caller, fleet }) => `(${caller.businessId}, ${fleet.firstDriver}, ${fleet.drivers})`)
    .join(", ")
  const businesses = founded.map(({ caller }) => caller.businessId).join(",")
  await load(
    url,
    `copy trips (business_id, reference, status, payment_status, trip_type, trip_date, pickup_address, dropoff_address,
                 customer_name, customer_email, total_minor, currency, notes, created_at, updated_at, flight_number, group_id, car_id,
                 customer_id)
     from '${file}'`,
    `insert into assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, created_at)
     select business_id, trip_id, first_driver + trip_id % drivers,
            case when status = 'completed' then 'completed' else 'assigned' end, trip_date,
            trip_date + interval '1 hour', now()
     from trips join (values ${fleets}) f (business_id, first_driver, drivers) using (business_id)
     where status in ('completed', 'confirmed') and trip_date < now() + interval '60 days'`,
    `update trips set driver_status = 'assigned' where status = 'confirmed' and trip_date < now() + interval '60 days'`,
    `insert into trip_search (business_id, trip_id, search)
     select business_id, trip_id, array_to_tsvector((
       select array_agg(distinct business_id || ':' || word)
       from regexp_split_to_table(
         lower(concat_ws(' ', reference, customer_name, customer_email, flight_number, pickup_address, dropoff_address)),
         '[^a-z0-9]+') word
       where word <> ''))
     from trips where business_id = any ('{${businesses}}')`
  )
  await rm(file)
}

const foundAll = async (url: string, largest: number): Promise<ReadonlyArray<Founded>> => {
  const founded: Array<Founded> = []
  for (let rank = 0; rank < companies; rank++) {
    const trips = sizeOf(rank, largest)
    const caller = await found(url, `company-${rank}`)
    const fleet = await equip(
      url,
      caller,
      Math.min(200, 4 + Math.round(trips / 300)),
      Math.min(100, 3 + Math.round(trips / 500))
    )
    await load(
      url,
      `insert into customers (business_id, name, email, created_at, updated_at)
       select ${caller.businessId}, 'Customer ' || n, 'customer' || n || '@example.org', now(), now()
       from generate_series(1, ${customersEach}) n order by n`,
      `insert into invoices (business_id, number, currency, lines, subtotal_minor, total_minor, payment_hash, created_at, updated_at)
       select ${caller.businessId}, 'INV-' || lpad(n::text, 6, '0'), 'CHF',
         '[{"trip_id": null, "quantity": 1, "tax_rate": 0, "net_minor": 100000000000, "description": "Season", "unit_price_minor": 100000000000}]',
         100000000000, 100000000000,
         md5(random()::text), now(), now()
       from generate_series(1, ${invoicesEach}) n order by n`
    )
    const [customerId = 0] = await idsOf(
      url,
      `select min(customer_id) as id from customers where business_id = ${caller.businessId}`
    )
    founded.push({ caller, fleet: { ...fleet, customerId }, trips })
  }
  return founded
}

const companyOf = async (url: string, { caller, trips }: Founded, port: number): Promise<Company> => {
  const { businessId } = caller
  const ids = (table: string, column: string, condition: string) =>
    idsOf(url, `select ${column} as id from ${table} where business_id = ${businessId} and ${condition}`)
  await subscribe(port, caller.key, ["trip.created", "trip.updated", "driver.assigned", "payment.succeeded"])
  return {
    ...caller,
    trips,
    customers: await ids("customers", "customer_id", "true"),
    upcoming: await ids(
      "trips",
      "trip_id",
      "status = 'confirmed' and trip_date > now() + interval '1 day' order by md5(reference) limit 400"
    ),
    drivers: await ids("drivers", "driver_id", "name like 'Driver%'"),
    invoices: await ids("invoices", "invoice_id", "true"),
    tokens: await makeDrivers(url, businessId, Math.min(50, 2 + Math.round(trips / 1_000)))
  }
}

/** Founds the companies and fills them; `port` is of a Livery that serves the database. */
export const populateDay = async (
  url: string,
  directory: string,
  port: number,
  largest: number
): Promise<ReadonlyArray<Company>> => {
  const began = performance.now()
  const founded = await foundAll(url, largest)
  await fillTrips(url, directory, founded)
  const made: Array<Company> = []
  for (const each of founded) made.push(await companyOf(url, each, port))
  await ask(url, "set statement_timeout = 0", "vacuum analyze")
  const total = founded.reduce((sum, { trips }) => sum + trips, 0)
  report(
    `${companies} businesses with ${total} trips, ${largest} of them of one: filled in ${((performance.now() - began) / 1000).toFixed(0)} s`
  )
  return made
}
