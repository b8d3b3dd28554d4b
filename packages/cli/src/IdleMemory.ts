/**
 * Returns memory to the system while the process is idle. V8 sizes its heap by the machine's memory and collects lazily:
 * without this, a server keeps the memory that its start, or its busiest minute, once needed.
 */
import { Effect, Layer, Schedule } from "effect"
import v8 from "node:v8"
import vm from "node:vm"

type Collect = (options: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void

const exposed = (): Collect => {
  v8.setFlagsFromString("--expose-gc")
  const collect: Collect = vm.runInNewContext("gc")
  v8.setFlagsFromString("--no-expose-gc")
  return collect
}

const every = "10 seconds"

/** The process is idle if it used less than this part of a core over one interval. */
const restingLoad = 0.03

/** A collection pauses the process for some tens of milliseconds, so it runs only if memory grew by this many bytes. */
const worthwhile = 24 * 1024 * 1024

/** Collects once after the start, and then whenever the process is idle and its memory has grown. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const collect = exposed()
    let kept = 0
    let cpu = process.cpuUsage()
    const tidy = Effect.sync(() => {
      collect({ type: "major", execution: "sync", flavor: "last-resort" })
      kept = process.memoryUsage.rss()
    })
    yield* tidy
    yield* Effect.suspend(() => {
      const { system, user } = process.cpuUsage(cpu)
      cpu = process.cpuUsage()
      const resting = (system + user) / 10_000_000 < restingLoad
      return resting && process.memoryUsage.rss() - kept > worthwhile ? tidy : Effect.void
    }).pipe(Effect.repeat(Schedule.spaced(every)), Effect.forkScoped)
  })
)
