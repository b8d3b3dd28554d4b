import { assert, layer } from "@effect/vitest"
import { Demonstration, RateCounters, UseCases } from "@livery/domain"
import { Effect, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Ports } from "../support/TestPorts.ts"
import {
  openServer,
  record,
  records,
  refusedAs,
  type TestServer,
  type TestServerOptions
} from "../support/TestServer.ts"

const local = { host: "localhost:3000" }

/** A server with a demonstration business, and its functions. */
const scene = Effect.fnUntraced(function* (limits: TestServerOptions["limits"] = {}) {
  const server = yield* openServer({ limits })
  const demonstration = yield* Demonstration
  yield* demonstration.day
  const code = Effect.map(demonstration.code, (made) => Redacted.value(Option.getOrThrow(made)))
  const open = (
    body: unknown,
    headers: Readonly<Record<string, string>> = local,
    peer = "127.0.0.1"
  ): ReturnType<TestServer["send"]> => server.send("POST", "/auth/demonstration", { body, headers, peer })
  return { server, code, open }
})

layer(UseCases.pipe(Layer.provide(RateCounters.layerMemory), Layer.provideMerge(Ports)))(
  "the link to the demonstration business",
  (it) => {
    it.effect("signs in once, with the trips of today", () =>
      Effect.gen(function* () {
        const { code, open, server } = yield* scene()
        const made = yield* code
        const session = record(yield* open({ code: made.toLowerCase().replaceAll("-", " ") }))
        const token = String(session["access_token"])
        const [acting] = session["businesses"] as ReadonlyArray<{ readonly business_id: number }>
        const trips = records(
          yield* server.send("GET", "/dispatch/trips", { credential: token, business: acting?.business_id })
        )
        assert.isAtLeast(trips.length, 5)
        refusedAs(yield* open({ code: made }), 401, "unauthorized")
      })
    )

    it.effect("sets the cookie of a page's session if it is asked to", () =>
      Effect.gen(function* () {
        const { code, open } = yield* scene()
        const answer = yield* open({ code: yield* code }, { ...local, "livery-session": "cookie" })
        assert.notProperty(record(answer), "refresh_token")
        assert.include(answer.headers.get("set-cookie") ?? "", "HttpOnly")
      })
    )

    it.effect(
      "is refused late, guessed, from another machine and through a proxy, and stays usable meanwhile",
      () =>
        Effect.gen(function* () {
          const { code, open } = yield* scene()
          const [made, late] = [yield* code, yield* code]
          refusedAs(yield* open({ code: made }, local, "192.0.2.7"), 401, "unauthorized")
          refusedAs(yield* open({ code: made }, { host: "livery.example" }), 401, "unauthorized")
          refusedAs(
            yield* open({ code: made }, { ...local, "x-forwarded-for": "192.0.2.7" }),
            401,
            "unauthorized"
          )
          refusedAs(yield* open({ code: "AAAA-AAAA-AAAA-AAAA" }), 401, "unauthorized")
          refusedAs(yield* open({}), 422, "invalid_request")
          assert.strictEqual((yield* open({ code: made }, { host: "[::1]:3000" }, "::1")).status, 200)
          yield* TestClock.adjust("15 minutes")
          refusedAs(yield* open({ code: late }), 401, "unauthorized")
        })
    )

    it.effect("signs in one of several concurrent requests", () =>
      Effect.gen(function* () {
        const { code, open } = yield* scene()
        const made = yield* code
        const answers = yield* Effect.all(
          Array.from({ length: 8 }, () => open({ code: made })),
          { concurrency: 8 }
        )
        assert.deepStrictEqual(
          answers.map(({ status }) => status).toSorted((one, other) => one - other),
          [200, ...Array.from({ length: 7 }, () => 401)]
        )
      })
    )

    it.effect("limits guesses by the address", () =>
      Effect.gen(function* () {
        const { open } = yield* scene({ auth: 20 })
        const statuses = new Set<number>()
        for (let guess = 0; guess < 25; guess++)
          statuses.add((yield* open({ code: `AAAA-AAAA-AAAA-${String(guess).padStart(4, "0")}` })).status)
        assert.deepStrictEqual([...statuses], [401, 429])
      })
    )
  }
)
