import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Option, Schema } from "effect"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs"
import { createServer as createWebServer } from "node:http"
import { createServer } from "node:net"
import { join } from "node:path"
import { vi } from "vitest"
import { scratchPrefix } from "../../../test/support/ScratchDirectory.ts"
import { administer, signIn } from "../src/remote/AdminServer.ts"
import { requestTo } from "../src/remote/RemoteServer.ts"
import { accessToken, storeTokens, tokenFile } from "../src/remote/SignIn.ts"

const address = "https://livery.example"

const ended = { access_token: "a1", refresh_token: "r1", expires_at: 0 }

/** A configuration directory of the test's own; returns its subdirectory for the tokens. */
const configuration = Effect.acquireRelease(
  Effect.sync(() => {
    const before = process.env["XDG_CONFIG_HOME"]
    const made = mkdtempSync(scratchPrefix)
    process.env["XDG_CONFIG_HOME"] = made
    return { before, made }
  }),
  ({ before, made }) =>
    Effect.sync(() => {
      if (before === undefined) delete process.env["XDG_CONFIG_HOME"]
      else process.env["XDG_CONFIG_HOME"] = before
      rmSync(made, { recursive: true })
    })
).pipe(Effect.map(({ made }) => join(made, "livery")))

describe("the tokens of a sign-in", () => {
  it.live("are refused with the reason if their lock cannot be made", () =>
    Effect.gen(function* () {
      const directory = yield* configuration
      mkdirSync(join(directory, "tokens.json.lock"), { recursive: true })
      const refusal = yield* Effect.flip(storeTokens(address, ended))
      assert.match(refusal.message, /^internal_error: \S+tokens\.json cannot be used: [^\n]*EISDIR[^\n]*$/u)
    })
  )

  it.live("are renewed once by two commands, however long the renewal takes", () =>
    Effect.gen(function* () {
      const directory = yield* configuration
      yield* storeTokens(address, ended)
      const [begun, answered] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const used: Array<string> = []
      const renew = Effect.fnUntraced(function* (refreshToken: string) {
        used.push(refreshToken)
        yield* Deferred.succeed(begun, undefined)
        yield* Deferred.await(answered)
        return { access_token: "a2", refresh_token: "r2", expires_at: Date.now() + 900_000 }
      })
      const first = yield* Effect.forkChild(accessToken(address, renew))
      yield* Deferred.await(begun)
      const longAgo = new Date(Date.now() - 600_000)
      utimesSync(`${tokenFile()}.lock`, longAgo, longAgo)
      const second = yield* Effect.forkChild(accessToken(address, renew))
      assert.isTrue(Option.isNone(yield* Effect.timeoutOption(Fiber.join(second), "300 millis")))
      yield* Deferred.succeed(answered, undefined)
      assert.deepStrictEqual([yield* Fiber.join(first), yield* Fiber.join(second)], ["a2", "a2"])
      assert.deepStrictEqual(used, ["r1"])
      assert.deepStrictEqual(readdirSync(directory), ["tokens.json"])
    })
  )
})

/** A server with one response to every request; returns its address. */
const responding = (status: number, body: object) =>
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createWebServer>>((resume) => {
      const made = createWebServer((_, response) => {
        response.writeHead(status, { "content-type": "application/json", connection: "close" })
        response.end(JSON.stringify(body))
      }).listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
    }),
    (made) => Effect.sync(() => made.close())
  ).pipe(
    Effect.map((server) => {
      const listening = server.address()
      return `http://127.0.0.1:${typeof listening === "object" ? listening?.port : ""}`
    })
  )

describe("a sign-in to a server whose tokens have no valid lifetime", () => {
  it.live("is refused, and the tokens for other servers can still be read", () =>
    Effect.gen(function* () {
      yield* configuration
      yield* storeTokens(address, { ...ended, expires_at: Date.now() + 900_000 })
      for (const expires_in of [Number.MAX_SAFE_INTEGER, -1]) {
        const data = { access_token: "a2", refresh_token: "r2", expires_in }
        const url = yield* responding(200, { data })
        const outcome = yield* Effect.exit(
          Effect.flatMap(signIn(url, "ada@example.com", "correct horse"), (tokens) =>
            storeTokens(url, tokens)
          )
        )
        assert.isTrue(Exit.isFailure(outcome))
        assert.strictEqual(yield* accessToken(address, () => Effect.never), "a1")
      }
    })
  )
})

describe("a sign-in that cannot be renewed", () => {
  const refusalOf = Effect.fnUntraced(function* (status: number, type: string) {
    yield* configuration
    const url = yield* responding(status, { error: { type, message: "Not now" } })
    yield* storeTokens(url, ended)
    return yield* Effect.flip(administer(url, "GET", "/users", { schema: Schema.Unknown }))
  })

  it.live("has ended if the server refuses the refresh token", () =>
    Effect.gen(function* () {
      const { message } = yield* refusalOf(401, "unauthenticated")
      assert.match(message, /^unauthenticated: The sign-in has ended\. .*livery login/u)
    })
  )

  it.live("has not ended if the server refuses every request for now", () =>
    Effect.gen(function* () {
      for (const [status, type] of [
        [429, "rate_limited"],
        [500, "server_error"]
      ] as const)
        assert.strictEqual((yield* refusalOf(status, type)).message, `${type}: Not now`)
    })
  )
})

describe("a request to a server", () => {
  it.effect("that never answers ends after 20 seconds", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      const limit = new AbortController()
      const limits = vi.spyOn(AbortSignal, "timeout").mockReturnValue(limit.signal)
      yield* Effect.addFinalizer(() => Effect.sync(() => limits.mockRestore()))
      const server = yield* Effect.acquireRelease(
        Effect.callback<ReturnType<typeof createServer>>((resume) => {
          const made = createServer((socket) => {
            socket.on("error", () => undefined)
            socket.once("data", () => Deferred.doneUnsafe(asked, Effect.void))
          }).listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
        }),
        (made) => Effect.sync(() => made.close())
      )
      const listening = server.address()
      const port = typeof listening === "object" ? listening?.port : undefined
      const request = requestTo(`http://127.0.0.1:${port}`, undefined)("POST", "/auth/refresh", {
        payload: {},
        schema: Schema.Unknown
      })
      const running = yield* Effect.forkChild(Effect.uninterruptible(request))
      yield* Deferred.await(asked)
      assert.deepStrictEqual(limits.mock.calls, [[20_000]])
      limit.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"))
      const refusal = yield* Effect.flip(Fiber.join(running))
      assert.match(refusal.message, /^unreachable: http:\S+ does not answer: /u)
    })
  )
})
