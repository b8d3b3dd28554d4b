import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, it } from "vitest"

const root = join(import.meta.dirname, "..")

/** The paths of all files of tests, from the root of the repository. */
const files = async () => {
  const found: Array<string> = []
  for (const folder of ["packages", "test"])
    for (const path of await readdir(join(root, folder), { recursive: true }))
      if (path.endsWith(".test.ts") && !path.includes("node_modules")) found.push(join(folder, path))
  return found
}

it("npm run test:faults runs every file of tests that has larger counts there", async () => {
  const { scripts } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  const [, filters = ""] = scripts["test:faults"]?.split("vitest run ") ?? []
  const counting: Array<string> = []
  for (const path of await files())
    if (
      /\/Extent\.ts"|env\["LIVERY_(?:FAULTS|KILL_ROUNDS)"\]/u.test(await readFile(join(root, path), "utf8"))
    )
      counting.push(path)
  assert.isAtLeast(counting.length, 10)
  assert.deepStrictEqual(
    counting.filter((path) => !filters.split(" ").some((filter) => path.startsWith(filter))),
    []
  )
})
