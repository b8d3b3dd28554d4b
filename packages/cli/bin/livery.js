#!/usr/bin/env node
// Livery runs on Node 24, which `npm ci` installs. If an older Node runs this file, it starts the installed Node 24, or
// reports that none is installed.
import { spawn } from "node:child_process"
import * as module from "node:module"
import { availableParallelism } from "node:os"
import { dirname, join } from "node:path"

const [major] = process.versions.node.split(".").map(Number)

// Without it, glibc keeps the 19 MB that each hash of a password takes, once per thread: 75 MB after 40 logins.
const mallocSetting = "MALLOC_MMAP_THRESHOLD_"
// This setting and the flags below take effect only when Node starts. A server therefore replaces its process by a new one,
// once.
const needsRestart =
  process.argv.includes("serve") && process.platform === "linux" && process.env[mallocSetting] === undefined

/**
 * The number of helper threads of V8. It leaves one core to the thread that handles requests: Node starts four on any
 * machine, and on two cores they make requests wait while they collect garbage.
 */
const helperThreads = Math.min(4, Math.max(1, availableParallelism() - 1))

if (major >= 24) {
  if (needsRestart && process.execve !== undefined) {
    const flags = [
      ...process.execArgv,
      // By default, V8 keeps 16 MB more for new objects. With half of this, the p99 of lists is twice as long.
      "--max-semi-space-size=16",
      // Otherwise V8 collects no garbage while the server starts, and holds 10 MB of it at rest.
      "--initial-old-space-size=48",
      // Otherwise garbage may grow to 1.5 times what is in use before all of it is collected, and V8 keeps that memory after a
      // burst.
      "--heap-growing-percent=50",
      `--v8-pool-size=${helperThreads}`,
      // Otherwise V8 allocates many objects of a request in its old generation, because others from the same code lived long.
      // Those are collected only with all old objects, which takes longer.
      "--no-allocation-site-pretenuring"
    ]
    process.execve(process.execPath, [process.execPath, ...flags, ...process.argv.slice(1)], {
      ...process.env,
      [mallocSetting]: String(4 * 1024 * 1024)
    })
  }
  // A short command spends most of its time on compiling. A server would only keep the files of the cache open.
  if (!process.argv.includes("serve")) module.enableCompileCache()
  // The reader of an output may end at any time (`| head`, a log shipper). The server continues.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined)
  const { rootHelp } = await import("../dist/usage/RootHelp.js")
  const help = rootHelp(process.argv.slice(2), process)
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
    process.stderr.write(
      `livery needs Node 24 or later; this is ${process.version}. \`npm install node@24\` installs one, which livery then uses\n`
    )
    process.exitCode = 2
  } else {
    // A signal to this process must reach the child, which does the work.
    const child = spawn(newer, process.argv.slice(1), { stdio: "inherit" })
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => child.kill(signal))
    child.on("exit", (code, signal) => {
      process.exitCode = code ?? (signal === null ? 1 : 128)
    })
  }
}
