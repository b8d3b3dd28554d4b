import { assert, describe, it, layer as withLayer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layer } from "../../../persistence/src/sql/connections/PgClient.ts"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import { assignment } from "../support/Drivers.ts"
import { business } from "../support/People.ts"
import { Ports, PortsOn } from "../support/TestPorts.ts"
import { type Ask, openServer, record, refusedAs, type TestServer } from "../support/TestServer.ts"
import { here } from "./DriverUnderWay.ts"

/** A driver who is on the way, with functions that report positions with the assignment's token. */
const onTheWay = Effect.fnUntraced(function* (server: TestServer) {
  const acme = yield* business(server)
  const job = yield* assignment(acme.businessId, { status: "en_route" })
  const report = (ask: Ask = { body: here }) =>
    server.send("POST", `/driver/location?token=${job.token}`, ask)
  const status = Effect.map(report(), (answer) => answer.status)
  const sql = yield* SqlClient.SqlClient
  const stored = Effect.map(
    sql<{ readonly count: number }>`
      SELECT count(*)::int AS count FROM driver_trail WHERE assignment_id = ${job.assignmentId}`,
    (rows) => rows[0]?.count
  )
  return { acme, job, report, status, stored }
})

type Reporting = Effect.Success<ReturnType<typeof onTheWay>>

/** What ends the right of a token, and the refusal that it gets. */
const ends = {
  "was completed": [
    ({ job }: Reporting) =>
      sqlOf(
        (sql) => sql`
        UPDATE assignments SET status = 'completed', ended_token_hash = token_hash, token_hash = NULL
        WHERE assignment_id = ${job.assignmentId}`
      ),
    [401, "unauthorized"]
  ],
  "got another token": [
    ({ job }: Reporting) =>
      sqlOf(
        (sql) => sql`UPDATE assignments SET token_hash = 'other' WHERE assignment_id = ${job.assignmentId}`
      ),
    [401, "unauthorized"]
  ],
  "has a deleted driver": [
    ({ job }: Reporting) =>
      sqlOf((sql) => sql`UPDATE drivers SET deleted_at = now() WHERE driver_id = ${job.driverId}`),
    [401, "unauthorized"]
  ],
  "has a deleted trip": [
    ({ job }: Reporting) =>
      sqlOf((sql) => sql`UPDATE trips SET deleted_at = now() WHERE trip_id = ${job.tripId}`),
    [401, "unauthorized"]
  ],
  "has a suspended business": [
    ({ acme }: Reporting) =>
      sqlOf((sql) => sql`UPDATE businesses SET status = 'D' WHERE business_id = ${acme.businessId}`),
    [403, "account_suspended"]
  ]
} as const

const sqlOf = <A, E>(run: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
  Effect.flatMap(SqlClient.SqlClient, run)

describe("a driver who reports positions with a token", () => {
  it.effect("is looked up once: each later position is one statement, which requires the token", () =>
    Effect.gen(function* () {
      const { proxy, url } = yield* TestDatabase.proxied
      yield* Effect.gen(function* () {
        const { report } = yield* onTheWay(yield* openServer())
        let statements = 0
        proxy.passage = (statement) => {
          if (statement.includes("assignments")) statements += 1
          return "pass"
        }
        const counts: Array<number> = []
        for (let count = 0; count < 3; count++) {
          statements = 0
          assert.deepStrictEqual(record(yield* report()), { recorded: true })
          counts.push(statements)
        }
        assert.deepStrictEqual(counts, [2, 1, 1])
      }).pipe(Effect.provide(PortsOn.pipe(Layer.provideMerge(layer({ url }).pipe(Layer.orDie)))))
    }).pipe(Effect.scoped)
  )
})

withLayer(Ports)("a remembered token of a driver", (it) => {
  for (const [reason, [end, [status, type]]] of Object.entries(ends))
    it.effect(`stores nothing and is refused as soon as its assignment ${reason}`, () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const driver = yield* onTheWay(server)
        assert.strictEqual(yield* driver.status, 200)
        const before = yield* driver.stored
        yield* end(driver)
        const refused = yield* driver.report()
        refusedAs(refused, status, type)
        const trip = yield* server.send("GET", `/driver/trip?token=${driver.job.token}`)
        assert.deepStrictEqual(refused.body.error, trip.body.error)
        refusedAs(yield* driver.report(), status, type)
        assert.strictEqual(yield* driver.stored, before)
      })
    )

  it.effect("that has ended is refused as such, whatever is wrong with the request", () =>
    Effect.gen(function* () {
      const wrong: ReadonlyArray<readonly [Ask, number]> = [
        [{ body: {} }, 422],
        [{ body: { ...here, lat: 91 } }, 422],
        [{ text: "{" }, 400],
        [{ text: "lat=1", headers: { "content-type": "text/plain" } }, 415],
        [{ body: here, headers: { "idempotency-key": "one" } }, 200]
      ]
      for (const [ask, status] of wrong) {
        const driver = yield* onTheWay(yield* openServer())
        assert.strictEqual(yield* driver.status, 200)
        const answer = yield* driver.report(ask)
        assert.strictEqual(answer.status, status, answer.text)
        yield* ends["was completed"][0](driver)
        refusedAs(yield* driver.report(ask), 401, "unauthorized")
      }
    })
  )

  it.effect("is valid before the driver sets out, although no position is stored then", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const acme = yield* business(server)
      const { token } = yield* assignment(acme.businessId)
      for (let count = 0; count < 2; count++)
        assert.deepStrictEqual(
          record(yield* server.send("POST", `/driver/location?token=${token}`, { body: here })),
          { recorded: false }
        )
    })
  )

  it.effect("counts against the driver, and against the address once it has ended", () =>
    Effect.gen(function* () {
      const server = yield* openServer({ limits: { business: 3, public: 2 } })
      const driver = yield* onTheWay(server)
      assert.deepStrictEqual(
        [yield* driver.status, yield* driver.status, yield* driver.status, yield* driver.status],
        [200, 200, 200, 429]
      )
      const ended = yield* onTheWay(server)
      assert.strictEqual(yield* ended.status, 200)
      yield* ends["was completed"][0](ended)
      const refused = yield* ended.report()
      assert.strictEqual(refused.headers.get("x-ratelimit-limit"), "2")
      assert.deepStrictEqual([yield* ended.status, yield* ended.status], [401, 429])
    })
  )
})
