/** Businesses with a given number of rows in every list of the API. */
import { ask } from "../../webhooks/Cluster.ts"
import { report } from "../../webhooks/Figures.ts"
import { type Caller, equip, fill, found, load } from "./Population.ts"
import { addPapers, addPeople, addSales } from "./Sales.ts"

/** A business with that many rows of each kind. One customer, driver, endpoint and trip has all of them. */
export interface Grown extends Caller {
  readonly rows: number
  /** Has all the trips, invoices, quotes and bookings. */
  readonly customerId: number
  /** Has all the bookings. */
  readonly productId: number
  /** Has all the payments and credit notes. */
  readonly invoiceId: number
  /** Drives all the trips that have a driver, and has all the absences. */
  readonly driverId: number
  /** Has a few of the trips. */
  readonly carId: number
  /** Has all the deliveries. */
  readonly endpointId: number
  /** Has all the changes in its timeline. */
  readonly tripId: number
  /** Another business with that many drivers under way. */
  readonly onTheRoad: Caller
  /** Another business with one driver, who has that many upcoming jobs. */
  readonly bookedOut: { readonly businessId: number; readonly driverId: number }
}

/** The day of {@link addBusyDay}, later than all other trips. */
export const busyDay = () => new Date(Date.now() + 800 * 86_400_000).toISOString().slice(0, 10)

const idOf = (rows: ReadonlyArray<Record<string, unknown>>) => Number(rows[0]?.["id"])

/** Customers with the words that a search finds them by. Gives the id of the first. */
const addCustomers = async (url: string, { businessId }: Caller, rows: number) =>
  idOf(
    await load(
      url,
      `with made as (
         insert into customers (business_id, name, email, phone, search, created_at, updated_at)
         select ${businessId}, 'Person ' || n, 'person' || n || '@example.com', '+41 44 ' || n,
           array_to_tsvector(array['${businessId}:person', '${businessId}:' || n, '${businessId}:person' || n]),
           now(), now()
         from generate_series(1, ${rows}) n order by n returning customer_id
       )
       select min(customer_id) as id from made`
    )
  )

/**
 * Invoices with a line each: a hundred are unpaid, independent of the number, and the others are paid. They were raised a year ago,
 * so that the month's allowance has room.
 */
const addInvoices = (url: string, { businessId }: Caller, customerId: number, rows: number) =>
  load(
    url,
    `insert into invoices (business_id, number, customer_id, status, currency, lines, subtotal_minor, total_minor, paid_minor,
       payment_hash, created_at, updated_at)
     select ${businessId}, 'INV-' || lpad(n::text, 6, '0'), ${customerId},
       case when n % ${Math.max(1, Math.floor(rows / 100))} = 0 then 'unpaid' else 'paid' end, 'CHF',
       '[{"description": "Transfer", "quantity": 1, "unit_price_minor": 12900, "tax_rate": 0, "net_minor": 12900,
          "trip_id": null}]', 12900, 12900,
       case when n % ${Math.max(1, Math.floor(rows / 100))} = 0 then 0 else 12900 end,
       'none ' || n, now() - interval '1 year', now() - interval '1 year' from generate_series(1, ${rows}) n`,
    `insert into invoice_numbers (business_id, last_number) values (${businessId}, ${rows})`
  )

/** An event for every row, each delivered to the one endpoint; every fifth delivery failed. Gives the endpoint's id. */
const addDeliveries = async (url: string, { businessId }: Caller, rows: number) => {
  const endpointId = idOf(
    await ask(
      url,
      `insert into webhook_endpoints (business_id, url, events, sealed_secret, created_at, updated_at)
       values (${businessId}, 'https://receiver.example.com/', '{trip.created}', 'none', now(), now())
       returning endpoint_id as id`
    )
  )
  await load(
    url,
    `insert into events (business_id, event_id, event_type, position, body)
     select ${businessId}, 'evt_' || md5('${businessId} ' || n), 'trip.created', n, json_build_object(
       'id', 'evt_' || md5('${businessId} ' || n), 'type', 'trip.created', 'created', 1795000000,
       'data', json_build_object('trip_id', n, 'notes', repeat('x', 600)),
       'meta', json_build_object('business_id', ${businessId}))
     from generate_series(1, ${rows}) n order by n`,
    `insert into webhook_deliveries
       (business_id, endpoint_id, event_id, event_type, status, attempt, next_attempt_at, response_status, attempts)
     select ${businessId}, ${endpointId}, 'evt_' || md5('${businessId} ' || n), 'trip.created',
       case when n % 5 = 0 then 'failed' else 'delivered' end, 1, null, 204,
       '[{"attempt": 1, "started_at": "2026-11-20T09:30:00Z", "duration_ms": 12, "response_status": 204, "error": null}]'
     from generate_series(1, ${rows}) n order by n`
  )
  return endpointId
}

/** Changes of one trip. Gives its id. */
const addTimeline = async (url: string, { businessId }: Caller, rows: number) => {
  const tripId = idOf(
    await ask(url, `select min(trip_id) as id from trips where business_id = ${businessId}`)
  )
  await load(
    url,
    `insert into trip_changes (business_id, trip_id, at, actor, change, before, after)
     select ${businessId}, ${tripId}, now(), 'user:1', 'updated', '{"notes": null}', '{"notes": "x"}'
     from generate_series(1, ${rows}) n`
  )
  return tripId
}

/** A business of which so many drivers are under way, each on a trip of its own and with a position. */
const makeOnTheRoad = async (url: string, rows: number) => {
  const caller = await found(url, `on-the-road-${rows}`)
  const { businessId } = caller
  const { firstDriver } = await equip(url, caller, rows, 1)
  await load(
    url,
    `insert into trips (business_id, reference, status, driver_status, payment_status, trip_type, trip_date,
       pickup_address, dropoff_address, dropoff_lat, dropoff_lng, customer_name, currency, created_at, updated_at)
     select ${businessId}, 'ROAD-' || n, 'in_progress', 'en_route', 'unpaid', 'transfer', now(), 'a', 'b',
       47 + n % 797 / 797.0, 8 + n % 1009 / 1009.0, 'c', 'CHF', now(), now()
     from generate_series(0, ${rows - 1}) n`,
    `insert into assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, created_at, en_route_at)
     select business_id, trip_id, ${firstDriver} + substr(reference, 6)::int, 'en_route', trip_date,
       trip_date + interval '1 hour', now(), now()
     from trips where business_id = ${businessId}`,
    `insert into driver_positions (business_id, assignment_id, lat, lng, recorded_at, received_at)
     select business_id, assignment_id, 47, 8, now(), now() from assignments where business_id = ${businessId}`
  )
  return caller
}

/** A business whose one driver has that many upcoming jobs, one every half an hour. */
const makeBookedOut = async (url: string, rows: number) => {
  const caller = await found(url, `booked-out-${rows}`)
  const { businessId } = caller
  const { firstDriver } = await equip(url, caller, 1, 1)
  await load(
    url,
    `insert into trips (business_id, reference, status, driver_status, payment_status, trip_type, trip_date,
       pickup_address, dropoff_address, customer_name, currency, created_at, updated_at)
     select ${businessId}, 'BOOKED-' || n, 'confirmed', 'assigned', 'unpaid', 'transfer',
       now() + interval '1 day' + n * interval '30 minutes', 'a', 'b', 'c', 'CHF', now(), now()
     from generate_series(1, ${rows}) n order by n`,
    `insert into assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, created_at)
     select business_id, trip_id, ${firstDriver}, 'assigned', trip_date, trip_date + interval '20 minutes', now()
     from trips where business_id = ${businessId} order by trip_id`
  )
  return { businessId, driverId: firstDriver }
}

/**
 * A day of its own with 300 trips, as a large dispatcher's board has it: 30 drivers with 10 trips each, one every 90
 * minutes, every other one in the driver's own car in place of the trip's.
 */
const addBusyDay = async (url: string, caller: Caller) => {
  const { businessId } = caller
  const first = async (table: string, column: string) =>
    idOf(
      await ask(
        url,
        `with made as (
           insert into ${table} (business_id, name, created_at, updated_at)
           select ${businessId}, 'Busy ' || n, now(), now() from generate_series(1, 30) n order by n returning ${column}
         )
         select min(${column}) as id from made`
      )
    )
  const [driver, car] = [await first("drivers", "driver_id"), await first("cars", "car_id")]
  await ask(
    url,
    `insert into trips (business_id, reference, status, driver_status, payment_status, trip_type, trip_date,
       pickup_address, pickup_lat, pickup_lng, dropoff_address, dropoff_lat, dropoff_lng, customer_name, car_id,
       participants_count, currency, created_at, updated_at)
     select ${businessId}, 'BUSY-' || n, 'confirmed', 'assigned', 'unpaid', 'transfer',
       timestamptz '${busyDay()}T05:00:00Z' + (n / 30) * interval '90 minutes' + (n % 30) * interval '1 minute',
       'Station', 47.38, 8.54, 'Airport', 47.45, 8.56, 'Guest ' || n,
       case when n % 2 = 0 then ${car} + n % 30 end, 3, 'CHF', now(), now()
     from generate_series(0, 299) n order by n`,
    `insert into assignments (business_id, trip_id, driver_id, car_id, status, trip_date, trip_ends_at, created_at)
     select business_id, trip_id, ${driver} + substr(reference, 6)::int % 30,
       case when car_id is null then ${car} + substr(reference, 6)::int % 30 end, 'assigned', trip_date,
       trip_date + interval '1 hour', now()
     from trips where business_id = ${businessId} and reference like 'BUSY-%'`,
    `update cars set seats = 4, vehicle_class = 'sedan' where business_id = ${businessId} and car_id >= ${car}`
  )
}

/** Makes a business of so many rows; its database connection must be allowed to read files of `directory`. */
export const grow = async (url: string, directory: string, rows: number): Promise<Grown> => {
  const began = performance.now()
  const caller = await found(url, `grown-${rows}`)
  const customerId = await addCustomers(url, caller, rows)
  const fleet = await equip(url, caller, rows, rows)
  await load(
    url,
    `update drivers set default_car_id = ${fleet.firstCar} + driver_id - ${fleet.firstDriver}
     where business_id = ${caller.businessId}`
  )
  await fill(url, directory, caller, { ...fleet, drivers: 1, customerId }, rows)
  await addInvoices(url, caller, customerId, rows)
  await addBusyDay(url, caller)
  await addPeople(url, caller, fleet.firstDriver, rows)
  const grown = {
    ...caller,
    rows,
    customerId,
    productId: await addSales(url, caller, customerId, rows),
    invoiceId: await addPapers(url, caller, rows),
    driverId: fleet.firstDriver,
    carId: fleet.firstCar,
    endpointId: await addDeliveries(url, caller, rows),
    tripId: await addTimeline(url, caller, rows),
    onTheRoad: await makeOnTheRoad(url, rows),
    bookedOut: await makeBookedOut(url, rows)
  }
  await ask(url, "set statement_timeout = 0", "vacuum analyze")
  report(`${rows} rows of each kind: filled in ${((performance.now() - began) / 1000).toFixed(1)} s`)
  return grown
}
