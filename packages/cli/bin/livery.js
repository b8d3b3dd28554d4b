#!/usr/bin/env node
// Livery runs on Node 24. `npx livery` and `npm start` bring it along; called by an older Node, this finds the one
// that the project installed, or says what is missing.
import { spawn } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const [major] = process.versions.node.split(".").map(Number)

// glibc keeps the 19 MB that each hash of a password takes, once per thread, unless it is told at the very start of a
// process to give such pieces back. So a server starts itself anew, in its own place and once.
const giveBack = "MALLOC_MMAP_THRESHOLD_"
const keepsMemory =
  process.argv.includes("serve") && process.platform === "linux" && process.env[giveBack] === undefined

if (major >= 24) {
  if (keepsMemory && process.execve !== undefined) {
    process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
      ...process.env,
      [giveBack]: String(4 * 1024 * 1024)
    })
  }
  await import("../dist/main.js")
} else {
  const newer = (() => {
    try {
      const manifest = createRequire(import.meta.url).resolve("node/package.json")
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
