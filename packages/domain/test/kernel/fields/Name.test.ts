import { assert, describe, it } from "@effect/vitest"
import { RegistrationInput } from "@livery/domain"
import { hasLink } from "../../../src/kernel/fields/Name.ts"
import { decoded, issuesOf } from "../../support/Decoding.ts"

const { name } = RegistrationInput.fields

describe("a name", () => {
  it.each([
    "Zoë O'Hara-van der Berg",
    "Dr. J.R.R. Tolkien Jr.",
    "St.Gallen Taxi",
    "Dr.de Vries",
    "Sammy Davis.Jr",
    "J.P.Morgan S.A.",
    "50/50 Cars & Sons, Inc.",
    "A/S Limousine: day & night",
    "#1 Chauffeurs?",
    "علی\u200cرضا",
    "\u200fשרה כהן\u200f",
    "👨‍👩‍👧‍👦 Family",
    "山田　太郎"
  ])("may be %s, with every character", (typed) => {
    assert.strictEqual(decoded(name, typed), typed)
  })

  it.each([
    "user. Your account was locked! Unlock it at https://evil.example",
    "HTTP://evil.example",
    "//evil.example",
    "www.evil.example",
    "mailto:ada@evil.example",
    "javascript:alert(1)",
    "evil.com",
    "go to evil.COM now",
    "bit.ly/abc",
    "t.co",
    "evil.example/login",
    "evil.example?a",
    "evil.example:8080",
    "locked.ch",
    "ada@evil.example",
    "ｅｖｉｌ．ｃｏｍ",
    "evil.\u200bcom"
  ])("has no URL: %s is refused", (typed) => {
    assert.deepStrictEqual(issuesOf(name, typed), [" invalid"])
  })

  it.each(["a\nb", "a\r\nb", "a\u2028b", "a\u2029b", "a\u0085b", "a\tb", "a\u0007b"])(
    "has no line break and no control character: %j is refused",
    (typed) => {
      assert.deepStrictEqual(issuesOf(name, typed), [" invalid"])
    }
  )

  it("is read without backtracking", () => {
    const hostile = ["a.".repeat(500), "-".repeat(1000), "a@".repeat(500)]
    for (const typed of hostile) assert.deepStrictEqual(issuesOf(name, typed), [" too_long"])
  })

  // Normalisation turns the sign into six letters. 10,000 of them take 50 s, if each letter is the start of a search.
  it.each(["x", "-", "㌖", "a@", "abcd.", "a.1/"])(
    "is searched for a link in a time that grows with its length: %s",
    { timeout: 5000 },
    (repeated) => {
      assert.isFalse(hasLink(repeated.repeat(10_000)))
    }
  )
})
