import { assert, it, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { makeYield } from "../../src/http/access/Yielding.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer } from "../support/TestServer.ts"

/** Counts the iterations of the event loop until the scope closes. */
const rounds = Effect.acquireRelease(
  Effect.sync(() => {
    const counter = { count: 0, next: setImmediate(() => undefined) }
    const round = () => {
      counter.count += 1
      counter.next = setImmediate(round)
    }
    round()
    return counter
  }),
  (counter) => Effect.sync(() => clearImmediate(counter.next))
)

layer(Ports)("requests to sign in that arrive together", (it) => {
  it.effect(
    "start one after the other, with iterations of the event loop for other requests between them",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const round = yield* rounds
        // A login with a wrong body only needs the processor, so it waits for nothing but its turn.
        const login = Effect.map(server.send("POST", "/auth/login", { body: {} }), ({ status }) => {
          assert.strictEqual(status, 422)
          return round.count
        })
        const answered = yield* Effect.all(
          Array.from({ length: 50 }, () => login),
          { concurrency: "unbounded" }
        )
        const sorted = answered.toSorted((a, b) => a - b)
        const gaps = sorted.slice(1).map((count, index) => count - (sorted[index] ?? 0))
        assert.isAtLeast(gaps.filter((gap) => gap >= 4).length, 45)
      })
  )

  it.effect("are the only requests that wait for a turn", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const round = yield* rounds
      const answered = yield* Effect.all(
        Array.from({ length: 50 }, () => Effect.map(server.send("GET", "/nowhere"), () => round.count)),
        { concurrency: "unbounded" }
      )
      assert.isAtMost(Math.max(...answered) - Math.min(...answered), 50)
    })
  )
})

it.effect("an interrupted waiter leaves its turn to the next", () =>
  Effect.gen(function* () {
    const turn = yield* makeYield
    const first = yield* Effect.forkChild(turn)
    const second = yield* Effect.forkChild(turn)
    const third = yield* Effect.forkChild(turn)
    yield* Effect.yieldNow
    yield* Fiber.interruptAll([first, second])
    yield* Fiber.join(third)
    assert.strictEqual((yield* Effect.exit(turn))._tag, "Success")
  })
)
