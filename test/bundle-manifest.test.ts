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
