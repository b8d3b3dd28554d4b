import { assert, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

const program = fileURLToPath(new URL("signalled.ts", import.meta.url))

/** How a program of these steps ends by SIGTERM, and what it says before. */
const ended = async (steps: ReadonlyArray<string>) => {
  const child = spawn(process.execPath, [program, ...steps], { stdio: ["ignore", "pipe", "inherit"] })
  try {
    let said = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text
      if (text.includes("ready")) child.kill("SIGTERM")
    })
    const [, signal] = await once(child, "close")
    return [signal, ...said.trim().split("\n").slice(1)]
  } finally {
    child.kill("SIGKILL")
  }
}

it.each([
  { steps: ["work"], said: ["closed"] },
  { steps: ["work", "watcher"], said: ["closed", "watched"] },
  { steps: ["watcher", "work"], said: ["closed", "watched"] }
])(
  "a signal ends a program after its work, also beside the package signal-exit: $steps",
  async ({ said, steps }) => {
    assert.deepStrictEqual(await ended(steps), ["SIGTERM", ...said])
  }
)
