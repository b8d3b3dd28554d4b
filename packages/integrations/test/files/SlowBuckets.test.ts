import { FileStore } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { Cause, type Duration, Effect, Exit, Fiber, Layer, Option, Schedule, Stream } from "effect"
import { TestClock } from "effect/testing"
import { vi } from "vitest"
import { S3Files } from "@livery/integrations"
import { answering, bucketOf, dripping, type Manner, resetting, silent } from "./SlowBuckets.ts"

const name = "a".repeat(40)

/** Large files are sent after the bucket's 100 Continue. */
const sizes = [1, 3 * 1024 * 1024]

const opened = Effect.fnUntraced(function* (manner: Manner, timeout: Duration.Input = "300 millis") {
  const bucket = yield* bucketOf(manner)
  const timeouts = { timeout, removalTimeout: "200 millis" } as const
  const context = yield* Layer.build(S3Files.layer({ ...bucket.options, ...timeouts }))
  return { ...bucket, files: yield* Effect.provide(FileStore, context) }
})

const refusal = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isFailure(exit) ? Option.getOrUndefined(Cause.findErrorOption(exit.cause)) : undefined

const everyoneGone = ({ open }: { readonly open: () => number }) =>
  Effect.suspend(() =>
    open() === 0 ? Effect.void : Effect.fail(`${open()} connections are left open`)
  ).pipe(Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 1000 }))

// The response would take minutes.
const deaf = dripping(`HTTP/1.1 200 OK\r\nX-Slow: ${"z".repeat(10_000)}\r\nContent-Length: 0\r\n\r\n`)

const headOf = (length: number) =>
  `HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: ${length}\r\n\r\n`

describe("a bucket that", () => {
  for (const [manner, how] of [
    [silent, "never answers"],
    [deaf, "responds a byte at a time"]
  ] as const)
    it.live(
      `${how} is given up at the timeout, for a write, a read and a removal, and its connection closed`,
      () =>
        Effect.gen(function* () {
          const warnings = vi.spyOn(globalThis.console, "warn")
          const bucket = yield* opened(manner)
          const { files } = bucket
          for (const size of sizes) {
            const exit = yield* Effect.exit(files.write(name, new Uint8Array(size), "image/png"))
            assert.deepInclude(refusal(exit), { _tag: "FilesUnavailable" }, `${size} bytes`)
          }
          for (const request of [files.read(name), files.remove(name)]) {
            const exit = yield* Effect.exit(request)
            assert.deepInclude(refusal(exit), { _tag: "FilesUnavailable" })
          }
          yield* everyoneGone(bucket)
          assert.isEmpty(warnings.mock.calls)
          warnings.mockRestore()
        })
    )

  it.live("resets connections is retried until the timeout", () =>
    Effect.gen(function* () {
      const { connections, files } = yield* opened(resetting, "30 seconds")
      const exit = yield* Effect.exit(files.write(name, new Uint8Array(1), "image/png"))
      assert.deepInclude(refusal(exit), { _tag: "FilesUnavailable" })
      assert.isAbove(connections(), 1)
    })
  )

  it.live("resets the first connection stores the file at the second attempt", () =>
    Effect.gen(function* () {
      const well = answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
      const { connections, files } = yield* opened(
        (socket, number) => (number === 1 ? resetting(socket, number) : well(socket, number)),
        "30 seconds"
      )
      yield* files.write(name, new Uint8Array(1), "image/png")
      assert.strictEqual(connections(), 2)
    })
  )

  it.live("refuses permanently dies, and is not retried", () =>
    Effect.gen(function* () {
      const { connections, files } = yield* opened(
        answering("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
        "30 seconds"
      )
      const exit = yield* Effect.exit(files.write(name, new Uint8Array(1), "image/png"))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
      assert.strictEqual(connections(), 1)
    })
  )

  it.live("sends a file too slowly is abandoned", () =>
    Effect.gen(function* () {
      const bucket = yield* opened((socket, number) => {
        socket.write(headOf(1000))
        dripping("z".repeat(1000))(socket, number)
      })
      // On a slow machine, the first bytes may come too late: then the file is read again.
      const found = yield* Effect.flatMap(Effect.eventually(bucket.files.read(name)), Effect.fromOption)
      const exit = yield* Effect.exit(Stream.runDrain(found))
      assert.deepInclude(refusal(exit), { _tag: "FileUnreadable" })
      yield* everyoneGone(bucket)
    })
  )

  it.effect("sends a file in time is not abandoned, however slowly the file is read", () =>
    Effect.gen(function* () {
      const hour = 3_600_000
      const machine = vi.spyOn(performance, "now")
      yield* Effect.addFinalizer(() => Effect.sync(() => machine.mockRestore()))
      const sendRest: Array<() => void> = []
      const { files } = yield* opened((socket) => {
        socket.once("data", () => socket.write(`${headOf(10)}0`))
        sendRest.push(() => socket.write("123456789"))
      }, "30 seconds")
      const found = yield* Effect.flatMap(files.read(name), Effect.fromOption)
      const chunks: Array<string> = []
      yield* Stream.runForEach(found, (chunk) =>
        Effect.gen(function* () {
          chunks.push(new TextDecoder().decode(chunk))
          if (chunks.length > 1) return
          const now = performance.now() + hour
          machine.mockReturnValue(now)
          yield* TestClock.adjust(hour)
          for (const send of sendRest) send()
        })
      )
      assert.deepStrictEqual(chunks, ["0", "123456789"])
    })
  )

  it.live("never responds does not delay an interruption", () =>
    Effect.gen(function* () {
      const bucket = yield* bucketOf(silent)
      // An interruption that waited for the request would never end.
      const timeouts = { timeout: "1 day", removalTimeout: "1 day" } as const
      const context = yield* Layer.build(S3Files.layer({ ...bucket.options, ...timeouts }))
      const files = yield* Effect.provide(FileStore, context)
      const writing = yield* Effect.forkChild(files.write(name, new Uint8Array(1), "image/png"))
      yield* Effect.suspend(() => (bucket.open() > 0 ? Effect.void : Effect.fail("no connection came"))).pipe(
        Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 2500 })
      )
      yield* Fiber.interrupt(writing)
      yield* everyoneGone(bucket)
    })
  )
})
