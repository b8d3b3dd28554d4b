/**
 * Linux divides the processors between sessions, and the time of a session between its processes (autogroup). Each process of
 * PostgreSQL is a session of its own. On a busy machine, such a process was ready and did not run for up to half a second, while the
 * others did, and with it waited all requests that needed its result or its locks. Processes in a control group (those of systemd and of
 * containers) are not divided so; the benchmarks therefore switch it off while they run.
 */
import { Effect } from "effect"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { report } from "./webhooks/Figures.ts"

const setting = "/proc/sys/kernel/sched_autogroup_enabled"

const isOn = () => existsSync(setting) && readFileSync(setting, "utf8").trim() === "1"

const switchOff = (): boolean => {
  if (!isOn()) return false
  try {
    writeFileSync(setting, "0")
    report(
      "The processors are divided between processes, not between sessions (kernel.sched_autogroup_enabled=0)."
    )
    return true
  } catch (cause) {
    report(
      `Waits may be too long: Linux divides the processors between sessions, and that cannot be changed (${String(cause)}). ` +
        "As root: sysctl kernel.sched_autogroup_enabled=0"
    )
    return false
  }
}

/** Switches the division between sessions off until the scope ends; says so, or that it cannot. */
export const withoutSessionGroups = Effect.acquireRelease(Effect.sync(switchOff), (wasOn) =>
  Effect.sync(() => {
    if (wasOn) writeFileSync(setting, "1")
  })
)
