/**
 * The fast path and Effect's own path give the same responses, byte for byte: two equal installations get the same
 * requests, one with the fast path and one without. The requests are generated from the contract, so that a new route
 * is compared at once.
 */
import { Cryptography } from "@livery/domain"
import { NodeCryptography } from "@livery/integrations"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import { type Ports, portsWith } from "../support/TestPorts.ts"
import { everyRefusal, everyRoute } from "../support/EveryRoute.ts"
import { restartPeople } from "../support/People.ts"
import { transcribed } from "../support/Transcript.ts"
import { openServer, type TestServer } from "../support/TestServer.ts"

/** Random bytes that are the same in each installation. */
const Predictable = Layer.effect(
  Cryptography,
  Effect.gen(function* () {
    const cryptography = yield* Cryptography
    let drawn = 0
    const block = () =>
      createHash("sha512")
        .update(`block ${(drawn += 1)}`)
        .digest()
    return Cryptography.of({
      ...cryptography,
      randomBytes: (count) => Effect.sync(() => new Uint8Array(block().subarray(0, count)))
    })
  })
).pipe(Layer.provide(NodeCryptography.layer))

/** A server with the usual limits, and one on the same ports that allows three requests a minute. */
type Scenario = (server: TestServer, limited: TestServer) => Effect.Effect<unknown, unknown, Ports>

/** The responses to a scenario, with or without the fast path. */
const played = (scenario: Scenario, withoutFastPath: boolean) =>
  Effect.scoped(
    Effect.gen(function* () {
      restartPeople()
      const ports = portsWith(Predictable).pipe(Layer.provideMerge(TestDatabase.layer))
      const context = yield* Layer.build(Layer.fresh(ports))
      const { lines, server } = transcribed(
        yield* Effect.provideContext(openServer({ withoutFastPath }), context)
      )
      const limits = { business: 3, auth: 3, public: 3 }
      const limited = transcribed(
        yield* Effect.provideContext(openServer({ withoutFastPath, limits }), context)
      )
      yield* Effect.provideContext(scenario(server, limited.server), context)
      return [...lines, ...limited.lines]
    })
  )

/** Checks that both paths give the same responses. Returns the number of compared responses by status. */
const assertSame = Effect.fnUntraced(function* (scenario: Scenario) {
  const fast = yield* played(scenario, false)
  const plain = yield* played(scenario, true)
  for (const [index, line] of fast.entries()) assert.strictEqual(line, plain[index])
  assert.strictEqual(fast.length, plain.length)
  return statusesOf(fast)
})

/** The number of lines by status. */
const statusesOf = (lines: ReadonlyArray<string>) =>
  new Map(
    [...Map.groupBy(lines, (line) => line.split("\n")[2])].map(([status, all]) => [
      Number(status),
      all.length
    ])
  )

/** Checks that there are at least this many responses of each status. */
const hasEach = (
  statuses: ReadonlyMap<number, number>,
  least: number,
  ...expected: ReadonlyArray<number>
) => {
  for (const status of expected) assert.isAtLeast(statuses.get(status) ?? 0, least, String(status))
}

describe("the fast path", () => {
  it.effect(
    "gives the responses of Effect's own path, for every route and the generated requests",
    () =>
      Effect.map(
        assertSame((server) => everyRoute(server)),
        (statuses) => hasEach(statuses, 5, 200, 201, 400, 401, 403, 404, 405, 413, 422)
      ),
    240_000
  )

  it.effect(
    "gives the responses of Effect's own path for every route, to callers beyond their rate limit and of a suspended business",
    () => Effect.map(assertSame(everyRefusal), (statuses) => hasEach(statuses, 20, 403, 429)),
    240_000
  )
})
