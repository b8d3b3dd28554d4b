import { PgClient } from "@livery/persistence"
import { assert, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { inject } from "vitest"
import { administer, TestDatabase } from "../../../../test/support/TestDatabase.ts"
import { Ports, PortsOn } from "../support/TestPorts.ts"
import { business } from "../support/People.ts"
import { openServer, record, refusedAs } from "../support/TestServer.ts"

layer(Ports)("health", (it) => {
  it.effect("live and ready respond without a credential", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      assert.deepStrictEqual(record(yield* server.sendTo("GET", "/health/live")), { status: "live" })
      assert.deepStrictEqual(record(yield* server.sendTo("GET", "/health/ready")), { status: "ready" })
    })
  )
})

it.effect("without the database: alive, not ready, 500 without a cause; ready again afterwards", () =>
  Effect.gen(function* () {
    const { server: databaseServer } = inject("databaseServer")
    const { name, url } = yield* TestDatabase.create
    const allow = (allowed: boolean) =>
      administer(databaseServer, `alter database ${name} with allow_connections ${allowed}`)
    yield* Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      yield* allow(false)
      yield* administer(
        databaseServer,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`
      )
      const ready = yield* server.sendTo("GET", "/health/ready")
      refusedAs(ready, 503, "server_error")
      assert.include(ready.text, "the database does not answer")
      assert.strictEqual((yield* server.sendTo("GET", "/health/live")).status, 200)
      const away = yield* server.send("GET", "/trips", { credential: key })
      refusedAs(away, 500, "server_error")
      assert.notInclude(away.text, name)
      yield* allow(true)
      assert.strictEqual((yield* server.sendTo("GET", "/health/ready")).status, 200)
      assert.strictEqual((yield* server.send("GET", "/trips", { credential: key })).status, 200)
    }).pipe(Effect.provide(PortsOn.pipe(Layer.provideMerge(PgClient.layer({ url })))))
  })
)

it.effect("a database that lacks a migration is not ready, and the response names it", () =>
  Effect.gen(function* () {
    const { url } = yield* TestDatabase.empty
    const ready = yield* Effect.flatMap(openServer(), (server) => server.sendTo("GET", "/health/ready")).pipe(
      Effect.provide(PortsOn.pipe(Layer.provideMerge(PgClient.layer({ url }))))
    )
    assert.strictEqual(ready.status, 503)
    assert.include(ready.text, "migration 0001_business is not applied")
  })
)
