import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { business } from "../support/People.ts"
import { Ports } from "../support/TestPorts.ts"
import { type Answer, openServer, record, refusedAs, type TestServer } from "../support/TestServer.ts"

/** Numbers that are the same in each run. */
const randomNumbers = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff
    return (state >>> 8) % below
  }
}

const scene = Effect.fnUntraced(function* (server: TestServer) {
  const sql = yield* SqlClient.SqlClient
  const { businessId, key } = yield* business(server)
  const send = (
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {}
  ) => server.send(method, path, { credential: key, headers, ...(body === undefined ? {} : { body }) })
  const idOf = (field: string) => (answer: Answer) => Number(record(answer)[field])
  const driver = Effect.map(send("POST", "/drivers", { name: "Zoë", phone: "+41" }), idOf("driver_id"))
  const car = Effect.map(send("POST", "/cars", { name: "Black", seats: 4 }), idOf("car_id"))
  const book = (hour: number) =>
    Effect.map(
      send("POST", "/trips", {
        trip_date: `2026-11-20T${String(hour).padStart(2, "0")}:00:00Z`,
        duration_minutes: 90,
        pickup_address: "Here",
        dropoff_address: "There",
        customer_name: "Ada"
      }),
      idOf("trip_id")
    )
  /** All that a change of a trip writes. */
  const stored = Effect.map(
    sql<{ readonly all: string }>`
      SELECT md5(concat(
        (SELECT json_agg(t ORDER BY trip_id) FROM trips t WHERE business_id = ${businessId}),
        (SELECT json_agg(a ORDER BY assignment_id) FROM assignments a WHERE business_id = ${businessId}),
        (SELECT json_agg(c ORDER BY change_id) FROM trip_changes c WHERE business_id = ${businessId}),
        (SELECT count(*) FROM events WHERE business_id = ${businessId}),
        (SELECT count(*) FROM idempotency_keys))) AS "all"`,
    ([row]) => row?.all
  )
  return { send, driver, car, book, stored }
})

/** What an answer says about a change: its refusal, or its warnings. */
const saidBy = ({ body, status }: Answer) =>
  status >= 400
    ? { status, error: body.error }
    : {
        status,
        warnings: [body.data]
          .flat()
          .map((each) => (each as { readonly warnings?: unknown } | undefined)?.warnings)
      }

layer(Ports)("a dry run", (it) => {
  it.effect(
    "has the warnings and refusals of the real change right after it, and changes nothing",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { book, car, driver, send, stored } = yield* scene(server)
        record(yield* send("PATCH", "/settings/business", { clash_policy: "enforce" }))
        const drivers = [yield* driver, yield* driver]
        const cars = [yield* car, yield* car]
        const trips = yield* Effect.forEach([8, 9, 10, 12, 13, 16], book)
        const random = randomNumbers(7)
        const one = <A>(items: ReadonlyArray<A>) =>
          items[random(items.length)] ?? assert.fail("nothing to choose")
        const statuses = new Set<number>()
        for (let step = 0; step < 60; step++) {
          const force = random(4) === 0
          const isBatch = random(2) === 0
          const path = `/trips/${one([...trips, 999_999])}`
          const entry = () => ({
            trip_id: one(trips),
            ...one([
              { driver_ids: [one(drivers)] },
              { driver_ids: [] },
              { driver_ids: [one(drivers), 999_999] },
              { car_id: one(cars) }
            ]),
            force
          })
          const change = {
            ...one([
              { trip_date: `2026-11-20T${String(8 + random(12)).padStart(2, "0")}:00:00Z` },
              { car_id: one(cars) },
              { car_id: 999_999 },
              { duration_minutes: 30 + random(300) },
              { status: one(["cancelled", "completed", "confirmed", "pending"]) },
              { notes: `note ${step}` },
              { participants_count: 5 }
            ]),
            force
          }
          const batch = random(2) === 0 ? [entry()] : [entry(), entry()]
          const before = yield* stored
          const would = isBatch
            ? yield* send("POST", "/dispatch/assignments?dry_run=true", batch, {
                "idempotency-key": `dry ${step}`
              })
            : yield* send("PATCH", path, { ...change, dry_run: true })
          assert.strictEqual(yield* stored, before)
          const did = isBatch
            ? yield* send("POST", "/dispatch/assignments", batch)
            : yield* send("PATCH", path, change)
          assert.deepStrictEqual(saidBy(would), saidBy(did), JSON.stringify(isBatch ? batch : change))
          statuses.add(did.status)
        }
        for (const status of [200, 404, 409, 422]) assert.include([...statuses], status)
      }),
    60_000
  )

  it.effect("shows the result without tokens, and needs a field to change", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { book, driver, send } = yield* scene(server)
      const [trip, zoe] = [yield* book(8), yield* driver]
      const batch = [{ trip_id: trip, driver_ids: [zoe] }]
      const [would] = (yield* send("POST", "/dispatch/assignments?dry_run=true", batch)).body
        .data as ReadonlyArray<{
        readonly drivers: ReadonlyArray<{ readonly driver_id: number; readonly driver_token: string | null }>
      }>
      assert.deepInclude(would?.drivers[0], { driver_id: zoe, driver_token: null })
      assert.strictEqual(
        record(yield* send("PATCH", `/trips/${trip}`, { notes: "!", dry_run: true }))["notes"],
        "!"
      )
      assert.isNull(record(yield* send("GET", `/trips/${trip}`))["notes"])
      refusedAs(yield* send("PATCH", `/trips/${trip}`, { dry_run: true }), 422, "invalid_request")
      refusedAs(yield* send("POST", "/dispatch/assignments?dry_run=yes", batch), 422, "invalid_request")
    })
  )
})
