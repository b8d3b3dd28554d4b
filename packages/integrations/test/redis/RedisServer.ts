/** Debian's `redis-server`, for tests: on a free port of the loopback, in memory, and gone with the scope. */
import { Effect, Redacted, Schedule } from "effect"
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { connect } from "node:net"
import { fixedPort } from "../../../../test/support/FixedPort.ts"

const isThere = () => {
  try {
    execFileSync("redis-server", ["--version"])
    return true
  } catch {
    return false
  }
}

/** Whether this machine has one. */
export const redisIsThere = isThere()

const answers = (port: number) =>
  Effect.callback<void, Error>((resume) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("error", (error) => resume(Effect.fail(error)))
    socket.once("data", () => {
      socket.destroy()
      resume(Effect.void)
    })
    socket.write("PING\r\n")
  })

/** A server that can be stopped, halted and started again on its port. */
export const redisServer = Effect.gen(function* () {
  const port = yield* Effect.promise(fixedPort)
  let child: ChildProcess | undefined
  const end = Effect.promise(async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill("SIGCONT")
    child.kill("SIGKILL")
    await once(child, "exit")
  })
  const start = Effect.gen(function* () {
    const started = spawn(
      "redis-server",
      ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
      { stdio: "ignore" }
    )
    child = started
    // An aborted test runs no finalizer.
    process.once("exit", () => started.kill("SIGKILL"))
    yield* Effect.retry(answers(port), { schedule: Schedule.spaced("20 millis"), times: 250 })
  })
  yield* Effect.addFinalizer(() => end)
  return {
    url: Redacted.make(`redis://127.0.0.1:${port}`),
    start: Effect.orDie(start),
    end,
    signal: (signal: "SIGSTOP" | "SIGCONT") => Effect.sync(() => child?.kill(signal))
  }
})
