import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import { setImmediate } from "node:timers/promises"
import { Worker } from "node:worker_threads"
import { WebhookSender } from "../../src/WebhookSender.ts"

const resettingReceiver = Effect.acquireRelease(
  Effect.promise(async () => {
    const counts = new Int32Array(new SharedArrayBuffer(12))
    const worker = new Worker(new URL("./ResettingReceiver.ts", import.meta.url), {
      workerData: counts.buffer
    })
    const [port] = (await once(worker, "message")) as [number]
    return {
      worker,
      url: `http://127.0.0.1:${port}/`,
      isUsedAgain: () => Atomics.load(counts, 1) > Atomics.load(counts, 2),
      /** Resets all connections, before this process gets to see any of it. */
      reset: () => {
        worker.postMessage("reset", [])
        Atomics.wait(counts, 0, 0, 10_000)
      }
    }
  }),
  ({ worker }) => Effect.promise(() => worker.terminate())
)

it.live(
  "a POST that begins as its connection is reset goes over another, and so does one that begins as that is seen",
  () =>
    Effect.gen(function* () {
      const { isUsedAgain, reset, url } = yield* resettingReceiver
      const send = WebhookSender.use((sender) => sender.send({ url, headers: {}, body: "{}" }))
      yield* Effect.repeat(send, { until: isUsedAgain, times: 1_000 })
      assert.isTrue(isUsedAgain())
      yield* Effect.promise(() => setImmediate())
      reset()
      // In a row, each from within the end of the one before.
      const outcomes = [yield* send, yield* send, yield* send]
      assert.deepStrictEqual(
        outcomes.map(({ error }) => error),
        [null, null, null]
      )
    }).pipe(Effect.provide(WebhookSender.layer({ allowInsecure: true })))
)
