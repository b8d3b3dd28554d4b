/**
 * Checks that each package could be published: `exports`, `bin`, `files` and types fit together, and programs can name
 * all types that the exports mention. Reads `dist`, so that it needs a build.
 */
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { existsSync, readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { unnamedTypes } from "./PublicTypes.ts"

interface Manifest extends Record<string, unknown> {
  readonly bin?: unknown
  readonly dependencies?: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>
}

let faults = 0
const license = readFileSync("LICENSE", "utf8")
for (const name of readdirSync("packages")) {
  const pkgDir = `packages/${name}`
  const { messages } = await publint({ pkgDir, strict: true })
  const pkg = JSON.parse(readFileSync(`${pkgDir}/package.json`, "utf8")) as Manifest
  for (const message of messages) {
    if (message.type === "suggestion") continue
    faults++
    process.stderr.write(`${pkgDir}: ${formatMessage(message, pkg) ?? message.code}\n`)
  }
  // npm packs the license of the package, not that of the repository.
  if (!existsSync(`${pkgDir}/LICENSE`) || readFileSync(`${pkgDir}/LICENSE`, "utf8") !== license) {
    faults++
    process.stderr.write(`${pkgDir}/LICENSE is not a copy of LICENSE\n`)
  }
  // An exact dependency of a library would give a program with another patch of Effect a second copy of it.
  if (pkg.bin === undefined && pkg.dependencies?.["effect"] !== undefined) {
    faults++
    process.stderr.write(`${pkgDir}: effect is a peer dependency of libraries\n`)
  }
  const entries = Object.values(pkg.exports).flatMap((entry) =>
    typeof entry === "string" ? [] : [join(pkgDir, entry.types)]
  )
  for (const type of unnamedTypes(entries)) {
    faults++
    process.stderr.write(`${type} is in the type of an export, but no entry exports it\n`)
  }
}
process.stdout.write(`publishable: ${faults} faults\n`)
process.exitCode = faults === 0 ? 0 : 1
