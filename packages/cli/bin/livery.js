#!/usr/bin/env node
// Livery runs on Node 24, which `npm ci` installs. If an older Node runs this file, it starts the installed Node 24, or
// reports that none is installed.
import { spawn } from "node:child_process"
import * as module from "node:module"
import { dirname, join } from "node:path"

const [major] = process.versions.node.split(".").map(Number)

if (major >= 24) {
  // A short command spends most of its time on compiling. A server would only keep the files of the cache open.
  if (!process.argv.includes("serve")) module.enableCompileCache()
  await import("../dist/bundle/livery.js")
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
