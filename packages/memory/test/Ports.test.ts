import { globSync } from "node:fs"
import { basename, join } from "node:path"
import { assert, describe, it } from "vitest"

const root = join(import.meta.dirname, "../../..")
const namesIn = (pattern: string, suffix: string) =>
  globSync(pattern, { cwd: root })
    .map((file) => basename(file, `${suffix}.ts`))
    .sort()

describe("each port in memory", () => {
  it("has a contract", () => {
    const others = new Set(["Contract", "Deliveries", "Given", "InvoiceDraft", "TripFilters", "index"])
    const contracts = namesIn("test/contract/*.ts", "").filter((name) => !others.has(name))
    assert.deepStrictEqual(namesIn("packages/memory/src/*/*Memory.ts", "Memory"), contracts)
  })
})
