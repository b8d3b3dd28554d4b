/** How long each report of a month takes in a business of many trips, and what its statement reads. */
import { ask } from "../webhooks/Cluster.ts"
import { quantile, report } from "../webhooks/Figures.ts"
import type { Bed } from "./Bed.ts"
import { type Caller, equip, found, load } from "./lists/Population.ts"
import { withLivery } from "./RoutesRace.ts"

const reports = [
  "revenue?by=day",
  "revenue?by=month",
  "revenue?by=customer",
  "revenue?by=class",
  "revenue?by=product",
  "trips?by=status",
  "trips?by=channel",
  "punctuality",
  "drivers",
  "cars",
  "unpaid",
  "taxes"
] as const

/** How often each report is read; the slowest reading counts, too. */
const readings = 9

/** How many trips an invoice has. */
const tripsOfInvoice = 5

/** The first and the last day of the month before the present one. */
const lastMonth = () => {
  const now = new Date()
  const day = (month: number, date: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), month, date)).toISOString().slice(0, 10)
  return `from=${day(now.getUTCMonth() - 1, 1)}&to=${day(now.getUTCMonth(), 0)}`
}

/** The trips of a day: a business of 1,000,000 has them over four years. A smaller one has the same month, and fewer of them. */
const tripsADay = 684

/** A business of so many trips around today, without the words of a search, which no report reads. */
const makeTrips = async (url: string, trips: number): Promise<Caller> => {
  const caller = await found(url, `reports-of-${trips}`)
  const { businessId } = caller
  const days = Math.round(trips / tripsADay / 2)
  const { cars, drivers, firstCar, firstDriver } = await equip(url, caller, 50, 20)
  await load(
    url,
    `insert into trips (business_id, reference, status, payment_status, trip_type, trip_date, pickup_address, dropoff_address,
       customer_name, total_minor, currency, details, created_at, updated_at, car_id)
     select ${businessId}, 'TR-' || n, case when at >= now() then 'confirmed' when n % 10 = 0 then 'cancelled' else 'completed' end,
       'unpaid', 'transfer', at, n || ' Station Square, 8001 Zurich', 'Airport, Terminal 2, departures', 'Customer ' || n % 5000,
       12900, 'CHF', jsonb_build_object('vehicle_class', (array['sedan', 'van', 'suv'])[1 + n % 3], 'distance_m', 12000),
       at - interval '20 days', at, ${firstCar} + n % ${cars}
     from (
       select n, now() + ((n * 7919::bigint) % ${2 * days} - ${days}) * interval '1 day' + (n * 104729::bigint) % 86400 * interval '1 second' as at
       from generate_series(1, ${trips}) n) t`,
    `insert into assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, created_at, en_route_at, completed_at)
     select business_id, trip_id, ${firstDriver} + trip_id % ${drivers}, case when status = 'completed' then 'completed' else 'assigned' end,
       trip_date, trip_date + interval '1 hour', created_at,
       case when status = 'completed' then trip_date - interval '20 minutes' end,
       case when status = 'completed' then trip_date + interval '50 minutes' end
     from trips where business_id = ${businessId} and status <> 'cancelled'`
  )
  return caller
}

/**
 * Gives the trips of a business a first change each, a later one, the arrival of their drivers, 200 customers, two products with
 * a booking for every tenth trip, and an invoice for each five completed ones.
 */
const complete = (url: string, businessId: number) =>
  load(
    url,
    `insert into customers (business_id, name, created_at, updated_at)
     select ${businessId}, 'Customer ' || n, now(), now() from generate_series(1, 200) n`,
    `insert into products (business_id, name, kind, price_minor, currency, duration_minutes, active, created_at, updated_at)
     select ${businessId}, 'Product ' || n, 'tour', 12900, 'CHF', 60, true, now(), now() from generate_series(1, 2) n`,
    `insert into trip_changes (business_id, trip_id, at, actor, change, after)
     select business_id, trip_id, created_at,
       (array['user:1', 'api_key:1', 'customer'])[1 + trip_id % 3], 'created', '{"status": "pending"}'
     from trips where business_id = ${businessId} order by trip_id`,
    `insert into trip_changes (business_id, trip_id, at, actor, change, before, after)
     select business_id, trip_id, created_at, 'user:1', 'updated', '{"notes": null}', '{"notes": "x"}'
     from trips where business_id = ${businessId} order by trip_id`,
    `insert into assignment_milestones (business_id, assignment_id, milestone, at)
     select business_id, assignment_id, 'arrived_at_pickup', trip_date + (assignment_id % 20 - 15) * interval '1 minute'
     from assignments where business_id = ${businessId} and status = 'completed'`,
    `insert into bookings (business_id, reference, status, product_id, starts_at, ends_at, participants_count, total_minor,
       currency, trip_id, created_at, updated_at)
     select business_id, 'BK-' || trip_id, 'confirmed',
       (select min(product_id) from products where business_id = ${businessId}) + trip_id % 2, trip_date,
       trip_date + interval '1 hour', 2, 12900, 'CHF', trip_id, now(), now()
     from trips where business_id = ${businessId} and trip_id % 10 = 0`,
    `insert into invoices (business_id, number, customer_id, status, currency, lines, subtotal_minor, tax_minor, total_minor,
       paid_minor, payment_hash, issued_on, created_at, updated_at)
     select ${businessId}, 'INV-' || n,
       (select min(customer_id) from customers where business_id = ${businessId}) + n % 200,
       case when n % 50 = 0 then 'unpaid' else 'paid' end, 'CHF', lines, 12900 * count, 1045 * count, 13945 * count,
       case when n % 50 = 0 then 0 else 13945 * count end, 'none ' || n, day, day, day
     from (
       select row_number() over () as n, max(trip_date)::date as day, count(*)::int as count,
         jsonb_agg(jsonb_build_object('description', 'Transfer', 'quantity', 1, 'unit_price_minor', 12900, 'tax_rate', 8.1,
           'net_minor', 12900, 'trip_id', trip_id)) as lines
       from (
         select trip_id, trip_date, row_number() over (order by trip_date) / ${tripsOfInvoice} as part
         from trips where business_id = ${businessId} and status = 'completed') t
       group by part) i`,
    "vacuum analyze"
  )

/** Times each report of a month, over HTTP. */
export const timeReports = async (bed: Bed, trips: number): Promise<void> => {
  const { businessId, key } = await makeTrips(bed.url, trips)
  await complete(bed.url, businessId)
  const [row] = await ask(
    bed.url,
    `select count(*)::int as count from trips where business_id = ${businessId}
     and trip_date >= date_trunc('month', now() - interval '1 month') and trip_date < date_trunc('month', now())`
  )
  report(`The month has ${String(row?.["count"])} of ${trips} trips`)
  await withLivery(bed, async ({ port }) => {
    for (const name of reports) {
      const address = `http://127.0.0.1:${port}/api/v1/reports/${name}`
      const times: Array<number> = []
      for (let reading = 0; reading < readings; reading++) {
        const began = performance.now()
        const response = await fetch(`${address}${name.includes("?") ? "&" : "?"}${lastMonth()}`, {
          headers: { authorization: `Bearer ${key}` }
        })
        const body = await response.text()
        if (response.status !== 200) throw new Error(`${name}: ${response.status} ${body}`)
        times.push(performance.now() - began)
      }
      const shown = (value: number) => `${value.toFixed(0).padStart(6)} ms`
      report(
        `${name.padEnd(22)} median ${shown(quantile(times, 0.5))}  slowest ${shown(quantile(times, 1))}  first ${shown(times[0] ?? 0)}`
      )
    }
  })
}
