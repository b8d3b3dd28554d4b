import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { company, wrong } from "../support/Fleet.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"

const at = "2027-03-15T09:00:00Z"

layer(Ports)("a template of trips", (it) => {
  it.effect(
    "has the fields of a trip but for its date, and books trips with them and with those that are sent",
    () =>
      Effect.gen(function* () {
        const { car, customer, send, trip } = yield* company(yield* openServer())
        const [{ car_id }, { customer_id }] = [yield* car(), yield* customer({ phone: "+41 44 668 18 00" })]
        const { trip_id } = yield* trip({
          customer_id,
          car_id,
          external_ref: "one",
          group_id: "weekly",
          total_amount: 12.5,
          stops: [{ address: "Bar" }],
          metadata: { team: "north" },
          notes: "Side door"
        })
        const made = record(yield* send("POST", "/trip-templates", { name: " Airport ", trip_id }))
        const fields = made["trip"] as Readonly<Record<string, unknown>>
        assert.deepInclude(fields, { car_id, customer_id, total_amount: 12.5, notes: "Side door" })
        for (const name of ["trip_date", "external_ref", "group_id", "pickup_timezone", "terminal", "status"])
          assert.notProperty(fields, name)
        const path = `/trip-templates/${String(made["template_id"])}`
        assert.deepStrictEqual(record(yield* send("GET", path)), made)
        assert.deepStrictEqual(records(yield* send("GET", "/trip-templates")), [made])
        const answer = yield* send("POST", `${path}/trips`, {
          trip_date: at,
          notes: null,
          dropoff_address: "Bank"
        })
        assert.strictEqual(answer.status, 201)
        assert.deepInclude(record(answer), {
          trip_date: at,
          status: "confirmed",
          pickup_address: "Here",
          dropoff_address: "Bank",
          customer_id,
          customer_name: "Ada",
          car_id,
          total_amount: 12.5,
          metadata: { team: "north" },
          notes: null,
          external_ref: null,
          group_id: null
        })
        assert.deepInclude(record(answer)["stops"], {
          address: "Bar",
          lat: null,
          lng: null,
          contact: null,
          minutes: null
        })
      })
  )

  it.effect(
    "takes the name of its customer's record, and leaves out a car and a customer that are gone",
    () =>
      Effect.gen(function* () {
        const { car, customer, send } = yield* company(yield* openServer())
        const [{ car_id }, { customer_id }] = [yield* car(), yield* customer({ name: "Grace" })]
        const trip = { pickup_address: "Airport", dropoff_address: "Bank", customer_id, car_id }
        const { template_id } = record(yield* send("POST", "/trip-templates", { name: "Airport", trip }))
        const book = (body: object = {}) =>
          send("POST", `/trip-templates/${String(template_id)}/trips`, { trip_date: at, ...body })
        assert.deepInclude(record(yield* book()), { customer_id, customer_name: "Grace", car_id })
        record(yield* send("PATCH", `/cars/${String(car_id)}`, { active: false }))
        record(yield* send("DELETE", `/customers/${String(customer_id)}`, { force: true }))
        assert.deepStrictEqual(
          refusedAs(yield* book(), 422, "invalid_request"),
          wrong({ customer_name: "required" })
        )
        assert.deepInclude(record(yield* book({ customer_name: "Bo" })), {
          customer_id: null,
          customer_name: "Bo",
          car_id: null
        })
      })
  )

  it.effect("is renamed, replaced and deleted; each wrong field is named, and nothing is written", () =>
    Effect.gen(function* () {
      const { send } = yield* company(yield* openServer())
      const refused = (method: string, path: string, body: object) =>
        Effect.map(send(method, path, body), (answer) => refusedAs(answer, 422, "invalid_request"))
      assert.deepStrictEqual(
        yield* refused("POST", "/trip-templates", { name: "x" }),
        wrong({ trip: "required" })
      )
      assert.deepStrictEqual(
        yield* refused("POST", "/trip-templates", { name: "x", trip: {}, trip_id: 1 }),
        wrong({ trip_id: "invalid" })
      )
      assert.deepStrictEqual(
        yield* refused("POST", "/trip-templates", { trip: { pickup_lat: 91, vehicle_class: "boat" } }),
        wrong({ name: "required", "trip.pickup_lat": "out_of_range", "trip.vehicle_class": "unknown_value" })
      )
      const made = yield* send("POST", "/trip-templates", {
        name: "Airport",
        trip: { pickup_address: "Airport" }
      })
      const path = `/trip-templates/${String(record(made)["template_id"])}`
      assert.deepStrictEqual(
        yield* refused("POST", `${path}/trips`, {}),
        wrong({ trip_date: "required", dropoff_address: "required", customer_name: "required" })
      )
      refusedAs(yield* send("PATCH", path, {}), 422, "invalid_request")
      const etag = (yield* send("GET", path)).headers.get("etag") ?? ""
      assert.deepInclude(record(yield* send("PATCH", path, { name: "Station" }, { "if-match": etag })), {
        name: "Station",
        trip: { pickup_address: "Airport" }
      })
      refusedAs(yield* send("PATCH", path, { trip: {} }, { "if-match": etag }), 409, "conflict")
      assert.deepInclude(record(yield* send("PATCH", path, { trip: { notes: "Bell" } })), {
        name: "Station",
        trip: { notes: "Bell" }
      })
      assert.deepStrictEqual(record(yield* send("DELETE", path)), { deleted: true })
      assert.strictEqual((yield* send("GET", path)).status, 404)
      assert.lengthOf(records(yield* send("GET", "/trips")), 0)
    })
  )
})
