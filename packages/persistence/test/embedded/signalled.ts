// A program that waits for a signal: with work before its end, and with a watcher of the package signal-exit, in the order of
// the arguments.
import { Effect, Scope } from "effect"
import { onExit } from "signal-exit"
import { beforeEnd } from "../../src/embedded/EndingSignals.ts"

const say = (text: string) =>
  Effect.sync(() => {
    process.stdout.write(`${text}\n`)
  })

const steps: Readonly<Record<string, Effect.Effect<unknown>>> = {
  work: Effect.provideService(beforeEnd(say("closed")), Scope.Scope, Scope.makeUnsafe()),
  watcher: Effect.sync(() => onExit(() => Effect.runSync(say("watched"))))
}

for (const step of process.argv.slice(2)) await Effect.runPromise(steps[step] ?? Effect.void)
setInterval(() => undefined, 60_000)
Effect.runSync(say("ready"))
