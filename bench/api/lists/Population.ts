/** Businesses of any size, filled by COPY. */
import { createHash, randomBytes } from "node:crypto"
import { createWriteStream } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { once } from "node:events"
import { ask } from "../../webhooks/Cluster.ts"
import { report } from "../../webhooks/Figures.ts"

/** A business, and an API key of it. */
export interface Caller {
  readonly businessId: number
  readonly key: string
}

/**
 * How many trips are today's, and as many tomorrow's, independent of the size. The others are spread over two years either way,
 * without yesterday, whose last trips would be on today's board in numbers that depend on the size.
 */
const jobsADay = 80
const days = 730

/** How many trips the rare values of the filters find, independent of the size: the first ones, of today and tomorrow. */
const rareTrips = 100

/** How many trips are pending and paid on one day, independent of the size: those after today's and tomorrow's. */
const pendingTrips = 30
const pendingDay = 15

/** The class of the cars of the rare trips. */
const rareCars = 20

/** Seconds of a day without a change of the clock. */
export const secondsADay = 86_400

/**
 * Writes many rows. Foreign keys are not checked, triggers do not run, and commits do not wait for the disk: these would
 * take longer than to write the rows.
 */
export const load = (url: string, ...statements: ReadonlyArray<string>) =>
  ask(
    url,
    "set statement_timeout = 0",
    "set session_replication_role = replica",
    "set synchronous_commit = off",
    ...statements
  )

/** A number from 0 to 1 that is the same for the same trip in every run. */
const drawn = (index: number, salt: number) => {
  let mixed = Math.imul(index ^ (salt * 0x9e3779b9), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
}

/** How PostgreSQL's COPY reads NULL. */
export const none = String.raw`\N`

/** The columns of a trip that COPY reads, up to the group. */
export const lineOf = (businessId: number, index: number, count: number, today: number, now: number) => {
  const near = index < 2 * jobsADay
  const isPending = !near && index < 2 * jobsADay + pendingTrips
  const spread = isPending ? pendingDay : Math.floor(drawn(index, 1) * 2 * days) - days
  const day = near ? Math.floor(index / jobsADay) : spread
  const offset = !near && day >= -1 && day <= 1 ? 2 : day
  const second = today + offset * secondsADay + Math.floor(drawn(index, 2) * secondsADay)
  const past = second < now
  const chance = drawn(index, 3)
  const upcoming = isPending || chance >= 0.9 ? "pending" : "confirmed"
  const status = past ? (chance < 0.9 ? "completed" : "cancelled") : upcoming
  const payment = isPending ? "paid" : ["unpaid", "partial", "paid"][Math.floor(drawn(index, 4) * 3)]
  const isRare = index < rareTrips
  return [
    businessId,
    `TR-${index}`,
    status,
    payment,
    isRare ? "event" : "transfer",
    new Date(second * 1000).toISOString(),
    `${index} Station Square, 8001 Zurich`,
    "Airport, Terminal 2, departures",
    isRare ? "Zoe Unusual" : `Customer ${index % 5000}`,
    `customer${index % 5000}@example.com`,
    12_900,
    "CHF",
    "A note of some length, as dispatchers write them for their drivers.",
    new Date((now - count) * 1000).toISOString(),
    new Date((isRare ? now : now - 30 * secondsADay - count) * 1000).toISOString(),
    isRare ? "LX 318" : none,
    isRare ? "rare" : none
  ]
}

/** Writes lines for COPY to a file. */
export const write = async (file: string, lines: Iterable<ReadonlyArray<unknown>>) => {
  const out = createWriteStream(file)
  for (const line of lines) if (!out.write(`${line.join("\t")}\n`)) await once(out, "drain")
  out.end()
  await once(out, "finish")
}

const idOf = (rows: ReadonlyArray<Record<string, unknown>>) => Number(rows[0]?.["id"])

/** A business without anything, and an API key of it. Its name has to be new. */
export const found = async (url: string, name: string): Promise<Caller> => {
  const key = `lvk_${randomBytes(32).toString("base64url")}`
  const hash = createHash("sha256").update(key).digest("hex")
  const businessId = idOf(
    await ask(
      url,
      `insert into businesses (business_name, business_email, vendor_slug, subscription_plan_id, created_at, updated_at)
       values ('${name}', '${name}@example.com', '${name}', 3, now(), now()) returning business_id as id`
    )
  )
  const userId = idOf(
    await ask(
      url,
      `insert into users (email, name, account_type, password_hash, created_at, updated_at)
       values ('${name}@example.com', 'Ada', 'A', 'none', now(), now()) returning user_id as id`
    )
  )
  await ask(
    url,
    `insert into api_keys (business_id, key_hash, masked_key, created_by, created_at)
     values (${businessId}, '${hash}', 'lvk_…', ${userId}, now())`
  )
  return { businessId, key }
}

/** The drivers and cars that the trips of a business are spread over, and the customer of all of them, if there is one. */
export interface Fleet {
  readonly firstDriver: number
  readonly drivers: number
  readonly firstCar: number
  readonly cars: number
  readonly customerId?: number
}

/** Gives a business so many drivers and cars. */
export const equip = async (url: string, { businessId }: Caller, drivers: number, cars: number) => {
  await load(
    url,
    `insert into drivers (business_id, name, phone, created_at, updated_at)
     select ${businessId}, 'Driver ' || n, '+41 79', now(), now() from generate_series(1, ${drivers}) n order by n`,
    `insert into cars (business_id, name, seats, vehicle_class, created_at, updated_at)
     select ${businessId}, 'Car ' || n, 4, 'sedan', now(), now() from generate_series(1, ${cars}) n order by n`
  )
  const first = async (table: string, column: string) =>
    idOf(await ask(url, `select min(${column}) as id from ${table} where business_id = ${businessId}`))
  return {
    firstDriver: await first("drivers", "driver_id"),
    drivers,
    firstCar: await first("cars", "car_id"),
    cars
  }
}

/** Gives a business that many trips, those of the past and of the next 60 days with a driver. */
export const fill = async (
  url: string,
  directory: string,
  { businessId }: Caller,
  { cars, customerId, drivers, firstCar, firstDriver }: Fleet,
  count: number
): Promise<void> => {
  const began = performance.now()
  const now = Math.floor(Date.now() / 1000)
  const today = now - (now % secondsADay)
  const file = join(directory, `trips-${businessId}.tsv`)
  await write(
    file,
    (function* () {
      for (let index = 0; index < count; index++)
        yield [
          ...lineOf(businessId, index, count, today, now),
          firstCar + ((index < rareTrips ? index % rareCars : Math.floor(drawn(index, 5) * cars)) % cars),
          customerId ?? none
        ]
    })()
  )
  await load(
    url,
    `copy trips (business_id, reference, status, payment_status, trip_type, trip_date, pickup_address, dropoff_address,
                 customer_name, customer_email, total_minor, currency, notes, created_at, updated_at, flight_number, group_id, car_id,
                 customer_id)
     from '${file}'`
  )
  await rm(file)
  await load(
    url,
    `insert into assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, created_at)
     select business_id, trip_id, ${firstDriver} + trip_id % ${drivers},
            case when status = 'completed' then 'completed' else 'assigned' end, trip_date,
            trip_date + interval '1 hour', now()
     from trips where business_id = ${businessId} and status in ('completed', 'confirmed')
       and trip_date < now() + interval '60 days'`,
    `update trips set driver_status = 'assigned' where business_id = ${businessId} and status = 'confirmed'
       and trip_date < now() + interval '60 days'`,
    `insert into trip_search (business_id, trip_id, search)
     select business_id, trip_id, array_to_tsvector((
       select array_agg(distinct business_id || ':' || word)
       from regexp_split_to_table(
         lower(concat_ws(' ', reference, customer_name, customer_email, flight_number, pickup_address, dropoff_address)),
         '[^a-z0-9]+') word
       where word <> ''))
     from trips where business_id = ${businessId}`,
    `update cars set vehicle_class = 'van' where business_id = ${businessId} and car_id < ${firstCar + rareCars}`,
    "vacuum analyze trip_search",
    "vacuum analyze trips",
    "vacuum analyze assignments",
    "analyze"
  )
  report(`${count} trips: filled in ${((performance.now() - began) / 1000).toFixed(1)} s`)
}

/** A business of that many trips, none of them a customer's, with 50 drivers and 20 cars. */
export const populate = async (url: string, directory: string, count: number): Promise<Caller> => {
  const caller = await found(url, `of-${count}`)
  await fill(url, directory, caller, await equip(url, caller, 50, 20), count)
  return caller
}
