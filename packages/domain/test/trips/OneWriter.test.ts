import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

const source = join(import.meta.dirname, "../../src")

/** The calls of ports that create or change a stored trip or its assignments. */
const writes =
  /\b(?:assignments\.(?:insert|setStatus|setWindows|insertMilestone|erasePlaces)|trips\.(?:insert(?:All)?|update(?:All)?|setCustomer|setInvoice)|timeline\.(?:append|erase))\(/u

/** The import of trips calls the use cases `Trips`, which write through the unit of work. It reaches no port of trips. */
const tripImport = join("moving", "lines", "TripLines.ts")

describe("a stored trip", () => {
  it("is created and changed by its unit of work only", () => {
    const writers = globSync("**/*.ts", { cwd: source }).filter((file) =>
      writes.test(readFileSync(join(source, file), "utf8"))
    )
    const unitOfWork = ["TripWrites.ts", "TripCreations.ts"].map((file) => join("trips", "changes", file))
    assert.sameMembers(writers, [...unitOfWork, tripImport])
    assert.notMatch(
      readFileSync(join(source, tripImport), "utf8"),
      /\b(?:Trip|Assignment|Timeline)Repository\b/u
    )
  })
})
