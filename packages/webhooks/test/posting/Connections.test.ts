import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createServer } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { text } from "node:stream/consumers"
import { setImmediate as turn } from "node:timers/promises"
import { WebhookSender } from "../../src/posting/WebhookSender.ts"
import { send as sendRequest } from "../support/Send.ts"

/**
 * A receiver that responds with 204 if `answers` returns true for the connection's number of requests, and then calls
 * `after` with the connection, that number and the body.
 */
const receiverThat = (
  after: (socket: Socket, nth: number, body: string) => void,
  answers: (nth: number) => boolean = () => true
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
          if (answers(nth)) response.writeHead(204).end()
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

/** Sends once, and waits for two turns of the event loop: undici uses a connection again after one. */
const sendAndRest = (url: string) =>
  Effect.tap(send(url), () =>
    Effect.promise(async () => {
      await turn()
      await turn()
    })
  )

const sendAtOnce = (url: string, count: number, concurrency: number) =>
  Effect.forEach(Array.from({ length: count }), () => send(url), { concurrency })

// Time limits that no POST exceeds on a slow machine.
const patient = { allowInsecure: true, connectTimeout: "1 hour", timeout: "1 hour" } as const
const sending = Effect.provide(WebhookSender.layer(patient))

describe("a receiver that closes after each answer without announcing it gets every POST at the first attempt when it closes", () => {
  const ways: Readonly<Record<string, (socket: Socket) => void>> = {
    "with the answer": (socket) => void socket.end(),
    "right after it": (socket) => void setImmediate(() => socket.end()),
    "a moment later": (socket) => void setTimeout(() => socket.end(), 1)
  }
  for (const [way, after] of Object.entries(ways))
    it.live(way, () =>
      Effect.gen(function* () {
        const { bodies, url } = yield* receiverThat(after)
        const texts = Array.from({ length: 400 }, (_, nth) => String(nth))
        const outcomes = yield* Effect.forEach(texts, (body) => send(url, body), { concurrency: 10 })
        assert.deepStrictEqual(
          outcomes.filter(({ acknowledged }) => !acknowledged),
          []
        )
        assert.strictEqual(new Set(bodies).size, 400)
      }).pipe(sending)
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
    }).pipe(sending)
  )

  // A reset may overtake the response and discard it (RFC 9112, section 9.6). No sender can read it then, but the POST
  // was received.
  it.live("by a reset right after it, except those whose response the reset discarded", () =>
    Effect.gen(function* () {
      const { bodies, url } = yield* receiverThat(
        (socket) => void setImmediate(() => socket.resetAndDestroy())
      )
      const texts = Array.from({ length: 400 }, (_, nth) => String(nth))
      const outcomes = yield* Effect.forEach(texts, (body) => send(url, body), { concurrency: 10 })
      assert.strictEqual(new Set(bodies).size, 400)
      assert.deepStrictEqual(
        outcomes.filter(({ acknowledged, error }) => !acknowledged && error !== "connection failed"),
        []
      )
    }).pipe(sending)
  )
})

describe("a receiver that keeps its connections", () => {
  // undici uses a connection again one turn of the event loop after its response, so that POSTs in a row take two.
  it.live("gets POSTs over two of them, also after many were needed at once", () =>
    Effect.gen(function* () {
      const { url, used } = yield* receiverThat(() => undefined)
      yield* sendAtOnce(url, 30, 30)
      const areTwoUsed = () => used.length >= 130 && new Set(used.slice(-100)).size <= 2
      yield* Effect.repeat(send(url), { until: areTwoUsed, times: 10_000 })
      assert.isTrue(areTwoUsed())
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

  it.live("and closes them as a POST starts gets it over a new one", () =>
    Effect.gen(function* () {
      const { url, used } = yield* receiverThat(() => undefined)
      yield* sendAndRest(url)
      for (let nth = 0; nth < 20; nth++) {
        for (const socket of used) socket.end()
        assert.strictEqual((yield* send(url)).error, null)
      }
    }).pipe(sending)
  )

  for (const [way, close] of [
    ["closes", (socket: Socket) => void socket.end()],
    ["resets", (socket: Socket) => void socket.resetAndDestroy()]
  ] as const)
    it.live(
      `and ${way} a reused one without a byte of an answer gets the POST again at once over a new one`,
      () =>
        Effect.gen(function* () {
          let closes = false
          const { bodies, url, used } = yield* receiverThat(
            (socket, nth) => {
              if (closes && nth > 1) close(socket)
            },
            (nth) => !closes || nth === 1
          )
          yield* sendAndRest(url)
          yield* sendAndRest(url)
          assert.lengthOf(new Set(used), 1)
          closes = true
          assert.strictEqual((yield* send(url, "twice")).error, null)
          assert.deepStrictEqual(bodies.slice(2), ["twice", "twice"])
          assert.lengthOf(new Set(used), 2)
        }).pipe(sending)
    )

  it.live("and then closes each without an answer gets a POST at most twice in an attempt", () =>
    Effect.gen(function* () {
      let answers = true
      const { bodies, url } = yield* receiverThat(
        (socket) => {
          if (!answers) socket.resetAndDestroy()
        },
        () => answers
      )
      yield* sendAndRest(url)
      answers = false
      assert.strictEqual((yield* send(url, "reused")).error, "connection failed")
      assert.strictEqual((yield* send(url, "new")).error, "connection failed")
      assert.deepStrictEqual(bodies.slice(1), ["reused", "reused", "new"])
    }).pipe(sending)
  )

  it.live("and closes one within an answer gets the POST once", () =>
    Effect.gen(function* () {
      let isWhole = true
      const { bodies, url } = yield* receiverThat(
        (socket) => {
          if (!isWhole) socket.end("HTTP/1.1 200")
        },
        () => isWhole
      )
      yield* sendAndRest(url)
      isWhole = false
      assert.strictEqual((yield* send(url, "once")).error, "connection failed")
      assert.deepStrictEqual(bodies.slice(1), ["once"])
    }).pipe(sending)
  )

  it.live("gets no POST again that may no longer start, and the attempt has failed", () =>
    Effect.gen(function* () {
      let answers = true
      const { bodies, url } = yield* receiverThat(
        (socket) => {
          if (!answers) socket.resetAndDestroy()
        },
        () => answers
      )
      yield* sendAndRest(url)
      answers = false
      let asked = 0
      const mayStart = () => {
        asked += 1
        return asked === 1
      }
      const { error } = yield* sendRequest({ url, headers: {}, body: "once", mayStart })
      assert.deepStrictEqual([error, asked, bodies.slice(1)], ["connection failed", 2, ["once"]])
    }).pipe(sending)
  )

  it.live("for a while and then resets them acknowledges every POST", () =>
    Effect.gen(function* () {
      const { bodies, url } = yield* receiverThat((socket, nth) => {
        if (nth === 3) setImmediate(() => socket.resetAndDestroy())
      })
      const texts = Array.from({ length: 2_000 }, (_, nth) => String(nth))
      const outcomes = yield* Effect.forEach(texts, (body) => send(url, body), { concurrency: 20 })
      assert.deepStrictEqual(
        outcomes.filter(({ acknowledged }) => !acknowledged),
        []
      )
      assert.strictEqual(new Set(bodies).size, texts.length)
    }).pipe(sending)
  )
})
