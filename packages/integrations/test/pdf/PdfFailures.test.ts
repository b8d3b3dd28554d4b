import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Worker } from "node:worker_threads"
import { long, usual } from "./Samples.ts"
import { rendererWith } from "./Renderers.ts"

describe("the failure of an invoice's PDF", () => {
  it.live("of one invoice is reported, and the next one is drawn", () =>
    Effect.gen(function* () {
      const renderer = yield* rendererWith()
      const broken = yield* Effect.flip(renderer.render({ ...usual, issued_on: "someday" }))
      assert.strictEqual(broken._tag, "PdfUnavailable")
      const line = usual.lines[0] ?? assert.fail("no line")
      const endless = { ...usual, lines: Array.from({ length: 2001 }, () => line) }
      assert.include((yield* Effect.flip(renderer.render(endless))).message, "more than 2000 lines")
      assert.strictEqual((yield* renderer.render(usual)).pages, 1)
    })
  )

  it.live("by time ends the thread, and the next invoice gets another", () =>
    Effect.gen(function* () {
      const renderer = yield* rendererWith({ timeout: "1 millis" })
      const late = yield* Effect.flip(renderer.render(long(2000)))
      assert.include(late.message, "it took too long")
      const next = yield* rendererWith({ idle: "0 millis" })
      assert.strictEqual((yield* next.render(usual)).pages, 1)
      assert.strictEqual((yield* next.render(usual)).pages, 1)
    })
  )

  it.live("is tried again on another thread at once, if the thread ended by an error while it was idle", () =>
    Effect.gen(function* () {
      const answer = `{ _tag: "done", result: { bytes: Uint8Array.of(threadId), pages: 1, missing: [], logo: "none" } }`
      const code = `
        import { parentPort, threadId } from "node:worker_threads"
        parentPort.on("message", () => {
          parentPort.postMessage(${answer})
          setTimeout(() => { throw new Error("too late") }, 20)
        })`
      const program = new URL(`data:text/javascript,${encodeURIComponent(code)}`)
      const threads: Array<Worker> = []
      const ended = Promise.withResolvers<void>()
      const watch = (thread: Worker) => {
        threads.push(thread)
        thread.once("exit", () => ended.resolve())
      }
      process.on("worker", watch)
      yield* Effect.addFinalizer(() => Effect.sync(() => process.off("worker", watch)))
      const renderer = yield* rendererWith({ program })
      const first = yield* renderer.render(usual)
      yield* Effect.promise(() => ended.promise)
      const second = yield* renderer.render(usual)
      assert.notDeepEqual(second.bytes, first.bytes)
      assert.lengthOf(threads, 2)
    })
  )

  it.live("of an interrupted request does not reach the next one", () =>
    Effect.gen(function* () {
      const renderer = yield* rendererWith()
      yield* Effect.timeoutOption(renderer.render(long(300)), "5 millis")
      assert.strictEqual((yield* renderer.render(usual)).pages, 1)
    })
  )

  it.live("fails at once if too many wait already", () =>
    Effect.gen(function* () {
      const renderer = yield* rendererWith({ waiting: 1 })
      const results = yield* Effect.forEach([1, 2, 3], () => Effect.result(renderer.render(usual)), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        results.map(({ _tag }) => _tag),
        ["Success", "Success", "Failure"]
      )
    })
  )
})
