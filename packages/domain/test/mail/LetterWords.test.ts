import { assert, describe, it } from "@effect/vitest"
import { letterLanguages, letterWordsOf, sentence } from "../../src/mail/words/LetterWordsOf.ts"
import { emailText, defaultEmailWording, placeholders } from "../../src/settings/EmailWording.ts"

const placeholdersIn = (words: string) =>
  [...words.matchAll(/\{\{(\w+)\}\}/gu)].map(([, name]) => name).toSorted()

describe("the words of letters", () => {
  const { en, ...others } = letterLanguages

  it("are there in the ten languages of invoices", () => {
    assert.sameMembers(Object.keys(letterLanguages), [
      "de",
      "el",
      "en",
      "es",
      "fr",
      "it",
      "nl",
      "pl",
      "pt",
      "uk"
    ])
  })

  for (const [language, words] of Object.entries(others))
    it(`have the same placeholders in ${language} as in English, and other words`, () => {
      for (const [name, written] of Object.entries(en ?? {})) {
        const translated = words[name as keyof typeof words]
        const texts = (value: typeof translated) =>
          typeof value === "string" ? [value] : Object.values(value)
        texts(written).forEach((text: string, index) => {
          const other = texts(translated)[index] ?? ""
          assert.deepStrictEqual(placeholdersIn(other), placeholdersIn(text), `${name} in ${language}`)
          assert.notStrictEqual(other, text)
        })
      }
    })

  it("are English for a language without words, and without a locale", () => {
    for (const locale of ["ja-JP", null, ""]) assert.strictEqual(letterWordsOf(locale), en)
    assert.strictEqual(letterWordsOf("DE-at"), letterLanguages["de"])
  })

  it("take each value once: a value with braces is not read again", () => {
    assert.strictEqual(sentence("{{a}} {{b}}", { a: "{{b}}", b: "2" }), "{{b}} 2")
  })

  it("are those of the business where it has its own", () => {
    const values = Object.fromEntries(placeholders.map((name) => [name, name])) as Parameters<
      typeof emailText
    >[2]
    const own = { ...defaultEmailWording, quote_sent: { subject: "Own", text: "Own" } }
    assert.strictEqual(emailText("quote_sent", own, values, "de-DE").subject, "Own")
    assert.strictEqual(
      emailText("booking_confirmed", own, values, "de-DE").subject,
      "Buchung reference ist bestätigt"
    )
  })
})
