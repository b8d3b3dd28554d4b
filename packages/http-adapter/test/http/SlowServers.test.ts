import { FileStore, IdentityProviders, TripRepository } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { samples } from "../../../integrations/test/files/Samples.ts"
import { eventually, joinAdvancing } from "../../../../test/support/Eventually.ts"
import { Ports } from "../support/TestPorts.ts"
import { business, newcomer } from "../support/People.ts"
import { type Ask, openServer, refusedAs } from "../support/TestServer.ts"

const trip = {
  trip_date: "2026-12-24T18:00:00Z",
  pickup_address: "Here",
  dropoff_address: "There",
  customer_name: "Ada"
}

const named = (key: string, ask: Ask): Ask => ({
  ...ask,
  headers: { ...ask.headers, "Idempotency-Key": key }
})

/** An outside server that responds only at the test's end, with the number of requests that wait for it. */
const hanging = Effect.gen(function* () {
  const end = yield* Effect.acquireRelease(Deferred.make<void>(), (end) => Deferred.succeed(end, undefined))
  const outside = { asked: 0 }
  const ask = Effect.sync(() => {
    outside.asked += 1
  }).pipe(Effect.andThen(Deferred.await(end)), Effect.andThen(Effect.die(new Error("It went away"))))
  return { outside, ask }
})

layer(Ports)("while an outside server hangs", (it) => {
  it.effect("one business's uploads delay no bookings and no uploads to other servers", () =>
    Effect.gen(function* () {
      const files = yield* FileStore
      const { ask, outside } = yield* hanging
      const server = yield* openServer().pipe(
        Effect.provideService(FileStore, { ...files, write: () => ask })
      )
      const [one, other] = [yield* business(server), yield* business(server)]
      const form = new FormData()
      form.append("file", new Blob([samples.png]), "a.png")
      const response = new Response(form)
      const bytes = new Uint8Array(yield* Effect.promise(() => response.arrayBuffer()))
      const type = response.headers.get("content-type") ?? ""
      for (let index = 0; index < 6; index++)
        yield* Effect.forkScoped(
          server.send(
            "POST",
            "/uploads",
            named(`${index}`, { credential: one.key, form: bytes, headers: { "content-type": type } })
          )
        )
      yield* eventually(() => outside.asked === 6)
      for (const credential of [other.key, one.key]) {
        const answer = yield* server.send("POST", "/trips", named("new", { credential, body: trip }))
        assert.strictEqual(answer.status, 201)
      }
    })
  )

  it.effect("sign-ins through it delay no registration, not even of the same address", () =>
    Effect.gen(function* () {
      const { ask, outside } = yield* hanging
      const server = yield* openServer().pipe(
        Effect.provide(Layer.mock(IdentityProviders)({ verify: () => ask }))
      )
      const body = { id_token: "a.b.c" }
      for (let index = 0; index < 9; index++)
        yield* Effect.forkScoped(
          server.send("POST", "/auth/idp", named(`${index}`, { body, peer: `192.0.2.${index % 3}` }))
        )
      yield* eventually(() => outside.asked === 9)
      for (const peer of ["192.0.2.77", "198.51.100.1"]) {
        const answer = yield* server.send("POST", "/auth/register", named("me", { body: newcomer(), peer }))
        assert.strictEqual(answer.status, 201)
      }
    })
  )

  it.effect("a request beyond the bulkhead is 429 with Retry-After, and has no effect", () =>
    Effect.gen(function* () {
      const trips = yield* TripRepository
      const { ask, outside } = yield* hanging
      const server = yield* openServer().pipe(
        Effect.provideService(TripRepository, { ...trips, insert: () => ask })
      )
      const { key } = yield* business(server)
      const from = (name: number) =>
        server.send("POST", "/trips", named(`${name}`, { credential: key, body: trip }))
      yield* Effect.forEach([1, 2], (name) => Effect.forkScoped(from(name)), { discard: true })
      yield* eventually(() => outside.asked === 2)
      const waiting = yield* Effect.forkChild(from(3))
      const answer = yield* joinAdvancing(waiting, TestClock.adjust("100 millis"))
      refusedAs(answer, 429, "rate_limited")
      assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/u)
      assert.strictEqual(outside.asked, 2)
    })
  )
})
