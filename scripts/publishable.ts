/** Checks that each package could be published: `exports`, `bin`, `files` and types fit together. */
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { readFileSync, readdirSync } from "node:fs"

let faults = 0
for (const name of readdirSync("packages")) {
  const pkgDir = `packages/${name}`
  const { messages } = await publint({ pkgDir, strict: true })
  const pkg = JSON.parse(readFileSync(`${pkgDir}/package.json`, "utf8")) as Record<string, unknown>
  for (const message of messages) {
    if (message.type === "suggestion") continue
    faults++
    process.stderr.write(`${pkgDir}: ${formatMessage(message, pkg) ?? message.code}\n`)
  }
}
process.stdout.write(`publishable: ${faults} faults\n`)
process.exitCode = faults === 0 ? 0 : 1
