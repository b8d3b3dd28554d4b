import { assert, describe, it } from "@effect/vitest"
import { defaultEmailWording, emailText, placeholders } from "../../src/settings/EmailWording.ts"

const values = Object.fromEntries(placeholders.map((name) => [name, `<${name}>`])) as Parameters<
  typeof emailText
>[2]

const textOf = (text: string) =>
  emailText(
    "booking_confirmed",
    { ...defaultEmailWording, booking_confirmed: { subject: "S", text } },
    values
  ).text

describe("the wording of an email", () => {
  it("has the values in place of the placeholders, and leaves braces that begin none", () => {
    assert.include(textOf("{{ reference }} {{"), "<reference> {{")
    assert.include(textOf("{{reference}} }} {{"), "<reference> }} {{")
    assert.include(textOf("}} {{ {{reference"), "}} {{ {{reference")
  })

  // 8 s, if it is read again from each brace.
  it(
    "is read in a time that grows with its length, also if it has many braces that begin no placeholder",
    { timeout: 5000 },
    () => {
      assert.include(textOf("{{".repeat(100_000)), "{{{{")
    }
  )
})
