import { assert, it } from "@effect/vitest"
import { fareSteps } from "@livery/domain"
import { readFileSync } from "node:fs"
import { join } from "node:path"

const page = join(import.meta.dirname, "../../../../docs/api/fare-rules.md")

const selects = { first: "the first rule", every: "every rule", one: "the one rule" }

/** The cells of each row, as the page shows them. */
const rows = fareSteps.map(({ charges, percentOf, selects: which, step }, index) => [
  `${index + 1}`,
  `\`${step}\``,
  charges,
  percentOf === null ? "" : `\`${percentOf}\``,
  selects[which]
])

it("docs/api/fare-rules.md shows the steps of the engine, in their order", () => {
  const text = readFileSync(page, "utf8")
  const table = text.slice(text.indexOf("<!-- steps -->"), text.indexOf("<!-- /steps -->"))
  const shown = table
    .split("\n")
    .filter((line) => /^\| *\d/u.test(line))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim())
    )
  assert.deepStrictEqual(shown, rows)
})
