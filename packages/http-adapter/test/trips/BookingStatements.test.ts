import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { layer } from "../../../persistence/src/sql/connections/PgClient.ts"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import { PortsOn } from "../support/TestPorts.ts"
import { business } from "../support/People.ts"
import { openServer } from "../support/TestServer.ts"

const trip = {
  trip_date: "2026-12-24T17:30:00Z",
  pickup_address: "Airport",
  dropoff_address: "Hotel",
  customer_name: "Ada"
}

describe("a booking without references to other records", () => {
  it.effect("is one statement, so that it is stored with its event or neither is", () =>
    Effect.gen(function* () {
      const { proxy, url } = yield* TestDatabase.proxied
      yield* Effect.gen(function* () {
        const server = yield* openServer()
        const { key } = yield* business(server)
        const statements: Array<string> = []
        proxy.passage = (statement) => {
          // Other statements run beside the request: one records the use of the key, and one configures a new
          // session.
          if (/^\s*(?:BEGIN|COMMIT)|\b(?:trips|trip_changes|webhook_deliveries)\b/u.test(statement))
            statements.push(statement)
          return "pass"
        }
        const { status } = yield* server.send("POST", "/trips", { credential: key, body: trip })
        assert.strictEqual(status, 201)
        assert.lengthOf(statements, 1)
        assert.include(statements[0], "INSERT INTO webhook_deliveries")
      }).pipe(Effect.provide(PortsOn.pipe(Layer.provideMerge(layer({ url }).pipe(Layer.orDie)))))
    }).pipe(Effect.scoped)
  )
})
