import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { createServer } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { text } from "node:stream/consumers"
import { setImmediate as turn } from "node:timers/promises"
import { WebhookSender } from "../../src/posting/WebhookSender.ts"
import { send as sendRequest } from "../support/Send.ts"

/**
 * A receiver that responds with 204 while `answers` returns true, and then calls `after` with the connection, its
 * number of requests and the body.
 */
const receiverThat = (
  after: (socket: Socket, nth: number, body: string) => void,
  answers: () => boolean = () => true
) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      // The connections over which requests came, in order, and the bodies of those.
      const used: Array<Socket> = []
      const bodies: Array<string> = []
      const times = new WeakMap<Socket, number>()
      const server = createServer((request, response) => {
        const { socket } = request
        used.push(socket)
        void text(request).then((body) => {
          bodies.push(body)
          const nth = (times.get(socket) ?? 0) + 1
          times.set(socket, nth)
          if (answers()) response.writeHead(204).end()
          after(socket, nth, body)
        })
      })
      const { promise, resolve } = Promise.withResolvers<void>()
      server.listen(0, "127.0.0.1", resolve)
      await promise
      const { port } = server.address() as AddressInfo
      return { server, used, bodies, url: `http://127.0.0.1:${port}/` }
    }),
    ({ server }) =>
      Effect.promise(async () => {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      })
  )

const send = (url: string, body = '{"id":"evt_1"}') => sendRequest({ url, headers: {}, body })

const sendAtOnce = (url: string, count: number, concurrency: number) =>
  Effect.forEach(Array.from({ length: count }), () => send(url), { concurrency })

// Time limits that no POST exceeds on a slow machine.
const patient = { allowInsecure: true, connectTimeout: "1 hour", timeout: "1 hour" } as const
const sending = Effect.provide(WebhookSender.layer(patient))

// On a busy machine, a close may arrive later than the default rest allows for.
const sendingAfterRest = Effect.provide(WebhookSender.layer({ ...patient, reuseDelay: "1 minute" }))

describe("a receiver that closes after each answer without announcing it gets every POST at the first attempt when it closes", () => {
  const ways: Readonly<Record<string, (socket: Socket) => void>> = {
    "with the answer": (socket) => void socket.end(),
    "right after it": (socket) => void setImmediate(() => socket.end()),
    "a moment later": (socket) => void setTimeout(() => socket.end(), 1)
  }
  for (const [way, after] of Object.entries(ways))
    it.live(way, () =>
      Effect.gen(function* () {
        const { url, used } = yield* receiverThat(after)
        const outcomes = yield* sendAtOnce(url, 400, 10)
        assert.deepStrictEqual(
          outcomes.filter(({ acknowledged }) => !acknowledged),
          []
        )
        assert.strictEqual(used.length, 400)
      }).pipe(sendingAfterRest)
    )

  it.live("by a reset once the response has been read", () =>
    Effect.gen(function* () {
      const sockets = new Map<string, Socket>()
      const { bodies, url, used } = yield* receiverThat((socket, _, body) => void sockets.set(body, socket))
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 400 }, (_, nth) => String(nth)),
        (body) => Effect.tap(send(url, body), () => Effect.sync(() => sockets.get(body)?.resetAndDestroy())),
        { concurrency: 10 }
      )
      assert.isTrue(outcomes.every(({ acknowledged }) => acknowledged))
      assert.deepStrictEqual([bodies.length, new Set(used).size], [400, 400])
    }).pipe(sendingAfterRest)
  )

  // A reset may overtake the response and discard it (RFC 9112, section 9.6). No sender can read it then, but the POST
  // was received: it did not go over the connection of an earlier one.
  it.live("by a reset right after it, except those whose response the reset discarded", () =>
    Effect.gen(function* () {
      const { bodies, url, used } = yield* receiverThat(
        (socket) => void setImmediate(() => socket.resetAndDestroy())
      )
      const outcomes = yield* sendAtOnce(url, 400, 10)
      assert.deepStrictEqual([bodies.length, new Set(used).size], [400, 400])
      assert.deepStrictEqual(
        outcomes.filter(({ acknowledged, error }) => !acknowledged && error !== "connection failed"),
        []
      )
    }).pipe(sendingAfterRest)
  )
})

describe("a receiver that keeps its connections", () => {
  it.live("gets POSTs over one of them, also after many were needed at once", () =>
    Effect.gen(function* () {
      const { url, used } = yield* receiverThat(() => undefined)
      yield* sendAtOnce(url, 30, 30)
      // Each connection rests after its first answer, and one that has rested is used next.
      const isOneUsed = () => used.length >= 130 && new Set(used.slice(-100)).size === 1
      yield* Effect.repeat(send(url), { until: isOneUsed, times: 10_000 })
      assert.isTrue(isOneUsed())
    }).pipe(sending)
  )

  it.live("and closes them while they are idle gets POSTs over new ones", () =>
    Effect.gen(function* () {
      const { server, url } = yield* receiverThat(() => undefined)
      yield* sendAtOnce(url, 10, 10)
      server.closeAllConnections()
      // The event loop reports them: a POST over one that is not known to be closed is lost.
      for (let nth = 0; nth < 10; nth++) yield* Effect.promise(() => turn())
      const outcomes = yield* sendAtOnce(url, 10, 10)
      assert.isTrue(outcomes.every(({ acknowledged }) => acknowledged))
    }).pipe(sending)
  )

  // The test moves the clock, so that the POST takes another connection however slow the machine is.
  it.effect("and closes them as a POST starts gets it over a new one, if that opens at once", () =>
    Effect.gen(function* () {
      const { url, used } = yield* receiverThat(() => undefined)
      const hanging = yield* Deferred.make<void>()
      let asked = 0
      let hangsAt = 0
      const resolve = async () => {
        asked += 1
        if (asked === hangsAt) {
          Deferred.doneUnsafe(hanging, Exit.void)
          await new Promise(() => undefined)
        }
        return ["127.0.0.1"]
      }
      yield* Effect.gen(function* () {
        const toName = send(url.replace("127.0.0.1", "hooks.example.org"))
        const isUsedAgain = () => new Set(used).size < used.length
        yield* Effect.repeat(toName, { until: isUsedAgain, times: 10_000 })
        yield* Effect.promise(() => turn())
        hangsAt = asked + 1
        for (const socket of used) socket.end()
        const posting = yield* Effect.forkChild(toName)
        yield* Deferred.await(hanging)
        yield* TestClock.adjust("1 second")
        const { error } = yield* Fiber.join(posting)
        assert.deepStrictEqual([error, asked], ["name not resolved", hangsAt])
      }).pipe(Effect.provide(WebhookSender.layer({ ...patient, resolve, connectTimeout: "1 second" })))
    })
  )

  it.live("and resets one instead of answering got the POST, which failed and is not made again", () =>
    Effect.gen(function* () {
      let answers = true
      const { bodies, url, used } = yield* receiverThat(
        (socket) => {
          if (!answers) socket.resetAndDestroy()
        },
        () => answers
      )
      const isUsedAgain = () => new Set(used).size < used.length
      yield* Effect.repeat(send(url), { until: isUsedAgain, times: 10_000 })
      answers = false
      const { error } = yield* send(url, "once")
      answers = true
      yield* send(url)
      assert.strictEqual(error, "connection failed")
      assert.lengthOf(
        bodies.filter((body) => body === "once"),
        1
      )
    }).pipe(sending)
  )

  it.live("for a while and then resets them gets no POST twice, and every POST ends", () =>
    Effect.gen(function* () {
      const { bodies, url } = yield* receiverThat((socket, nth) => {
        if (nth === 3) setImmediate(() => socket.resetAndDestroy())
      })
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 2_000 }, (_, nth) => String(nth)),
        (body) => Effect.map(send(url, body), ({ acknowledged, error }) => ({ body, acknowledged, error })),
        { concurrency: 20 }
      )
      assert.strictEqual(new Set(bodies).size, bodies.length)
      const received = new Set(bodies)
      for (const { acknowledged, body, error } of outcomes)
        if (acknowledged) assert.isTrue(received.has(body))
        else assert.strictEqual(error, "connection failed")
    }).pipe(sending)
  )
})
