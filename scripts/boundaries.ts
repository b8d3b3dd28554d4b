/**
 * Checks what each package may import, the order of the modules within a folder (`ModuleOrder.ts`), and that each
 * service of the domain has a file of its own name.
 * TypeScript's project references do not reject a forbidden import under npm workspaces.
 */
import { globSync, readFileSync } from "node:fs"
import { builtinModules } from "node:module"
import { basename, dirname, join } from "node:path"
import { orderFault, orders } from "./ModuleOrder.ts"

const packages = [
  "domain",
  "http-adapter",
  "memory",
  "persistence",
  "webhooks",
  "integrations",
  "stripe-emulator",
  "client",
  "cli"
] as const
type Package = (typeof packages)[number]

/**
 * What the domain may import: the modules that Effect keeps stable, two encodings, and the numbering plans of telephones
 * (docs/engineering/0028-telephone-numbers.md).
 */
const importedByDomain =
  /^effect(\/(Schema|Effect|Layer|Context|Option|Duration|DateTime|Clock|Random|encoding\/(Base64Url|Hex)))?$|^libphonenumber-js\/min$/

const rules: Record<Package, (specifier: string) => boolean> = {
  domain: (s) => importedByDomain.test(s),
  "http-adapter": (s) => !s.startsWith("@livery/") || s === "@livery/domain",
  memory: (s) => !s.startsWith("@livery/") || s === "@livery/domain",
  persistence: (s) => !s.startsWith("@livery/") || s === "@livery/domain",
  webhooks: (s) => !s.startsWith("@livery/") || s === "@livery/domain",
  integrations: (s) => !s.startsWith("@livery/") || s === "@livery/domain",
  "stripe-emulator": (s) => !s.startsWith("@livery/"),
  // It runs in browsers, and brings nothing along.
  client: () => false,
  cli: () => true
}

/** The contract of the HTTP API, which the handlers of every module implement. */
const contract = "packages/http-adapter/src/Api.ts"

const importing = /\b(?:from|import)\s*\(?\s*["']([^"']+)["']/g

const declared = (name: Package): ReadonlySet<string> => {
  const manifest = JSON.parse(readFileSync(`packages/${name}/package.json`, "utf8")) as Record<
    string,
    Record<string, string> | undefined
  >
  return new Set([
    ...Object.keys(manifest["dependencies"] ?? {}),
    ...Object.keys(manifest["optionalDependencies"] ?? {}),
    ...Object.keys(manifest["peerDependencies"] ?? {})
  ])
}

const packageOf = (specifier: string) =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/")

/** The faults of an import by the order of each folder that both files are in. */
const orderFaults = (file: string, imported: string) =>
  Object.entries(orders).flatMap(([path, order]) => {
    const folder = `packages/${path}/`
    if (!file.startsWith(folder) || !imported.startsWith(folder)) return []
    const fault = orderFault(order, file.slice(folder.length), imported.slice(folder.length))
    return fault === undefined ? [] : [`${file}: ${fault}`]
  })

const faults: Array<string> = []
let files = 0
for (const name of packages) {
  const own = declared(name)
  for (const file of globSync(`packages/${name}/src/**/*.ts`)) {
    files++
    for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(importing)) {
      if (specifier.startsWith(".")) {
        if (!specifier.endsWith(".ts")) faults.push(`${file}: ${specifier} lacks its .ts`)
        const imported = join(dirname(file), specifier)
        if (imported !== contract) faults.push(...orderFaults(file, imported))
        continue
      }
      const builtin = specifier.startsWith("node:") || builtinModules.includes(specifier)
      if ((name === "domain" && builtin) || !rules[name](specifier))
        faults.push(`${file}: ${name} may not import ${specifier}`)
      else if (!builtin && !own.has(packageOf(specifier)))
        faults.push(`${file}: ${specifier} is not a dependency of @livery/${name}`)
    }
  }
}

// Each service and each setting of the domain is found by its name.
const services = /(?:class|const) (\w+)(?:: [^=]*)?\s+(?:extends|=) Context\.(?:Service|Reference)/g
for (const file of globSync("packages/domain/src/**/*.ts"))
  for (const [, service = ""] of readFileSync(file, "utf8").matchAll(services))
    if (basename(file) !== `${service}.ts`) faults.push(`${file}: ${service} belongs in ${service}.ts`)

// Clients import the contract, so that no file which it reaches may serve HTTP or need Node.
const serving = /^(?:node:|effect\/http$|@effect\/platform)/
const importedValues = /^(?:import|export)\s+(?!type\b)[^"']*?from\s*["']([^"']+)["']/gm

const reached = new Set([contract])
for (const file of reached) {
  for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(importedValues)) {
    if (specifier.startsWith(".")) reached.add(join(dirname(file), specifier))
    else if (serving.test(specifier))
      faults.push(`${file}: the contract reaches it, so it may not import ${specifier}`)
  }
}

if (files === 0) faults.push("no source file found: run from the project's root")
for (const fault of faults) process.stderr.write(`${fault}\n`)
process.stdout.write(`boundaries: ${files} files, ${faults.length} faults\n`)
process.exitCode = faults.length === 0 ? 0 : 1
