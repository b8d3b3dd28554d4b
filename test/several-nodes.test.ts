/** Two servers of one installation, as a load balancer would use them. */
import { Effect, Exit, Redacted, Scope } from "effect"
import { randomBytes } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { redisIsThere, redisServer } from "../packages/integrations/test/redis/RedisServer.ts"
import { type Account, signUp, trip } from "./support/Account.ts"
import { bearer, clientOf } from "./support/Client.ts"
import { type Installation, installation } from "./support/Installation.ts"
import { TestDatabase } from "./support/TestDatabase.ts"

const limit = 25

const inRedis = Effect.gen(function* () {
  const server = yield* redisServer
  yield* server.start
  return { REDIS_URL: Redacted.value(server.url) }
})

const inDatabase = Effect.map(TestDatabase.create, ({ url }) => ({
  DATABASE_URL: Redacted.value(url),
  LIVERY_SECRET: randomBytes(24).toString("hex")
}))

const places = [
  { name: "Redis", settings: inRedis, skip: !redisIsThere },
  { name: "the database", settings: inDatabase, skip: false }
]

for (const { name, settings, skip } of places)
  describe.skipIf(skip)(`two servers with their counters in ${name}`, () => {
    const scope = Scope.makeUnsafe()
    let place: Installation
    let account: Account
    let nodes: ReadonlyArray<ReturnType<Account["through"]>>
    let apis: ReadonlyArray<string>
    beforeAll(async () => {
      const reported = await Effect.runPromise(
        Scope.provide(scope)<Record<string, string>, never, Scope.Scope>(settings)
      )
      place = await installation({ settings: { ...reported, RATE_LIMIT_BUSINESS: String(limit) } })
      const servers = [await place.serve(), await place.serve()]
      account = await signUp(place, servers[0] ?? assert.fail("no server"))
      nodes = servers.map(account.through)
      apis = servers.map(({ api }) => api)
    })
    afterAll(async () => {
      await place.remove()
      await Effect.runPromise(Scope.close(scope, Exit.void))
    })

    it("carry out one of twenty identical requests, on either server", async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          clientOf(apis[index % 2] ?? "", {
            ...bearer(account.apiKey),
            "Idempotency-Key": "booking 1"
          }).post<{ trip_id: number }>("/trips", trip())
        )
      )
      const ids = new Set(answers.map(({ body }) => body.data.trip_id))
      assert.strictEqual(ids.size, 1, answers.map(({ text }) => text).join("\n"))
      assert.lengthOf(
        answers.filter(({ headers }) => !headers.has("idempotency-replayed")),
        1
      )
    })

    it(`let through exactly ${limit} requests a minute between them`, async () => {
      const answers = (
        await Promise.all(Array.from({ length: 80 }, (_, index) => nodes[index % 2]?.get("/ping")))
      ).filter((answer) => answer !== undefined)
      assert.lengthOf(answers, 80)
      const windows = Map.groupBy(answers, ({ headers }) => headers.get("x-ratelimit-reset"))
      for (const window of windows.values()) {
        const passed = window.filter(({ status }) => status === 200).map(({ headers }) => headers)
        // What was asked before, in the same minute, is counted as well.
        const left = passed.map((headers) => Number(headers.get("x-ratelimit-remaining")))
        assert.strictEqual(new Set(left).size, left.length)
        if (window.length > limit) assert.strictEqual(Math.min(...left), 0)
        assert.isAtMost(passed.length, limit)
      }
    })
  })
