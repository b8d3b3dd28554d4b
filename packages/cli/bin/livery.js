#!/usr/bin/env node
// Livery runs on Node 24. `npx livery` and `npm start` bring it along; called by an older Node, this finds the one
// that the project installed, or says what is missing.
import { spawn } from "node:child_process"
import * as module from "node:module"
import { dirname, join } from "node:path"

const [major] = process.versions.node.split(".").map(Number)

// These settings must be there before Node starts, so a server starts itself anew, in its own place and once
// (docs/benchmarks.md). Without the first, glibc keeps the 19 MB that each hash of a password takes, once per thread: 75 MB
// after 40 logins. Without the second, V8 keeps 16 MB more for new objects; with half of it, the p99 of lists is twice as
// long. Without the third, V8 collects no garbage while the server starts, and holds 10 MB of it at rest.
const mallocSetting = "MALLOC_MMAP_THRESHOLD_"
const needsRestart =
  process.argv.includes("serve") && process.platform === "linux" && process.env[mallocSetting] === undefined

if (major >= 24) {
  if (needsRestart && process.execve !== undefined) {
    const flags = [...process.execArgv, "--max-semi-space-size=16", "--initial-old-space-size=48"]
    process.execve(process.execPath, [process.execPath, ...flags, ...process.argv.slice(1)], {
      ...process.env,
      [mallocSetting]: String(4 * 1024 * 1024)
    })
  }
  // A short command spends most of its time on compiling; a server would only keep the cache's files open.
  if (!process.argv.includes("serve")) module.enableCompileCache()
  // The reader of an output may end at any time (`| head`, a log shipper): the server continues.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined)
  const { ownHelp } = await import("../dist/OwnHelp.js")
  const help = ownHelp(process.argv.slice(2), process)
  if (help === undefined) await import("../dist/main.js")
  else process.stdout.write(`${help}\n`)
} else {
  const newer = (() => {
    try {
      const manifest = module.createRequire(import.meta.url).resolve("node/package.json")
      return join(dirname(manifest), "bin", process.platform === "win32" ? "node.exe" : "node")
    } catch {
      return undefined
    }
  })()
  if (newer === undefined) {
    process.stderr.write(`livery needs Node 24 or later; this is ${process.version}\n`)
    process.exitCode = 2
  } else {
    // A signal to this process alone must reach the one that does the work.
    const child = spawn(newer, process.argv.slice(1), { stdio: "inherit" })
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => child.kill(signal))
    child.on("exit", (code, signal) => {
      process.exitCode = code ?? (signal === null ? 1 : 128)
    })
  }
}
