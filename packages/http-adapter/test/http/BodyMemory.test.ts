import { IdentityProviders } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Layer, Fiber } from "effect"
import { HttpServerRequest } from "effect/http"
import { TestClock } from "effect/testing"
import { eventually, joinAdvancing } from "../../../../test/support/Eventually.ts"
import { BodyMemory, makeBodyMemory } from "../../src/http/decoding/BodyMemory.ts"
import { business } from "../support/People.ts"
import { Ports } from "../support/TestPorts.ts"
import { type Ask, openServer, refusedAs } from "../support/TestServer.ts"

/** The limit has room for one of the large bodies. */
const memory = 100_000

/** A request with a body of about that many bytes. It has a Content-Length unless it is chunked. */
const signInOf = (bytes: number, peer: string, isChunked = false): Ask => {
  const text = JSON.stringify({ id_token: "a.b.c", ignored: "x".repeat(bytes) })
  return {
    text,
    peer,
    headers: isChunked ? { "transfer-encoding": "chunked" } : { "content-length": String(text.length) }
  }
}

const turns = (count: number) =>
  Effect.repeat(
    Effect.promise(() => new Promise(setImmediate)),
    { times: count }
  )

/** A server whose sign-ins wait for a provider. The test lets them continue one by one. */
const slowServer = Effect.gen(function* () {
  const waiting: Array<Deferred.Deferred<void>> = []
  const verify = () =>
    Effect.gen(function* () {
      const end = yield* Deferred.make<void>()
      waiting.push(end)
      yield* Deferred.await(end)
      return yield* Effect.die(new Error("It went away"))
    })
  const server = yield* openServer().pipe(
    Effect.provide(Layer.mock(IdentityProviders)({ verify })),
    Effect.provideService(BodyMemory, memory)
  )
  const send = (ask: Ask) => Effect.forkScoped(server.send("POST", "/auth/idp", ask))
  const awaitHandled = (count: number) => eventually(() => waiting.length === count)
  return { send, server, waiting, awaitHandled }
})

layer(Ports)("large request bodies", (it) => {
  for (const isChunked of [false, true])
    it.effect(
      `${isChunked ? "without a Content-Length " : ""}wait while others use all the memory, and small ones do not`,
      () =>
        Effect.gen(function* () {
          const { awaitHandled, send, waiting } = yield* slowServer
          const first = yield* send(signInOf(60_000, "192.0.2.1", isChunked))
          yield* awaitHandled(1)
          const second = yield* send(signInOf(60_000, "192.0.2.2", isChunked))
          yield* turns(500)
          assert.lengthOf(waiting, 1)
          const small = yield* send(signInOf(1_000, "192.0.2.3"))
          yield* awaitHandled(2)
          for (const end of waiting) yield* Deferred.succeed(end, undefined)
          yield* awaitHandled(3)
          for (const end of waiting) yield* Deferred.succeed(end, undefined)
          for (const fiber of [first, second, small])
            assert.strictEqual((yield* Fiber.join(fiber)).status, 500)
        })
    )

  it.effect("to the MCP server wait as well, and the requests behind them take no memory of their own", () =>
    Effect.gen(function* () {
      const { awaitHandled, send, server, waiting } = yield* slowServer
      const { key } = yield* business(server)
      const params = { name: "estimate_fare", arguments: { ignored: "x".repeat(60_000) } }
      const text = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })
      const headers = { "content-length": String(text.length), "content-type": "application/json" }
      const first = yield* send(signInOf(60_000, "192.0.2.1"))
      yield* awaitHandled(1)
      const call = yield* Effect.forkScoped(
        server.sendTo("POST", "/mcp", { credential: key, text, headers, peer: "192.0.2.2" })
      )
      yield* turns(500)
      assert.isUndefined(call.pollUnsafe())
      for (const end of waiting) yield* Deferred.succeed(end, undefined)
      const answer = yield* Fiber.join(call)
      assert.strictEqual(answer.status, 200)
      assert.include(answer.text, "invalid_request")
      yield* Fiber.join(first)
    })
  )

  it.effect("of one client address take a quarter of the memory, so that the others are served", () =>
    Effect.gen(function* () {
      const { awaitHandled, send, waiting } = yield* slowServer
      const first = yield* send(signInOf(20_000, "192.0.2.1"))
      yield* awaitHandled(1)
      const second = yield* send(signInOf(20_000, "192.0.2.1"))
      const third = yield* send(signInOf(20_000, "192.0.2.1"))
      yield* turns(500)
      assert.lengthOf(waiting, 1)
      const other = yield* send(signInOf(60_000, "192.0.2.2"))
      yield* awaitHandled(2)
      for (const count of [3, 4]) {
        for (const end of waiting) yield* Deferred.succeed(end, undefined)
        yield* awaitHandled(count)
      }
      for (const end of waiting) yield* Deferred.succeed(end, undefined)
      for (const fiber of [first, second, third, other])
        assert.strictEqual((yield* Fiber.join(fiber)).status, 500)
    })
  )

  it.effect("take memory whatever content type they have", () =>
    Effect.gen(function* () {
      const withinMemory = yield* makeBodyMemory
      const requestOf = (type: string) =>
        HttpServerRequest.fromWeb(
          new Request("http://livery.test", {
            method: "POST",
            headers: { "content-length": "60000", "content-type": type }
          })
        )
      const end = yield* Deferred.make<void>()
      const first = yield* Effect.forkChild(
        withinMemory(requestOf("multipart/form-data"), Deferred.await(end))
      )
      yield* turns(10)
      let isHandled = false
      const second = yield* Effect.forkChild(
        withinMemory(
          requestOf("multipart/mixed"),
          Effect.sync(() => (isHandled = true))
        )
      )
      yield* turns(10)
      assert.isFalse(isHandled)
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(first)
      assert.isTrue(yield* Fiber.join(second))
    }).pipe(Effect.provideService(BodyMemory, memory))
  )

  it.effect("that wait longer than ten seconds are 429 with Retry-After, and have no effect", () =>
    Effect.gen(function* () {
      const { awaitHandled, send, waiting } = yield* slowServer
      yield* send(signInOf(60_000, "192.0.2.1"))
      yield* awaitHandled(1)
      const refused = yield* send(signInOf(60_000, "192.0.2.2"))
      const answer = yield* joinAdvancing(refused, TestClock.adjust("1 second"))
      refusedAs(answer, 429, "rate_limited")
      assert.strictEqual(answer.headers.get("retry-after"), "1")
      for (const end of waiting) yield* Deferred.succeed(end, undefined)
      yield* turns(100)
      assert.lengthOf(waiting, 1)
    })
  )

  it.effect("whose clients disconnect free their memory", () =>
    Effect.gen(function* () {
      const withinMemory = yield* makeBodyMemory
      const request = HttpServerRequest.fromWeb(
        new Request("http://livery.test", { method: "POST", headers: { "content-length": "60000" } })
      )
      const end = yield* Deferred.make<void>()
      const first = yield* Effect.forkChild(withinMemory(request, Deferred.await(end)))
      yield* turns(10)
      const leaving = yield* Effect.forkChild(withinMemory(request, Effect.void))
      const staying = yield* Effect.forkChild(withinMemory(request, Effect.succeed("handled")))
      yield* turns(10)
      yield* Fiber.interrupt(leaving)
      yield* Deferred.succeed(end, undefined)
      assert.strictEqual(yield* Fiber.join(staying), "handled")
      yield* Fiber.join(first)
    }).pipe(Effect.provideService(BodyMemory, memory))
  )
})
