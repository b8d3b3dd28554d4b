import { globSync, readFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"

const packages = fileURLToPath(new URL("../packages", import.meta.url))

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const manifestOf = (name: string): Manifest =>
  JSON.parse(readFileSync(`${packages}/${name}/package.json`, "utf8")) as Manifest

const versionsIn = ({ dependencies, optionalDependencies }: Manifest) => ({
  ...dependencies,
  ...optionalDependencies
})

/** The packages that the modules of the bundle import from outside, without Node's own. */
const imported = globSync(`${packages}/cli/dist/bundle/*.js`).flatMap((file) =>
  Array.from(
    readFileSync(file, "utf8").matchAll(/^(?:import|export) [^;"]*"(?<name>[^."][^"]*)";$/gmu),
    ({ groups }) => groups?.["name"] ?? ""
  ).filter((name) => !isBuiltin(name))
)

/** The modules that a program of the bundle loads: the sources' paths, which the bundler writes before each. */
const loadedBy = (program: string) => {
  const files = new Set([program])
  const modules = new Array<string>()
  for (const file of files) {
    const code = readFileSync(`${packages}/cli/dist/bundle/${file}`, "utf8")
    for (const { groups } of code.matchAll(/^(?:import|export) [^;]*"\.\/(?<name>[^"]+)";$/gmu))
      files.add(groups?.["name"] ?? "")
    modules.push(...Array.from(code.matchAll(/^\/\/ (\S+\.[jt]s)$/gmu), ([, path = ""]) => path))
  }
  return modules
}

it("the thread that draws invoices loads nothing of Effect, which would take twice the time and the memory", () => {
  const modules = loadedBy("RenderWorker.js")
  assert.include(modules, "packages/integrations/src/pdf/RenderWorker.ts")
  assert.deepStrictEqual(
    modules.filter((path) => path.includes("node_modules/effect/")),
    []
  )
})

describe("the manifest of @livery/cli", () => {
  it("declares each package that the bundle imports", () => {
    assert.include(imported, "@node-rs/argon2")
    assert.containsAllKeys(versionsIn(manifestOf("cli")), imported)
  })

  it("declares the binaries of PostgreSQL as its library does", () => {
    const { optionalDependencies } = manifestOf("persistence")
    assert.deepStrictEqual(manifestOf("cli").optionalDependencies, optionalDependencies)
  })

  it("has the versions that the packages in the bundle name", () => {
    const ours = versionsIn(manifestOf("cli"))
    const others = ["integrations", "persistence", "webhooks", "http-adapter"]
      .flatMap((name) => Object.entries(versionsIn(manifestOf(name))))
      .filter(([dependency]) => dependency in ours)
    assert.deepStrictEqual({ ...ours, ...Object.fromEntries(others) }, ours)
  })
})
