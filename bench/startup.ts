/**
 * Measures the time until `livery serve` is ready, its memory at rest, and the time of the help of each command: the built
 * executable on an empty directory, then on the same one again.
 *
 *     npm run bench:startup -- [rounds] [directory]
 *
 * The data goes below `directory`, by default the one for temporary files, and is removed only at the end: ext4 does
 * not reuse the inodes of files that were deleted within the last minutes, and looks for others one by one. Creating the
 * thousand files of a cluster where as many were just deleted therefore takes a second of the kernel's time instead of a
 * tenth.
 */
import { execFileSync, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"

const rounds = Number(process.argv[2] ?? 5)
const below = process.argv[3] ?? tmpdir()
const executable = join(import.meta.dirname, "..", "packages/cli/bin/livery.js")

/** Milliseconds until `/health/ready` says 200, then megabytes resident after three seconds of rest. */
const start = async (directory: string) => {
  const began = performance.now()
  const server = spawn(process.execPath, [executable, "serve"], {
    env: { ...process.env, PORT: "0", LIVERY_DATA_DIR: directory, DATABASE_URL: "" },
    stdio: ["ignore", "pipe", "ignore"]
  })
  const address = await new Promise<string>((resolve, reject) => {
    let said = ""
    server.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString()
      const found = /(http:\S+)\/api\/v1/u.exec(said)?.[1]
      if (found !== undefined) resolve(found)
    })
    server.on("exit", () => reject(new Error("livery stopped before it was ready")))
  })
  const { status } = await fetch(`${address}/health/ready`)
  const ready = performance.now() - began
  if (status !== 200) throw new Error(`/health/ready says ${status}`)
  await pause(3000)
  const resident =
    Number(/VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1]) / 1024
  server.removeAllListeners("exit")
  const gone = new Promise((resolve) => server.on("exit", resolve))
  server.kill("SIGTERM")
  await gone
  return { ready, resident }
}

const reported = (values: ReadonlyArray<number>, unit: string) => {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]?.toFixed(0)
  return `median ${at(0.5)} ${unit}, worst ${at(1)} ${unit}`
}

const fresh: Array<number> = []
const existing: Array<number> = []
const resident: Array<number> = []
const directories: Array<string> = []
try {
  for (let round = 0; round < rounds; round++) {
    const directory = mkdtempSync(join(below, "livery-bench-"))
    directories.push(directory)
    const first = await start(directory)
    const second = await start(directory)
    fresh.push(first.ready)
    existing.push(second.ready)
    resident.push(first.resident, second.resident)
  }
} finally {
  for (const directory of directories) rmSync(directory, { recursive: true })
}
const pages = JSON.parse(
  readFileSync(join(import.meta.dirname, "..", "packages/cli/dist/bundle/help.json"), "utf8")
) as Readonly<Record<string, string>>
const help = Object.keys(pages).map((line) => {
  const began = performance.now()
  execFileSync(process.execPath, [executable, ...line.split(" ")])
  return performance.now() - began
})

process.stdout.write(
  `ready on an empty directory:     ${reported(fresh, "ms")}\n` +
    `ready on an existing directory:  ${reported(existing, "ms")}\n` +
    `resident at rest (Node alone):   ${reported(resident, "MB")}\n` +
    `help of a command:              ${reported(help, "ms")}\n`
)
