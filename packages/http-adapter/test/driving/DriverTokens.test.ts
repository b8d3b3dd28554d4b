import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { CapturedLog } from "../support/CapturedLog.ts"
import { assertPrivate } from "../support/DriverPrivacy.ts"
import { assignment } from "../support/Drivers.ts"
import { business } from "../support/People.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, refusedAs } from "../support/TestServer.ts"

layer(Ports)("a driver's token", (it) => {
  it.effect(
    "reads the trip and changes its status, without price, payment status or the customer's email",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const acme = yield* business(server)
        const { token, tripId } = yield* assignment(acme.businessId)
        const send = (method: string, path: string, body?: unknown) =>
          Effect.tap(
            server.send(method, `/driver${path}?token=${token}`, body === undefined ? {} : { body }),
            (answer) => Effect.sync(() => assertPrivate(answer))
          )
        assert.deepInclude(record(yield* send("GET", "/trip")), { trip_id: tripId, status: "assigned" })
        assert.deepInclude(record(yield* send("POST", "/status", { status: "en_route" })), {
          status: "en_route"
        })
        assert.deepInclude(record(yield* send("POST", "/status", { milestone: "passenger_on_board" })), {
          status: "en_route"
        })
        assert.deepStrictEqual(refusedAs(yield* send("POST", "/status", {}), 422, "invalid_request"), [
          { field: "status", issue: "required" }
        ])
        assert.deepInclude(record(yield* send("POST", "/status", { status: "completed" })), {
          status: "completed"
        })
        for (const [method, path, body] of [
          ["GET", "/trip", undefined],
          ["POST", "/location", { lat: 1, lng: 1 }],
          ["POST", "/status", { status: "cancelled" }]
        ] as const)
          refusedAs(yield* send(method, path, body), 401, "unauthorized")
      })
  )

  it.effect("is refused once the operator has cancelled the trip", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const server = yield* openServer()
      const acme = yield* business(server)
      const { assignmentId, token } = yield* assignment(acme.businessId)
      yield* sql`UPDATE assignments SET status = 'cancelled', token_hash = NULL WHERE assignment_id = ${assignmentId}`
      refusedAs(yield* server.send("GET", `/driver/trip?token=${token}`), 401, "unauthorized")
    })
  )

  it.effect("is taken from the query alone", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const acme = yield* business(server)
      const { token } = yield* assignment(acme.businessId)
      refusedAs(yield* server.send("GET", "/driver/trip", { credential: token }), 401, "unauthorized")
      refusedAs(yield* server.send("GET", "/driver/trip", { credential: acme.key }), 401, "unauthorized")
      refusedAs(yield* server.send("GET", `/driver/trip?token=${token}&token=${token}`), 401, "unauthorized")
      assert.strictEqual((yield* server.send("GET", `/driver/trip?token=${token}`)).status, 200)
    })
  )

  it.effect("guessed tokens count against the address, a driver's requests against the driver", () =>
    Effect.gen(function* () {
      const acme = yield* business(yield* openServer())
      const [one, other] = [yield* assignment(acme.businessId), yield* assignment(acme.businessId)]
      const server = yield* openServer({ limits: { public: 3, business: 2 } })
      const get = (token: string) =>
        Effect.map(
          server.send("GET", `/driver/trip?token=${token}`, { peer: "192.0.2.9" }),
          ({ status }) => status
        )
      assert.deepStrictEqual(
        yield* Effect.forEach(["a", "b", "c", "d"], (guess) => get(`drv_${guess}`)),
        [401, 401, 401, 429]
      )
      assert.deepStrictEqual(
        [yield* get(one.token), yield* get(one.token), yield* get(one.token)],
        [200, 200, 429]
      )
      assert.strictEqual(yield* get(other.token), 200)
    })
  )

  it.effect("is in no log line", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const acme = yield* business(server)
      const { token } = yield* assignment(acme.businessId)
      yield* server.send("GET", `/driver/trip?token=${token}`)
      const { lines } = yield* CapturedLog
      assert.isFalse(lines.some((line) => line.includes(token)))
      assert.isTrue(lines.some((line) => line.includes("/driver/trip")))
    })
  )
})
