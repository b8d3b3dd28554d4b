import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { basename } from "node:path"

const sources = globSync("packages/*/src/**/*.ts", { exclude: (path) => path.includes("migrations") }).map(
  (path) => ({ file: basename(path), path, text: readFileSync(path, "utf8") })
)

/** The names of the source files of a package, by default of all, that contain a match, in alphabetical order. */
const filesWith = (pattern: RegExp, folder = "packages/") =>
  sources
    .filter(({ path, text }) => path.startsWith(folder) && pattern.test(text))
    .map(({ file }) => file)
    .toSorted()

describe("a stored trip", () => {
  it("is changed by its unit of work alone", () => {
    for (const [write, files] of [
      // `TripLines.ts` calls the use cases `Trips`, which write through the unit of work.
      [/\btrips\.(?:update(?:All)?|setCustomer)\(/u, ["TripLines.ts", "TripWrites.ts"]],
      [/\bassignments\.(?:setStatus|setWindows|erasePlaces)\(/u, ["TripWrites.ts"]],
      // The unit of work has a part for many new trips at once, `TripCreations.ts`.
      [/\btimelines?\.(?:append|erase)\(/u, ["TripCreations.ts", "TripWrites.ts"]]
    ] as const)
      assert.deepStrictEqual<ReadonlyArray<string>>(filesWith(write, "packages/domain/"), files)
    assert.notInclude(filesWith(/\bTripRepository\b/u, "packages/domain/src/moving/"), "TripLines.ts")
  })

  it("is written by statements of its own repositories", () => {
    for (const [tables, file] of [
      ["trips|trip_search", "TripRepositoryPg.ts"],
      ["assignments|assignment_milestones", "AssignmentRepositoryPg.ts"]
    ] as const)
      assert.deepStrictEqual(
        filesWith(new RegExp(String.raw`\b(?:UPDATE|DELETE FROM|MERGE INTO)\s+(?:${tables})\b`, "iu")),
        [file]
      )
  })
})
