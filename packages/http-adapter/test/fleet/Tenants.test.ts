import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { company, wrong } from "../support/Fleet.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, refusedAs } from "../support/TestServer.ts"

layer(Ports)("another business's cars, drivers and customers", (it) => {
  it.effect("answer in every path as absent ones do, and nothing is written", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const [own, other] = [yield* company(server), yield* company(server)]
      const { car_id } = yield* other.car()
      const { driver_id } = yield* other.driver({ email: "dan@example.com" })
      const { customer_id } = yield* other.customer({ email: "ada@example.com" })
      yield* other.trip({ car_id, customer_email: "ada@example.com" })
      const everything = Effect.gen(function* () {
        return [
          yield* sql`SELECT * FROM cars ORDER BY car_id`,
          yield* sql`SELECT * FROM drivers ORDER BY driver_id`,
          yield* sql`SELECT to_jsonb(c) FROM customers c ORDER BY customer_id`,
          yield* sql`SELECT * FROM trips ORDER BY trip_id`,
          yield* sql`SELECT * FROM driver_invitations`
        ]
      })
      const before = yield* everything
      const force = { force: true }
      const routes = [
        ["cars", car_id, [["GET"], ["PATCH", { name: "Mine" }], ["DELETE"], ["DELETE", force]]],
        ["drivers", driver_id, [["GET"], ["PATCH", { name: "Mine" }], ["DELETE"], ["DELETE", force]]],
        ["customers", customer_id, [["GET"], ["PATCH", { name: "Mine" }], ["DELETE"], ["DELETE", force]]]
      ] as const
      for (const [room, id, methods] of routes)
        for (const [method, body] of methods) {
          const foreign = yield* own.send(method, `/${room}/${String(id)}`, body)
          refusedAs(foreign, 404, "not_found")
          const absent = yield* own.send(method, `/${room}/999999999`, body)
          assert.deepStrictEqual(foreign.body.error, absent.body.error)
          refusedAs(yield* own.send(method, `/${room}/one`, body), 404, "not_found")
        }
      for (const [method, path] of [
        ["POST", `/drivers/${String(driver_id)}/invite`],
        ["GET", `/drivers/${String(driver_id)}/availability`],
        ["GET", `/customers/${String(customer_id)}/trips`],
        ["GET", `/customers/${String(customer_id)}/invoices`]
      ] as const)
        refusedAs(yield* own.send(method, path), 404, "not_found")
      assert.deepStrictEqual(yield* everything, before)
    })
  )

  it.effect("are not found in any body", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const [own, other] = [yield* company(server), yield* company(server)]
      const { car_id } = yield* other.car()
      const refused = yield* own.send("POST", "/drivers", { name: "Dan", default_car_id: car_id })
      assert.deepStrictEqual(
        refusedAs(refused, 422, "invalid_request"),
        wrong({ default_car_id: "not_found" })
      )
      const { driver_id } = yield* own.driver()
      const path = `/drivers/${String(driver_id)}`
      assert.deepStrictEqual(
        refusedAs(yield* own.send("PATCH", path, { default_car_id: car_id }), 422, "invalid_request"),
        wrong({ default_car_id: "not_found" })
      )
      assert.deepInclude(record(yield* own.send("GET", path)), { default_car_id: null })
    })
  )

  it.effect("share no email, and no trips by email", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const [own, other] = [yield* company(server), yield* company(server)]
      const email = "ada@example.com"
      const stranger = yield* other.trip({ customer_email: email })
      yield* own.customer({ email })
      assert.deepInclude(record(yield* other.send("GET", `/trips/${String(stranger["trip_id"])}`)), {
        customer_id: null
      })
    })
  )
})
