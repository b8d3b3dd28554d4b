import { assert, describe, it } from "@effect/vitest"
import { EnteredPassword, LoginInput, NewPassword, RegistrationInput } from "@livery/domain"
import { Redacted } from "effect"
import { inspect } from "node:util"
import { decoded, issuesOf } from "../support/Decoding.ts"

describe("NewPassword", () => {
  const cases = [
    ["", "required"],
    [null, "required"],
    ["1234567", "too_short"],
    ["🚗🚗🚗🚗", "too_short"],
    ["e\u0301e\u0301e\u0301e\u0301", "too_short"],
    ["x".repeat(257), "too_long"],
    ["🚗".repeat(257), "too_long"],
    ["12345678\u0000", "invalid"],
    ["12345678\ud800", "invalid"],
    [12345678, "invalid"],
    [{}, "invalid"]
  ] as const

  it.each(cases)("%j is %s", (password, issue) => {
    assert.deepStrictEqual(issuesOf(NewPassword, password), [` ${issue}`])
  })

  it("8 to 256 characters are accepted unchanged", () => {
    for (const password of ["12345678", "        ", "  secret  ", "x".repeat(256), "🚗".repeat(256)])
      assert.strictEqual(Redacted.value(decoded(NewPassword, password)), password)
  })

  it("neither password is printed", () => {
    for (const schema of [NewPassword, EnteredPassword]) {
      const password = decoded(schema, "correct horse")
      assert.notInclude(`${inspect(password)} ${JSON.stringify({ password })}`, "horse")
    }
  })
})

describe("EnteredPassword", () => {
  it("accepts every text that could be a password, also a short one", () => {
    for (const password of ["x", " ", "1234567", "🚗".repeat(256)])
      assert.strictEqual(Redacted.value(decoded(EnteredPassword, password)), password)
    assert.deepStrictEqual(issuesOf(EnteredPassword, ""), [" required"])
    assert.deepStrictEqual(issuesOf(EnteredPassword, "x".repeat(513)), [" too_long"])
  })
})

describe("LoginInput", () => {
  it("names the missing fields", () => {
    assert.deepStrictEqual(issuesOf(LoginInput, {}), ["email required", "password required"])
    assert.deepInclude(decoded(LoginInput, { email: " A@B.ch ", password: "x" }), {
      email: "a@b.ch",
      device_name: null
    })
  })
})

describe("RegistrationInput", () => {
  const registration = { name: "Zoë", email: "zoe@b.ch", password: "12345678", business_name: "Acme" }

  it("names all missing fields at once", () => {
    assert.deepStrictEqual(issuesOf(RegistrationInput, { name: " ", password: "1234567" }), [
      "name required",
      "email required",
      "password too_short",
      "business_name required"
    ])
  })

  it("accepts a web address with its scheme, or none", () => {
    for (const website_url of ["https://acme.example", "http://acme.example/a?b#c", null])
      assert.deepStrictEqual(issuesOf(RegistrationInput, { ...registration, website_url }), [])
    for (const website_url of ["acme.example", "javascript:alert(1)", "https://", "https://a b", 5])
      assert.deepStrictEqual(issuesOf(RegistrationInput, { ...registration, website_url }), [
        "website_url invalid"
      ])
    assert.deepStrictEqual(decoded(RegistrationInput, registration).website_url, null)
  })
})
