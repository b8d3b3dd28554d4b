import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { layer } from "../../../persistence/src/sql/connections/PgClient.ts"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import { business } from "../support/People.ts"
import { booking, tariff } from "../support/Tenant.ts"
import { PortsOn } from "../support/TestPorts.ts"
import { openServer, record } from "../support/TestServer.ts"

describe("a quote that a tariff prices", () => {
  it.effect("looks the tariff up once for all items of one time, so that one version prices them", () =>
    Effect.gen(function* () {
      const { proxy, url } = yield* TestDatabase.proxied
      yield* Effect.gen(function* () {
        const server = yield* openServer()
        const { key } = yield* business(server)
        const send = (method: string, path: string, body: unknown) =>
          Effect.map(server.send(method, path, { credential: key, body }), record)
        yield* send("POST", "/tariffs", tariff)
        const trip = { ...booking, distance_m: 10_000, duration_minutes: 20 }
        const items = Array.from({ length: 20 }, () => ({ description: "Ride", trip }))
        const { quote_id } = yield* send("POST", "/quotes", { customer_name: "Ada", items })
        const lookUps: Array<string> = []
        proxy.passage = (statement) => {
          if (/\bFROM tariffs\b/u.test(statement)) lookUps.push(statement)
          return "pass"
        }
        yield* send("POST", `/quotes/${String(quote_id)}/price`, { vehicle_class: "sedan" })
        assert.lengthOf(lookUps, 1)
      }).pipe(Effect.provide(PortsOn.pipe(Layer.provideMerge(layer({ url }).pipe(Layer.orDie)))))
    }).pipe(Effect.scoped)
  )
})
