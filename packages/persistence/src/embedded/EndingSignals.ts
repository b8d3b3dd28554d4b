/**
 * Work before a signal ends the program. Node ends a program without a listener for a signal at once: no scope is closed, and a
 * child that was started detached runs on.
 */
import { Effect, Predicate } from "effect"

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const

const works = new Set<() => Promise<unknown>>()

/** The works of the first signal. Later signals wait for them too: a terminal and npm may each send the same signal. */
let ending: Promise<unknown> | undefined

/**
 * The listeners of the package signal-exit, which many packages of command lines use. They end the program unless it has other
 * listeners, which they take for the program's own: with this one, none of both would end it. Its versions 4 and 3 count their
 * listeners at these places.
 */
const watcherCount = (): number => {
  const emitters: ReadonlyArray<unknown> = [
    Reflect.get(globalThis, Symbol.for("signal-exit emitter")),
    Reflect.get(process, "__signal_exit_emitter__")
  ]
  return emitters
    .map((emitter) => (Predicate.hasProperty(emitter, "count") ? Number(emitter.count) : 0))
    .reduce((sum, count) => sum + count, 0)
}

const onSignal = (signal: NodeJS.Signals) => {
  // A program with a listener of its own ends in its own way, and closes its scopes.
  if (process.listenerCount(signal) > 1 + watcherCount()) return
  ending ??= Promise.allSettled([...works].map((work) => work()))
  void ending.then(() => {
    process.removeListener(signal, onSignal)
    process.kill(process.pid, signal)
  })
}

/** Runs the work on its own: the signal also ends the program that the work was given by. */
const runner = (work: Effect.Effect<unknown>) => () => Effect.runPromise(work)

/** Runs the work when a signal is about to end the program while the scope is open. Only then does the program end. */
export const beforeEnd = Effect.fnUntraced(function* (work: Effect.Effect<unknown>) {
  const run = runner(work)
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      if (works.size === 0) for (const signal of signals) process.on(signal, onSignal)
      works.add(run)
    }),
    () =>
      Effect.sync(() => {
        works.delete(run)
        if (works.size === 0) for (const signal of signals) process.removeListener(signal, onSignal)
      })
  )
})
