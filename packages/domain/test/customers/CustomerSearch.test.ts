import { assert, describe, it } from "@effect/vitest"
import { searchedWords, searchWordsOf } from "@livery/domain"
import { Effect, Schema } from "effect"

const found = (customer: { name?: string; email?: string; phone?: string }, search: string) => {
  const words = searchWordsOf({
    name: customer.name ?? "Ada",
    email: customer.email ?? null,
    phone: customer.phone ?? null
  })
  const asked = searchedWords(search)
  return asked.length > 0 && asked.every((beginning) => words.some((word) => word.startsWith(beginning)))
}

describe("a customer is found", () => {
  it("by the beginning of any word of the name, in any order, without case and accents", () => {
    const zoe = { name: "Zoë van der Müller-Strauß" }
    for (const search of ["zoe", "ZOË", "van d", "strauß zo", "muller", "müller-str"])
      assert.isTrue(found(zoe, search), search)
    for (const search of ["oe", "zoe x", "mueller", ""]) assert.isFalse(found(zoe, search), search)
  })

  it("by the beginning of the email, its whole or its words", () => {
    const ada = { email: "ada.lovelace@example.com" }
    for (const search of ["ada.lovelace@exa", "ADA.LOVELACE@EXAMPLE.COM", "lovelace", "example com"])
      assert.isTrue(found(ada, search), search)
    assert.isFalse(found(ada, "lovelace@example.com"))
  })

  it("by any run of the phone number's digits, however it is written", () => {
    for (const phone of ["+41 79 123 45 67", "+41791234567", "(+41) 79/123-45-67"])
      for (const search of ["+41 79 123", "079 123 45 67", "79123", "123-45", "567", "234 5"])
        assert.isTrue(found({ phone }, search), `${phone}: ${search}`)
    assert.isFalse(found({ phone: "+41 79 123 45 67" }, "999"))
  })

  it("by name and number at once", () => {
    assert.isTrue(found({ name: "Ada", phone: "+41 79 123 45 67" }, "ada 4567"))
    assert.isFalse(found({ name: "Bob", phone: "+41 79 123 45 67" }, "ada 4567"))
  })

  it.effect.prop(
    "by whatever word of the own name, unless it reads as an email or a number",
    { name: Schema.String.check(Schema.isPattern(/^[^@\d]*$/u)) },
    ({ name }) =>
      Effect.sync(() => {
        for (const word of searchedWords(name)) assert.isTrue(found({ name }, word), word)
      })
  )

  it.effect.prop("and no search has more than eight words", { search: Schema.String }, ({ search }) =>
    Effect.sync(() => {
      const words = searchedWords(`${search} a b c d e f g h i j`)
      assert.isAtMost(words.length, 8)
      assert.isFalse(words.includes(""))
    })
  )
})
