/** Starts the thread that draws invoices, and exchanges messages with it. */
import { Data, Effect, type Scope } from "effect"
import { Worker } from "node:worker_threads"
import type { DrawnInvoice } from "./DrawInvoice.ts"
import type { InvoiceSheet } from "./InvoiceSheet.ts"
import type { RenderAnswer } from "./RenderWorker.ts"

/** The thread failed or ended; if `broken`, it draws nothing more. */
class RenderFailed extends Data.TaggedError("RenderFailed")<{
  readonly reason: string
  readonly broken: boolean
}> {}

/** A thread. It draws one sheet at a time. */
export interface RenderThread {
  readonly draw: (sheet: InvoiceSheet) => Effect.Effect<DrawnInvoice, RenderFailed>
}

/** The thread's program, beside this file, as source or compiled. */
const program = import.meta.url.endsWith(".ts")
  ? new URL("./RenderWorker.ts", import.meta.url)
  : new URL("./RenderWorker.js", import.meta.url)

/** A thread that ends with the scope. While it has nothing to draw, it does not keep the process alive. */
export const startRenderThread: Effect.Effect<RenderThread, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => {
    const worker = new Worker(program, {
      name: "livery-pdf",
      resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 }
    })
    worker.unref()
    return worker
  }),
  (worker) => Effect.promise(() => worker.terminate())
).pipe(
  Effect.map((worker) => ({
    draw: (sheet) =>
      Effect.callback<DrawnInvoice, RenderFailed>((resume) => {
        const finish = (result: Effect.Effect<DrawnInvoice, RenderFailed>) => {
          worker.off("message", onMessage).off("error", onError).off("exit", onExit).unref()
          resume(result)
        }
        const fail = (reason: string, broken: boolean) =>
          finish(Effect.fail(new RenderFailed({ reason, broken })))
        const onMessage = (answer: RenderAnswer) =>
          answer._tag === "drawn" ? finish(Effect.succeed(answer.drawn)) : fail(answer.reason, false)
        const onError = (error: Error) => fail(error.message, true)
        const onExit = () => fail("the thread ended", true)
        worker.on("message", onMessage).on("error", onError).on("exit", onExit).ref()
        worker.postMessage(sheet, [])
      })
  }))
)
