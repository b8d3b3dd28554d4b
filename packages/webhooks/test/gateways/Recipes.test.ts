/** The recipes of the office are those of the guide. */
import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { recipes } from "../../../pages/src/app/settings/gateway/Recipes.ts"

const guide = readFileSync(new URL("../../../../docs/api/text-messages.md", import.meta.url), "utf8")

/** The names and the templates of the guide, without what belongs to one account. */
const ofGuide = [...guide.matchAll(/\n(\w+)\.[^\n]*\n\n```json\n(.*?)```/gsu)].map(
  ([, name = "", json = ""]) => {
    const { account: _, sender: __, token: ___, ...template } = JSON.parse(json) as Record<string, unknown>
    return { name, template }
  }
)

it("the office offers the recipes of the guide", () => {
  assert.deepStrictEqual(
    recipes.map(({ name, template }) => ({ name, template: { ...template } })),
    ofGuide
  )
})
