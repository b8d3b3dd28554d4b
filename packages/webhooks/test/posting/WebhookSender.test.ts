import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { WebhookSender } from "../../src/posting/WebhookSender.ts"
import type { SenderOptions } from "../../src/posting/WebhookSender.ts"
import { send } from "../support/Send.ts"
import { receiver, tcpServer, webServer } from "../support/LoopbackServers.ts"

// Time limits that no POST exceeds on a slow machine. POSTs that are to time out have their own.
const patient: SenderOptions = { allowInsecure: true, connectTimeout: "1 hour", timeout: "1 hour" }
const brief: SenderOptions = { timeout: "200 millis" }

const post = (url: string, options: SenderOptions = {}) =>
  send({
    url,
    headers: { "Content-Type": "application/json", "X-Test": "yes" },
    body: '{"naïve":"☕"}'
  }).pipe(Effect.provide(WebhookSender.layer({ ...patient, ...options })))

const nothing = { responseStatus: null, acknowledged: false, retryAfter: 0 }

describe("a POST", () => {
  it.live("carries the body byte for byte and the headers given", () =>
    Effect.gen(function* () {
      const { received, url } = yield* receiver(200)
      const outcome = yield* post(url)
      assert.deepStrictEqual(outcome, {
        responseStatus: 200,
        acknowledged: true,
        error: null,
        retryAfter: 0
      })
      assert.strictEqual(received.length, 1)
      assert.strictEqual(received[0]?.method, "POST")
      assert.strictEqual(received[0]?.url, "/hook?a=1")
      assert.strictEqual(received[0]?.body, '{"naïve":"☕"}')
      assert.strictEqual(received[0]?.headers["x-test"], "yes")
      assert.strictEqual(received[0]?.headers["content-type"], "application/json")
    })
  )

  it.live.each([200, 201, 202, 204, 299])("is acknowledged by a response of %i", (status) =>
    Effect.gen(function* () {
      const { url } = yield* receiver(status)
      assert.isTrue((yield* post(url)).acknowledged)
    })
  )

  it.live.each([304, 400, 401, 404, 410, 429, 500, 503])(
    "is not acknowledged by a response of %i",
    (status) =>
      Effect.gen(function* () {
        const { url } = yield* receiver(status)
        const outcome = yield* post(url)
        assert.deepStrictEqual(outcome, {
          responseStatus: status,
          acknowledged: false,
          error: `http ${status}`,
          retryAfter: 0
        })
      })
  )

  it.live.each([301, 302, 303, 307, 308])("a redirect is not followed (%i)", (status) =>
    Effect.gen(function* () {
      const elsewhere = yield* receiver(200)
      const { received, url } = yield* receiver(status, { Location: elsewhere.url })
      assert.strictEqual((yield* post(url)).error, `http ${status}`)
      assert.strictEqual(received.length, 1)
      assert.strictEqual(elsewhere.received.length, 0)
    })
  )

  it.live("returns the seconds of Retry-After", () =>
    Effect.gen(function* () {
      const { url } = yield* receiver(503, { "Retry-After": "120" })
      assert.strictEqual((yield* post(url)).retryAfter, 120)
    })
  )

  it.live("closes its connection when it is broken off", () =>
    Effect.gen(function* () {
      const [asked, closed] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const port = yield* tcpServer((socket) => {
        socket.once("data", () => Deferred.doneUnsafe(asked, Exit.void))
        socket.once("close", () => Deferred.doneUnsafe(closed, Exit.void))
      })
      yield* Effect.gen(function* () {
        const sending = yield* Effect.forkChild(
          send({ url: `http://127.0.0.1:${port}/`, headers: {}, body: "{}" })
        )
        yield* Deferred.await(asked)
        yield* Fiber.interrupt(sending)
        yield* Deferred.await(closed)
      }).pipe(Effect.provide(WebhookSender.layer(patient)))
    })
  )

  it.live.each([
    ["102 Processing", "HTTP/1.1 102 Processing\r\n\r\n"],
    ["103 Early Hints", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"],
    ["several", "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 102 Processing\r\nX: y\r\n\r\n"]
  ] as const)("ignores a 1xx response: %s", ([, interim]) =>
    Effect.gen(function* () {
      const accepted = "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n"
      const answering = (text: string) => tcpServer((socket) => socket.once("data", () => socket.write(text)))
      const [both, one] = [yield* answering(interim + accepted), yield* answering(interim)]
      assert.strictEqual((yield* post(`http://127.0.0.1:${both}/`)).responseStatus, 202)
      assert.deepStrictEqual(yield* post(`http://127.0.0.1:${one}/`, brief), { ...nothing, error: "timeout" })
    })
  )

  it.live("fails when 1xx responses do not end", () =>
    Effect.gen(function* () {
      const port = yield* tcpServer((socket) =>
        socket.once("data", () => socket.write("HTTP/1.1 100 Continue\r\n\r\n".repeat(2_000)))
      )
      const { error, responseStatus } = yield* post(`http://127.0.0.1:${port}/`)
      assert.deepStrictEqual([error, responseStatus], ["connection failed", null])
    })
  )

  it.live("is not sent when that is no longer allowed as its connection opens", () =>
    Effect.gen(function* () {
      const { received, url } = yield* receiver(200)
      let asked = 0
      const mayStart = () => {
        asked += 1
        return false
      }
      const end = yield* WebhookSender.use((sender) =>
        sender.post({ url, headers: {}, body: "{}", mayStart })
      ).pipe(Effect.provide(WebhookSender.layer(patient)))
      assert.deepStrictEqual([end, asked, received.length], ["unsent", 1, 0])
    })
  )
})

describe("a POST ends although the receiver", () => {
  it.live("accepts and does not respond", () =>
    Effect.gen(function* () {
      const port = yield* tcpServer(() => undefined)
      assert.deepStrictEqual(yield* post(`http://127.0.0.1:${port}/`, brief), {
        ...nothing,
        error: "timeout"
      })
    })
  )

  it.live("drips its headers", () =>
    Effect.gen(function* () {
      const port = yield* tcpServer((socket) => {
        socket.write("HTTP/1.1 200 OK\r\n")
        const drip = setInterval(() => socket.write("X"), 20)
        socket.on("close", () => clearInterval(drip))
      })
      assert.deepStrictEqual(yield* post(`http://127.0.0.1:${port}/`, brief), {
        ...nothing,
        error: "timeout"
      })
    })
  )

  it.live("sends the body of a 2xx a byte at a time, which still acknowledges", () =>
    Effect.gen(function* () {
      const port = yield* webServer((_, response) => {
        response.writeHead(200)
        const drip = setInterval(() => response.write("."), 20)
        response.on("close", () => clearInterval(drip))
      })
      const { acknowledged } = yield* post(`http://127.0.0.1:${port}/`, { timeout: "3 seconds" })
      assert.isTrue(acknowledged)
    })
  )

  it.live("sends an endless body: it is cut off, and a 2xx acknowledges", () =>
    Effect.gen(function* () {
      const closed = yield* Deferred.make<void>()
      let sent = 0
      const port = yield* tcpServer((socket) => {
        const chunk = Buffer.alloc(16 * 1024, "x")
        const pour = () => {
          while (!socket.destroyed && socket.write(chunk)) sent += chunk.length
        }
        socket.once("data", () => {
          socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
          pour()
        })
        socket.on("drain", pour)
        socket.on("close", () => Deferred.doneUnsafe(closed, Exit.void))
      })
      assert.isTrue((yield* post(`http://127.0.0.1:${port}/`)).acknowledged)
      yield* Deferred.await(closed)
      assert.isBelow(sent, 16 * 1024 * 1024)
    })
  )

  it.live("resets the connection", () =>
    Effect.gen(function* () {
      const port = yield* tcpServer((socket) => socket.once("data", () => socket.resetAndDestroy()))
      assert.deepStrictEqual(yield* post(`http://127.0.0.1:${port}/`), {
        ...nothing,
        error: "connection failed"
      })
    })
  )

  it.live("does not listen", () =>
    Effect.gen(function* () {
      const port = yield* Effect.scoped(tcpServer(() => undefined))
      assert.deepStrictEqual(yield* post(`http://127.0.0.1:${port}/`), {
        ...nothing,
        error: "connection failed"
      })
    })
  )

  it.live("speaks another protocol", () =>
    Effect.gen(function* () {
      const port = yield* tcpServer((socket) =>
        socket.once("data", () => socket.write("220 mail.example.org ESMTP\r\n"))
      )
      assert.deepStrictEqual(yield* post(`http://127.0.0.1:${port}/`), {
        ...nothing,
        error: "invalid response"
      })
    })
  )

  it.live("sends 10,000 headers", () =>
    Effect.gen(function* () {
      const port = yield* tcpServer((socket) =>
        socket.once("data", () =>
          socket.write(`HTTP/1.1 200 OK\r\n${"X-Many: headers\r\n".repeat(10_000)}\r\n`)
        )
      )
      assert.deepStrictEqual(yield* post(`http://127.0.0.1:${port}/`), {
        ...nothing,
        error: "invalid response"
      })
    })
  )

  it.live("has no trusted certificate", () =>
    Effect.gen(function* () {
      const port = yield* webServer((_, response) => response.end())
      assert.deepStrictEqual(yield* post(`https://127.0.0.1:${port}/`), { ...nothing, error: "tls" })
    })
  )
})

describe("the sender", () => {
  const canary = Effect.gen(function* () {
    const seen = { connections: 0 }
    const port = yield* tcpServer(() => (seen.connections += 1))
    return { seen, port }
  })

  it.live("never connects to a private address", () =>
    Effect.gen(function* () {
      const { port, seen } = yield* canary
      for (const host of ["127.0.0.1", "[::ffff:127.0.0.1]", "2130706433"])
        assert.deepStrictEqual(yield* post(`https://${host}:${port}/`, { allowInsecure: false }), {
          ...nothing,
          error: "address not allowed"
        })
      assert.strictEqual(seen.connections, 0)
    })
  )

  it.live(
    "never connects to a name with a private address, and fails the same whether its port is open or closed",
    () =>
      Effect.gen(function* () {
        const { port, seen } = yield* canary
        const closed = yield* Effect.scoped(tcpServer(() => undefined))
        for (const addresses of [["127.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["::1"], ["::ffff:127.0.0.1"]])
          for (const at of [port, closed])
            assert.deepStrictEqual(
              yield* post(`https://rebinding.example.org:${at}/`, {
                allowInsecure: false,
                resolve: () => Promise.resolve(addresses)
              }),
              { ...nothing, error: "address not allowed" }
            )
        assert.strictEqual(seen.connections, 0)
      })
  )

  it.live("connects to the address that it checked: it resolves the name once", () =>
    Effect.gen(function* () {
      let asked = 0
      const { received, url } = yield* receiver(200)
      const outcome = yield* post(url.replace("127.0.0.1", "hooks.example.org"), {
        resolve: () => {
          asked += 1
          return Promise.resolve(asked === 1 ? ["127.0.0.1"] : ["127.0.0.2"])
        }
      })
      assert.isTrue(outcome.acknowledged)
      assert.strictEqual(asked, 1)
      assert.match(received[0]?.headers.host ?? "", /^hooks\.example\.org:\d+$/u)
    })
  )

  it.live.each([
    ["hooks.example.org", "hooks.example.org"],
    ["hooks.example.org.", "hooks.example.org without its last dot"]
  ] as const)("names the server %s to TLS as %s", ([host]) =>
    Effect.gen(function* () {
      let hello = ""
      const port = yield* tcpServer((socket) =>
        socket.once("data", (chunk: Buffer) => {
          hello = chunk.toString("latin1")
          socket.destroy()
        })
      )
      yield* post(`https://${host}:${port}/`, { resolve: () => Promise.resolve(["127.0.0.1"]) })
      assert.include(hello, "hooks.example.org")
      assert.notInclude(hello, "hooks.example.org.")
    })
  )

  it.live.each([
    ["has no address", () => Promise.resolve([])],
    ["cannot be resolved", () => Promise.reject(new Error("SERVFAIL"))],
    ["is not resolved in time", () => new Promise<ReadonlyArray<string>>(() => undefined)]
  ] as const)("connects to nothing when the name %s", ([, resolve]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* post("https://hooks.example.org/", {
          resolve,
          allowInsecure: false,
          connectTimeout: "100 millis"
        }),
        { ...nothing, error: "name not resolved" }
      )
    })
  )
})
