/** The real system that is compared with the model: a business, and a way to run commands in it. */
import { assert } from "@effect/vitest"
import { type Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { BusinessId } from "@livery/domain"
import { type Answer, type Command, done, refused } from "./Command.ts"
import { type Made, timeOf } from "./State.ts"
import { allowance, type Model } from "./Model.ts"

/** A business, its created records, and the function that runs a command in it. */
export interface Subject {
  readonly businessId: number
  readonly made: Made
  readonly run: (command: Command) => Effect.Effect<Answer>
}

/** The number of drivers who can sign in; drivers hired later cannot. */
export const accounts = 6

/** The time between two commands, after which no cache has an entry. */
const pause: Duration.Input = "1500 millis"

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
 * Stores a trip that waits for the business's confirmation, as a booking page makes one. It is written to the
 * database, because none of these use cases makes such a trip.
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

/** Lets {@link pause} pass. */
export const passTime = TestClock.adjust(pause)

/** Replaces a command that cannot be carried out by one that can. */
export const possibleCommand = (command: Command): Command =>
  command.act === "report" && command.by === "session" && command.driver >= accounts
    ? { ...command, by: "operator" }
    : command

/** Adds the record that a command created to `made`. */
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

/** The answer of a success, with the clashes among the record's warnings by index. */
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

/** The tokens that answers returned, by trip and driver. A copied business starts with them. */
export class Tokens {
  readonly #tokens = new Map<string, string>()

  /** Stores the tokens in the answer to an assignment. A token that an earlier answer returned is null there. */
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

/** The command and the model before it, for messages. */
export const descriptionOf = (model: Model, command: Command) =>
  `${JSON.stringify(command)} in ${JSON.stringify(model)}`
