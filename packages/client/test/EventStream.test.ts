import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { livery, LiveryError } from "../src/index.ts"
import { fakeServer, ok, refusal, type Sent } from "./FakeServer.ts"

const encoder = new TextEncoder()

/** A response that sends these chunks. Then it ends, breaks, or stays open until the request is aborted. */
const stream =
  (chunks: ReadonlyArray<string>, end: "close" | "break" | "hang" = "close") =>
  ({ signal }: Pick<Sent, "signal">) =>
    new Response(
      new ReadableStream({
        start: (controller) => {
          for (const chunk of chunks) controller.enqueue(encoder.encode(chunk))
          if (end === "close") controller.close()
          else signal?.addEventListener("abort", () => controller.error(signal.reason))
        },
        pull: (controller) => {
          if (end === "break") controller.error(new TypeError("terminated"))
        }
      }),
      { headers: { "content-type": "text/event-stream" } }
    )

const position = (lat: number) =>
  `event: position\ndata: {"status":"in_progress","position":{"lat":${lat}}}\n\n`
const ended = `event: status\ndata: {"status":"completed","position":null}\n\n`

describe("a stream of events", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }))
  afterEach(() => void vi.useRealTimers())

  /** The events that a client reads, and the error that ends them. Waits pass at once. */
  const follow = async (server: ReturnType<typeof fakeServer>, signal?: AbortSignal) => {
    const client = livery({ baseUrl: "https://livery.example/api/v1", fetch: server.fetch })
    const seen: Array<unknown> = []
    const state: { isOver: boolean; error: unknown } = { isOver: false, error: undefined }
    const reading = (async () => {
      for await (const { data, event, id } of client.publicTracking.follow({ token: "lvt_1" }, { signal }))
        seen.push([event, data.position?.lat ?? data.status, id])
    })()
    reading
      .catch((error: unknown) => {
        state.error = error
      })
      .finally(() => {
        state.isOver = true
      })
    for (let rounds = 0; !state.isOver && rounds < 10_000; rounds++) await vi.advanceTimersByTimeAsync(1000)
    return { seen, error: state.error }
  }

  it("is read across chunks that cut lines, with comments and line ends of all kinds", async () => {
    const text = `retry: 3000\r\n\r\n:\n\n${position(1).replaceAll("\n", "\r\n")}id: 9\n${position(2)}${ended}`
    const chunks = text.match(/[\s\S]{1,7}/g) ?? []
    const { error, seen } = await follow(fakeServer(stream(chunks)))
    assert.isUndefined(error)
    assert.deepStrictEqual(seen, [
      ["position", 1, ""],
      ["position", 2, "9"],
      ["status", "completed", "9"]
    ])
  })

  it("of the board goes on after a trip that is completed", async () => {
    const server = fakeServer(
      stream([`id: a-1\nevent: trip\ndata: {"status":"completed"}\n\n`]),
      refusal(401, "unauthorized")
    )
    const client = livery({ baseUrl: "https://livery.example/api/v1", fetch: server.fetch })
    const seen: Array<string> = []
    const reading = (async () => {
      for await (const { event } of client.dispatch.follow({ date: "2026-11-20" })) seen.push(event)
    })().catch((error: unknown) => seen.push((error as LiveryError).type))
    for (let rounds = 0; rounds < 10; rounds++) await vi.advanceTimersByTimeAsync(1000)
    await reading
    assert.deepStrictEqual(seen, ["trip", "unauthorized"])
    assert.strictEqual(server.sent[1]?.headers["last-event-id"], "a-1")
  })

  it("is opened again with the last id after a break, an end before the end of the trip, and a silence", async () => {
    const server = fakeServer(
      stream([`id: 4\n${position(1)}`], "break"),
      new TypeError("fetch failed"),
      stream([position(2)]),
      stream([position(3)], "hang"),
      stream([ended])
    )
    const { error, seen } = await follow(server)
    assert.isUndefined(error)
    assert.deepStrictEqual(
      seen.map((it) => (it as ReadonlyArray<unknown>)[1]),
      [1, 2, 3, "completed"]
    )
    const ids = server.sent.map(({ headers }) => headers["last-event-id"])
    assert.deepStrictEqual(ids, [undefined, "4", "4", "4", "4"])
  })

  it("is opened again while the server restarts, and while it has too many requests", async () => {
    const page = () => new Response("<h1>Bad gateway</h1>", { status: 502 })
    const server = fakeServer(
      stream([position(1)]),
      refusal(500, "server_error"),
      page,
      page,
      page,
      page,
      refusal(503, "server_error", { "retry-after": "61" }),
      refusal(429, "rate_limited", { "retry-after": "61" }),
      stream([ended])
    )
    const { error, seen } = await follow(server)
    assert.isUndefined(error)
    assert.strictEqual(seen.length, 2)
  })

  it("waits as long as Retry-After says before it is opened again", async () => {
    const times: Array<number> = []
    const server = fakeServer(
      () => {
        times.push(Date.now())
        return refusal(500, "server_error", { "retry-after": "40" })
      },
      (sent) => {
        times.push(Date.now())
        return stream([ended])(sent)
      }
    )
    await follow(server)
    const [first = 0, second = 0] = times
    assert.isAtLeast(second - first, 40_000)
  })

  it("keeps the line separators of Unicode within a line", async () => {
    const text = ended.replace("null", `{"lat":1},"note":"a\u2028b\u2029c"`)
    const { seen } = await follow(fakeServer(stream([text])))
    assert.deepStrictEqual(seen, [["status", 1, ""]])
  })

  it("is not opened if its signal has aborted before", async () => {
    const server = fakeServer(stream([ended]))
    const { error } = await follow(server, AbortSignal.abort(new Error("enough")))
    assert.strictEqual((error as Error | undefined)?.message, "enough")
    assert.strictEqual(server.sent.length, 0)
  })

  it("throws when the server refuses it", async () => {
    const { error, seen } = await follow(fakeServer(stream([position(1)]), refusal(404, "not_found")))
    assert.strictEqual(seen.length, 1)
    assert.isTrue(error instanceof LiveryError && error.type === "not_found")
  })

  it("ends with the error of the program's own functions, and does not try them again", async () => {
    const reasons: Array<unknown> = []
    const expired = { access_token: "a", refresh_token: "b", expires_in: 900 }
    for (const credential of [
      { accessToken: () => Promise.reject(new Error("no token")) },
      {
        session: {
          refreshToken: "r",
          onChange: () => {
            throw new Error("no store")
          }
        }
      }
    ]) {
      const { fetch } = fakeServer(ok(expired))
      const client = livery({ baseUrl: "https://livery.example/api/v1", fetch, ...credential })
      const reading = client.tracking.follow({ id: 1 })[Symbol.asyncIterator]().next()
      reading.catch((error: unknown) => reasons.push((error as Error).message))
      await vi.advanceTimersByTimeAsync(60_000)
    }
    assert.deepStrictEqual(reasons, ["no token", "no store"])
  })

  it("ends with the reason of its signal", async () => {
    const stop = new AbortController()
    const server = fakeServer(stream([position(1)]), (sent) => {
      setTimeout(() => stop.abort(new Error("enough")), 1000)
      return stream([], "hang")(sent)
    })
    const { error } = await follow(server, stop.signal)
    assert.strictEqual((error as Error).message, "enough")
  })
})
