import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import { setImmediate } from "node:timers/promises"
import { Worker } from "node:worker_threads"
import { send } from "../../support/Send.ts"
import { WebhookSender } from "../../../src/posting/WebhookSender.ts"

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
      /** Resets all connections before this process can notice. */
      reset: () => {
        worker.postMessage("reset", [])
        Atomics.wait(counts, 0, 0, 20_000)
      }
    }
  }),
  ({ worker }) => Effect.promise(() => worker.terminate())
)

// The clock stands still, so that a POST takes another connection on a slow machine too.
it.effect(
  "a POST that starts while its connection is reset goes over another, and so does one that starts when the reset is noticed",
  () =>
    Effect.gen(function* () {
      const { isUsedAgain, reset, url } = yield* resettingReceiver
      const post = send({ url, headers: {}, body: "{}" })
      yield* Effect.repeat(post, { until: isUsedAgain, times: 10_000 })
      assert.isTrue(isUsedAgain())
      yield* Effect.promise(() => setImmediate())
      reset()
      // Each starts within the end of the one before.
      const outcomes = [yield* post, yield* post, yield* post]
      assert.deepStrictEqual(
        outcomes.map(({ error }) => error),
        [null, null, null]
      )
    }).pipe(
      Effect.provide(
        WebhookSender.layer({ allowInsecure: true, connectTimeout: "1 hour", timeout: "1 hour" })
      )
    )
)
