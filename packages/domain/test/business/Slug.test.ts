import { assert, it } from "@effect/vitest"
import { slugOf } from "@livery/domain"
import { Schema } from "effect"

it("a slug keeps the characters of a name that an address may contain", () => {
  const slugs = {
    "Acme Limousines": "acme-limousines",
    "  Zürich & Genève  Cars ": "zurich-geneve-cars",
    "A---B": "a-b",
    "1st Class": "1st-class",
    東京: "business",
    "🚗": "business",
    "": "business"
  }
  for (const [name, slug] of Object.entries(slugs)) assert.strictEqual(slugOf(name), slug)
})

it.prop(
  "any name gives a slug of 1 to 40 letters, digits and single inner hyphens",
  [Schema.String],
  ([name]) => {
    for (const text of [name, `${name}${"é- ".repeat(30)}`, `${"a".repeat(39)}-${name}`]) {
      const slug = slugOf(text)
      assert.match(slug, /^[a-z0-9]+(?:-[a-z0-9]+)*$/u)
      assert.isAtMost(slug.length, 40)
      assert.strictEqual(slugOf(slug), slug)
    }
  }
)
