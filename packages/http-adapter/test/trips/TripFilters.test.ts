import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Ports } from "../support/TestPorts.ts"
import { business } from "../support/People.ts"
import { openServer, record, records, refusedAs, type TestServer } from "../support/TestServer.ts"

const paths = ["/trips", "/dispatch/trips"] as const

/** A business with a trip of every filter and another trip, both today. */
const businessWithTrips = Effect.fnUntraced(function* (server: TestServer) {
  const { key } = yield* business(server)
  const send = (method: string, path: string, body?: unknown) =>
    server.send(method, path, { credential: key, ...(body === undefined ? {} : { body }) })
  const made = (path: string, body: unknown, id: string) =>
    Effect.map(send("POST", path, body), (answer) => Number(record(answer)[id]))
  const driver = yield* made("/drivers", { name: "Dan" }, "driver_id")
  const car = yield* made("/cars", { name: "Black", seats: 4, vehicle_class: "van" }, "car_id")
  const customer = yield* made("/customers", { name: "Ada", company: "Engines AG" }, "customer_id")
  const other = yield* made(
    "/trips",
    {
      trip_date: "2026-11-20T10:00:00Z",
      pickup_address: "Here",
      dropoff_address: "There",
      customer_name: "Bob"
    },
    "trip_id"
  )
  const booked = record(
    yield* send("POST", "/trips", {
      trip_date: "2026-11-20T18:00:00Z",
      trip_type: "airport_arrival",
      pickup_address: "Flughafen Zürich",
      dropoff_address: "Bahnhofstraße 1",
      customer_id: customer,
      customer_name: "Zoë Müller",
      customer_email: "zoe@example.com",
      customer_phone: "+41 79 123 45 67",
      car_id: car,
      flight_number: "LX 318"
    })
  )
  const trip = Number(booked["trip_id"])
  record(yield* send("POST", `/trips/${trip}/drivers`, { driver_ids: [driver] }))
  const find = (path: string, query: string) =>
    Effect.map(send("GET", `${path}?${query}`), (answer) =>
      records(answer)
        .map(({ trip_id }) => Number(trip_id))
        .sort((one, another) => one - another)
    )
  const reference = String(booked["reference"])
  return { key, send, find, driver, car, customer, other, trip, reference }
})

layer(Ports)("the filters of trips", (it) => {
  it.effect.each(paths)("of %s find the matching trips, alone and combined", (path) =>
    Effect.gen(function* () {
      const { car, customer, driver, find, other, reference, trip } = yield* businessWithTrips(
        yield* openServer()
      )
      const matching = [
        "search=zoe+MULL",
        "search=079%20123%2045",
        "search=zoe@exam",
        "search=lx318",
        "search=bahnhofstr%201",
        `search=${reference}`,
        `driver_id=${driver}`,
        `car_id=${car}`,
        `customer_id=${customer}`,
        "driver_status=assigned",
        "trip_type=airport_arrival",
        "vehicle_class=van",
        `reference=${reference.toLowerCase()}`,
        "flight_number=lx318"
      ]
      for (const query of [...matching, matching.slice(5).join("&")])
        assert.deepStrictEqual(yield* find(path, query), [trip], query)
      const status = path === "/trips" ? "payment_status=unpaid" : "status=confirmed"
      assert.deepStrictEqual(yield* find(path, `driver_status=unassigned&${status}`), [other])
      for (const query of ["search=", "updated_since=2026-11-20T00:00"])
        assert.deepStrictEqual(yield* find(path, query), [other, trip], query)
      for (const query of [
        "search=null",
        "search=!",
        `customer_id=${customer}&vehicle_class=bus`,
        "flight_number=LX3",
        "reference=TR-0"
      ])
        assert.deepStrictEqual(yield* find(path, query), [], query)
      assert.deepStrictEqual(yield* find(path, "updated_since=2026-11-20T23:00:00Z"), [])
    })
  )

  it.effect.each(paths)("of %s refuse wrong values and name each", (path) =>
    Effect.gen(function* () {
      const { send } = yield* businessWithTrips(yield* openServer())
      const wrong = {
        driver_id: ["0", "out_of_range"],
        car_id: ["x", "invalid"],
        customer_id: ["1.5", "invalid"],
        driver_status: ["busy", "unknown_value"],
        trip_type: ["null", "unknown_value"],
        vehicle_class: ["boat", "unknown_value"],
        reference: ["+", "required"],
        flight_number: ["123456789012345678901", "too_long"],
        updated_since: ["yesterday", "invalid"],
        search: ["x".repeat(201), "too_long"]
      }
      const query = Object.entries(wrong)
        .map(([field, [value]]) => `${field}=${value}`)
        .join("&")
      const details = refusedAs(yield* send("GET", `${path}?${query}`), 422, "invalid_request")
      assert.sameDeepMembers(
        [...(details ?? [])],
        Object.entries(wrong).map(([field, [, issue]]) => ({ field, issue }))
      )
    })
  )

  it.effect.each(paths)("of %s match nothing of another business", (path) =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const [ours, theirs] = [yield* businessWithTrips(server), yield* businessWithTrips(server)]
      for (const query of [
        `driver_id=${theirs.driver}`,
        `car_id=${theirs.car}`,
        `customer_id=${theirs.customer}`,
        `reference=${theirs.reference}`,
        `search=${theirs.reference}`
      ]) {
        assert.deepStrictEqual(yield* ours.find(path, query), [], query)
        assert.deepStrictEqual(yield* theirs.find(path, query), [theirs.trip], query)
      }
    })
  )

  it.effect("find a trip by its words as they are now", () =>
    Effect.gen(function* () {
      const { find, other, send } = yield* businessWithTrips(yield* openServer())
      record(yield* send("PATCH", `/trips/${other}`, { customer_name: "Grace Hopper" }))
      assert.deepStrictEqual(yield* find("/trips", "search=hopp"), [other])
      assert.deepStrictEqual(yield* find("/trips", "search=bob"), [])
      record(yield* send("DELETE", `/trips/${other}`, { force: true }))
      assert.deepStrictEqual(yield* find("/trips", "search=hopper"), [])
    })
  )

  it.effect("customers are found by their company", () =>
    Effect.gen(function* () {
      const { customer, send } = yield* businessWithTrips(yield* openServer())
      const found = records(yield* send("GET", "/customers?search=engin"))
      assert.deepStrictEqual(
        found.map(({ customer_id }) => customer_id),
        [customer]
      )
    })
  )
})
