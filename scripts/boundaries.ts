/**
 * Checks what each package may import, the order of the modules within a folder (`ModuleOrder.ts`), and that each
 * service of the domain has a file of its own name.
 * TypeScript's project references do not reject a forbidden import under npm workspaces.
 */
import { globSync, readdirSync, readFileSync } from "node:fs"
import { builtinModules } from "node:module"
import { basename, dirname, join } from "node:path"
import { orderFault, orders } from "./ModuleOrder.ts"

/**
 * What the domain may import: the modules that Effect keeps stable, three encodings, and the numbering plans of telephones
 * (docs/engineering/0028-telephone-numbers.md).
 */
const importedByDomain =
  /^effect(\/(Schema|Effect|Layer|Context|Option|Duration|DateTime|Clock|Random|encoding\/(Base64|Base64Url|Csv|Hex)))?$|^libphonenumber-js\/min$/

interface Rule {
  /** The entries of the project's packages that the package may import. */
  readonly own: ReadonlyArray<string>
  /** All else that it may import. */
  readonly others: RegExp
}

const anything = /./

/** The table of permitted imports between packages. */
const rules = {
  domain: { own: [], others: importedByDomain },
  // Browsers bundle the contract: it has the records of the domain, no use case and no server.
  contract: { own: ["@livery/domain/records"], others: /^effect(\/http-api)?$/ },
  "http-adapter": { own: ["@livery/domain", "@livery/contract"], others: anything },
  memory: { own: ["@livery/domain"], others: anything },
  persistence: { own: ["@livery/domain"], others: anything },
  webhooks: { own: ["@livery/domain"], others: anything },
  // The threads that draw and plan load only these parts of the domain.
  integrations: {
    own: ["@livery/domain", "@livery/domain/fonts", "@livery/domain/planning"],
    others: anything
  },
  "stripe-emulator": { own: [], others: anything },
  // The client brings nothing along.
  client: { own: [], others: /(?!)/ },
  // Bundled for browsers: what the pages need of the server, the public API has.
  pages: {
    own: ["@livery/client"],
    others: /^(?:preact(?:\/[a-z-]+)?|@preact\/signals|uqr|maplibre-gl(?:\/dist\/.+)?)$/
  },
  cli: {
    own: [
      "@livery/domain",
      "@livery/contract",
      "@livery/contract/links",
      "@livery/client",
      "@livery/http-adapter",
      "@livery/persistence",
      "@livery/webhooks",
      "@livery/integrations",
      "@livery/stripe-emulator"
    ],
    others: anything
  }
} as const satisfies Record<string, Rule>

type Package = keyof typeof rules

const packages = Object.keys(rules) as ReadonlyArray<Package>

/** Whether a package may import a module that is not a file of its own. */
const mayImport = (name: Package, specifier: string): boolean => {
  const { others, own }: Rule = rules[name]
  return specifier.startsWith("@livery/") ? own.includes(specifier) : others.test(specifier)
}

const importing = /(?<!["'])\b(?:from|import)\s*\(?\s*["']([^"'\s]+)["']/g

const declared = (name: Package): ReadonlySet<string> => {
  const manifest = JSON.parse(readFileSync(`packages/${name}/package.json`, "utf8")) as Record<
    string,
    Record<string, string> | undefined
  >
  return new Set([
    ...Object.keys(manifest["dependencies"] ?? {}),
    ...Object.keys(manifest["optionalDependencies"] ?? {}),
    ...Object.keys(manifest["peerDependencies"] ?? {}),
    // The pages are published as they are built, with their imports inside.
    ...(name === "pages" ? Object.keys(manifest["devDependencies"] ?? {}) : [])
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
  for (const file of globSync(`packages/${name}/src/**/*.{ts,tsx}`)) {
    files++
    for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(importing)) {
      if (specifier.startsWith(".")) {
        if (!/\.(?:tsx?|css)$/u.test(specifier)) faults.push(`${file}: ${specifier} lacks its .ts`)
        const imported = join(dirname(file), specifier)
        faults.push(...orderFaults(file, imported))
        continue
      }
      const builtin = specifier.startsWith("node:") || builtinModules.includes(specifier)
      if (!mayImport(name, specifier)) faults.push(`${file}: ${name} may not import ${specifier}`)
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

for (const folder of readdirSync("packages"))
  if (!Object.hasOwn(rules, folder)) faults.push(`packages/${folder} has no line in the table of imports`)

if (files === 0) faults.push("no source file found: run from the project's root")
for (const fault of faults) process.stderr.write(`${fault}\n`)
process.stdout.write(`boundaries: ${files} files, ${faults.length} faults\n`)
process.exitCode = faults.length === 0 ? 0 : 1
