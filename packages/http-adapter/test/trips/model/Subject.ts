/** What the reference is compared with: a business of its own, and a way to carry commands out in it. */
import { assert } from "@effect/vitest"
import { type Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { BusinessId } from "@livery/domain"
import { type Answer, type Command, done, refused } from "./Command.ts"
import { type Made, timeOf } from "./Paper.ts"
import { allowance, type World } from "./World.ts"

/** A business, what was made in it, and how a command is carried out there. */
export interface Subject {
  readonly businessId: number
  readonly made: Made
  readonly run: (command: Command) => Effect.Effect<Answer>
}

/** The number of drivers who can sign in; drivers hired later cannot. */
export const accounts = 6

/** Between two commands, so that nothing is answered from what was remembered. */
export const pause: Duration.Input = "1500 millis"

let opened = 0
let requested = 0

/** A business on a plan of the reference's allowance, with the policy to warn of clashes. */
export const openBusiness = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO plans (plan_id, code, name, cars, drivers, invoices, seat_minor, currency)
    VALUES (90, 'model', 'Model', ${allowance.cars}, ${allowance.drivers}, NULL, ${allowance.seatMinor}, 'USD')
    ON CONFLICT DO NOTHING`
  const slug = `model-${(opened += 1)}`
  const [row] = yield* sql<{ business_id: number }>`
    INSERT INTO businesses
      (business_name, business_email, vendor_slug, subscription_plan_id, created_at, updated_at)
    VALUES ('Model Cars', 'model@example.com', ${slug}, 90, now(), now()) RETURNING business_id`
  return BusinessId.make(row?.business_id ?? 0)
})

/**
 * A trip that waits for the business's confirmation, as a booking page makes one: stored past the use cases, of which
 * none makes such trips.
 */
export const requestTrip = Effect.fnUntraced(function* (businessId: number, made: Made, slot: number) {
  const sql = yield* SqlClient.SqlClient
  const [trip] = yield* sql<{ id: number }>`
    WITH trip AS (
      INSERT INTO trips (business_id, reference, status, payment_status, trip_type, trip_date, pickup_address,
                         dropoff_address, customer_name, currency, created_at, updated_at)
      VALUES (${businessId}, ${`TR-${(requested += 1)}`}, 'pending', 'unpaid', 'transfer', ${timeOf(slot)}, 'Here',
              'There', 'Ada', 'USD', now(), now())
      RETURNING business_id, trip_id
    ), line AS (
      INSERT INTO trip_changes (business_id, trip_id, at, actor, change, after)
      SELECT business_id, trip_id, now(), 'customer', 'created', '{"status":"pending"}' FROM trip
    ), event AS (
      INSERT INTO events (business_id, event_id, event_type, body)
      SELECT business_id, 'evt_' || trip_id, 'trip.created',
             json_build_object('data', json_build_object('trip_id', trip_id, 'status', 'pending'))::text
      FROM trip
    )
    SELECT trip_id AS id FROM trip`
  made.trips.push(trip?.id ?? 0)
  return done()
}, Effect.orDie)

/** Lets so much time pass as `pause` tells. */
export const letPass = TestClock.adjust(pause)

/** Replaces a command that cannot be carried out by one that can. */
export const practicable = (command: Command): Command =>
  command.act === "report" && command.by === "session" && command.driver >= accounts
    ? { ...command, by: "operator" }
    : command

/** Keeps what a command made, by the answer's record. */
export const keep = (made: Made, command: Command, record: Readonly<Record<string, unknown>>) => {
  if (command.act === "hire") made.drivers.push(Number(record["driver_id"]))
  if (command.act === "buy") made.cars.push(Number(record["car_id"]))
  if (command.act === "book" || command.act === "duplicate") made.trips.push(Number(record["trip_id"]))
}

interface Warning {
  readonly type: string
  readonly driver_id?: number
  readonly car_id?: number
  readonly trip_id?: number
}

/** The answer that a record is: with the clashes among its warnings, by place. */
export const doneWith = (made: Made, record: Readonly<Record<string, unknown>>): Answer => {
  const warnings = (record["warnings"] ?? []) as ReadonlyArray<Warning>
  return done(
    warnings.flatMap(({ car_id = 0, driver_id = 0, trip_id = 0, type }) => {
      const trip = made.trips.indexOf(trip_id)
      if (type === "schedule_clash") return [`${made.drivers.indexOf(driver_id)}:${trip}`]
      if (type === "car_clash") return [`c${made.cars.indexOf(car_id)}:${trip}`]
      assert.strictEqual(type, "likely_duplicate")
      return []
    })
  )
}

/** The answer of a refusal. Its message about the affected records differs each time. */
export const refusedWith = (
  type: string,
  details: ReadonlyArray<Readonly<Record<string, unknown>>> = []
): Answer =>
  type === "invalid_request"
    ? refused(type, ...details.map(({ field, issue }) => `${String(field)} ${String(issue)}`))
    : refused(type)

/** The state that a copy takes over: the returned tokens, by trip and driver. */
export class Tokens {
  readonly #tokens = new Map<string, string>()

  /** Those in the answer to an assignment; null if it was returned before. */
  keep(trip: number, made: Made, record: Readonly<Record<string, unknown>>) {
    const drivers = (record["drivers"] ?? []) as ReadonlyArray<{
      readonly driver_id: number
      readonly driver_token: string | null
    }>
    for (const { driver_id, driver_token } of drivers)
      if (driver_token !== null) this.#tokens.set(`${trip}:${made.drivers.indexOf(driver_id)}`, driver_token)
  }

  of(trip: number, driver: number) {
    return this.#tokens.get(`${trip}:${driver}`) ?? `drv_1_${"a".repeat(43)}`
  }
}

/** For messages: what the world was, and what was done there. */
export const reported = (world: World, command: Command) =>
  `${JSON.stringify(command)} in ${JSON.stringify(world)}`
