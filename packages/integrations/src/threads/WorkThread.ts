/** Starts a thread for work that would block requests, and exchanges messages with it. */
import { Data, Effect, type Scope } from "effect"
import { Worker } from "node:worker_threads"

/** The thread's message for each piece of work, in order. */
export type WorkAnswer<Result> =
  | { readonly _tag: "done"; readonly result: Result }
  | { readonly _tag: "failed"; readonly reason: string }

/** A piece of work was not done. */
export class WorkFailed extends Data.TaggedError("WorkFailed")<{
  readonly reason: string
  /** Whether the thread has ended, and does nothing more. */
  readonly broken: boolean
  /** Whether the thread had ended before it got the work: another thread may do it. */
  readonly unsent: boolean
}> {}

/** A thread. It does one piece of work at a time. */
export interface WorkThread<Work, Result> {
  readonly run: (work: Work) => Effect.Effect<Result, WorkFailed>
}

/** How a thread is started. */
export interface WorkThreadOptions {
  /** The thread's program, an ES module. */
  readonly program: URL
  /** The name of the thread for the operating system. */
  readonly name: string
  /** The memory of the thread, in MB. */
  readonly memory: number
}

/** The program of a thread that lies beside the module at `url` as source or compiled. */
export const programBeside = (url: string, name: string): URL =>
  new URL(`./${name}.${url.endsWith(".ts") ? "ts" : "js"}`, url)

/**
 * A thread of a program, which ends with the scope. While it has no work, it does not keep the process alive. A program in
 * TypeScript imports the sources of Livery's packages.
 */
export const startWorkThread = <Work, Result>({
  memory,
  name,
  program
}: WorkThreadOptions): Effect.Effect<WorkThread<Work, Result>, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const worker = new Worker(program, {
        name,
        resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: 8 },
        ...(program.pathname.endsWith(".ts")
          ? { execArgv: [...process.execArgv, "--conditions=@livery/source"] }
          : {})
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
        run: (work) =>
          Effect.callback<Result, WorkFailed>((resume) => {
            if (state.end !== undefined) {
              resume(Effect.fail(new WorkFailed({ reason: state.end, broken: true, unsent: true })))
              return
            }
            const finish = (result: Effect.Effect<Result, WorkFailed>) => {
              worker.off("message", onMessage).off("error", onEnd).off("exit", onEnd).unref()
              resume(result)
            }
            const fail = (reason: string, broken: boolean) =>
              finish(Effect.fail(new WorkFailed({ reason, broken, unsent: false })))
            const onMessage = (answer: WorkAnswer<Result>) =>
              answer._tag === "done" ? finish(Effect.succeed(answer.result)) : fail(answer.reason, false)
            const onEnd = () => fail(state.end ?? "the thread ended", true)
            worker.on("message", onMessage).on("error", onEnd).on("exit", onEnd).ref()
            worker.postMessage(work, [])
          })
      }
    })
  )
