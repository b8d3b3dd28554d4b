/**
 * Checks that no route for drivers or driver tokens returns a field that drivers must not read. The routes come from
 * the contract, so the test fails for a new one until its request is added here.
 */
import { Api, callerKindsOf } from "@livery/contract"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { routesOf } from "../../src/http/pipeline/Routes.ts"
import { driverOf } from "../support/Drivers.ts"
import { company } from "../support/Fleet.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record } from "../support/TestServer.ts"

/** The fields of a trip that drivers must not read, each with a value that occurs nowhere else. */
const hidden = {
  total_amount: 98_765.43,
  internal_notes: "Hidden notes",
  po_number: "Hidden order",
  cost_center: "Hidden centre",
  external_ref: "Hidden reference",
  metadata: { hidden_key: "Hidden value" },
  customer_email: "hidden.customer@example.com",
  booker_name: "Hidden booker",
  booker_email: "hidden.booker@example.com",
  booker_phone: "+41 44 999 99 99",
  group_id: "Hidden group",
  passengers: [{ name: "Ada", email: "hidden.passenger@example.com" }]
}

const hiddenTexts = /hidden|98765|9876543|999 99 99/iu
const hiddenNames =
  /price|amount|minor|currency|paid|payment|fee|invoice|internal|cost|po_number|email|metadata|external|booker|group_id/iu

/** The names of all fields in a value. */
const namesIn = (value: unknown): ReadonlyArray<string> =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => [
        ...(Array.isArray(value) ? [] : [name]),
        ...namesIn(inner)
      ])
    : []

const place = { lat: 47.4, lng: 8.5 }

/** A request of each route, with its body. */
const bodies: Readonly<Record<string, unknown>> = {
  "GET /api/v1/me/driver": undefined,
  "GET /api/v1/me/driver/office": undefined,
  "GET /api/v1/me/driver/trips": undefined,
  "GET /api/v1/me/driver/trips/:id": undefined,
  "PATCH /api/v1/me/driver/trips/:id": { status: "en_route", milestone: "arrived_at_pickup" },
  "POST /api/v1/me/driver/location": place,
  "POST /api/v1/me/driver/locations": { locations: [place] },
  "GET /api/v1/driver/trip": undefined,
  "GET /api/v1/driver/office": undefined,
  "POST /api/v1/driver/locations": { locations: [place] },
  "POST /api/v1/driver/location": place,
  "POST /api/v1/driver/track": { _type: "location", lat: place.lat, lon: place.lng },
  "GET /api/v1/driver/track": undefined,
  "POST /api/v1/driver/status": { milestone: "passenger_on_board" }
}

const routes = routesOf(Api).filter(({ endpoint }) =>
  callerKindsOf(endpoint).some((kind) => kind === "driver" || kind === "driverToken")
)

layer(Ports)("a driver", (it) => {
  it("has a request here for every route", () => {
    assert.sameMembers(
      routes.map(({ method, pattern }) => `${method} ${pattern}`),
      Object.keys(bodies)
    )
  })

  it.effect("reads no price, cost, order number, internal note or email at any route", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, send, trip } = yield* company(server)
      const { driverId, token } = yield* driverOf(server, businessId)
      const { trip_id } = yield* trip({ ...hidden, trip_date: "2026-11-20T10:30:00Z" })
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        UPDATE trips SET cancellation_fee_minor = 9876543, payment_status = 'partial' WHERE trip_id = ${Number(trip_id)}`
      const assigned = record(
        yield* send("POST", `/trips/${String(trip_id)}/drivers`, { driver_ids: [driverId] })
      )
      const [{ driver_token }] = assigned["drivers"] as readonly [{ readonly driver_token: string }]
      for (const { endpoint, method, pattern } of routes) {
        const name = `${method} ${pattern}`
        const path = pattern.replace(":id", String(trip_id))
        const isToken = callerKindsOf(endpoint).includes("driverToken")
        const body = bodies[name]
        const answer = yield* server.sendTo(method, isToken ? `${path}?token=${driver_token}` : path, {
          ...(isToken ? {} : { credential: token }),
          ...(body === undefined ? {} : { body })
        })
        assert.strictEqual(answer.status, 200, `${name}: ${answer.text}`)
        assert.notMatch(answer.text, hiddenTexts, name)
        assert.deepStrictEqual(
          namesIn(answer.body.data).filter((field) => hiddenNames.test(field)),
          [],
          name
        )
      }
    })
  )
})
