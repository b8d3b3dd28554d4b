/** Starts the thread that draws invoices, and exchanges messages with it. */
import { Data, Effect, type Scope } from "effect"
import { Worker } from "node:worker_threads"
import type { DrawnInvoice } from "./DrawInvoice.ts"
import type { InvoiceSheet } from "./InvoiceSheet.ts"
import type { RenderAnswer } from "./RenderWorker.ts"

/** A sheet was not drawn. */
class RenderFailed extends Data.TaggedError("RenderFailed")<{
  readonly reason: string
  /** Whether the thread has ended, and draws nothing more. */
  readonly broken: boolean
  /** Whether the thread had ended before it got the sheet: another thread may draw the sheet. */
  readonly unsent: boolean
}> {}

/** A thread. It draws one sheet at a time. */
export interface RenderThread {
  readonly draw: (sheet: InvoiceSheet) => Effect.Effect<DrawnInvoice, RenderFailed>
}

/** The thread's program, beside this file, as source or compiled. */
export const renderProgram = import.meta.url.endsWith(".ts")
  ? new URL("./RenderWorker.ts", import.meta.url)
  : new URL("./RenderWorker.js", import.meta.url)

/**
 * A thread of a program, which ends with the scope. While it has nothing to draw, it does not keep the process alive.
 */
export const startRenderThread = (program: URL): Effect.Effect<RenderThread, never, Scope.Scope> =>
  Effect.acquireRelease(
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
    Effect.map((worker) => {
      // Without a listener for errors, an error of the idle thread would end the process.
      const state: { end?: string } = {}
      worker
        .on("error", ({ message }) => {
          state.end ??= message
        })
        .on("exit", () => {
          state.end ??= "the thread ended"
        })
      return {
        draw: (sheet) =>
          Effect.callback<DrawnInvoice, RenderFailed>((resume) => {
            if (state.end !== undefined) {
              resume(Effect.fail(new RenderFailed({ reason: state.end, broken: true, unsent: true })))
              return
            }
            const finish = (result: Effect.Effect<DrawnInvoice, RenderFailed>) => {
              worker.off("message", onMessage).off("error", onEnd).off("exit", onEnd).unref()
              resume(result)
            }
            const fail = (reason: string, broken: boolean) =>
              finish(Effect.fail(new RenderFailed({ reason, broken, unsent: false })))
            const onMessage = (answer: RenderAnswer) =>
              answer._tag === "drawn" ? finish(Effect.succeed(answer.drawn)) : fail(answer.reason, false)
            const onEnd = () => fail(state.end ?? "the thread ended", true)
            worker.on("message", onMessage).on("error", onEnd).on("exit", onEnd).ref()
            worker.postMessage(sheet, [])
          })
      }
    })
  )
