import { assert, describe, it } from "@effect/vitest"
import { phoneExpressionsOf } from "../../src/privacy/PersonConditions.ts"

describe("the spellings of a phone number that an erasure finds", () => {
  it.each([
    ["HU", "+36301234567", "06 30 123 4567"],
    ["US", "+442079460018", "011 44 20 7946 0018"],
    ["BY", "+375294911911", "8 029 491 19 11"],
    ["CH", "+442079460018", "+44 (0)20 7946 0018"],
    ["GB", "+442079460018", "020 7946 0018 Durchwahl 5"],
    ["CH", "+41446681800", "044 668 18 00"],
    ["AR", "+5491123456789", "011 15 2345-6789"],
    ["AR", "+5491123456789", "11 15 2345-6789"],
    ["AR", "+5493415123456", "0341 15-512-3456"],
    ["AR", "+5492966412345", "02966 15 412345"],
    ["AR", "+5491123456789", "+54 9 11 2345-6789"],
    ["CH", "+5491123456789", "+54 11 15 2345-6789"],
    ["MX", "+525512345678", "+52 1 55 1234 5678"],
    ["MX", "+525512345678", "044 55 1234 5678"]
  ])("of a business in %s include for %s the text %s", (country, phone, text) => {
    const [expression = ""] = phoneExpressionsOf({ country, phones: [phone] })
    assert.match(text, new RegExp(expression, "u"))
  })

  it.each([
    ["HU", "+36301234567", "06 30 123 4568"],
    ["CH", "+442079460018", "+49 20 7946 0018"],
    ["AR", "+5491123456789", "011 2345-6789"],
    ["AR", "+5491123456789", "011 15 2345-6780"]
  ])("of a business in %s do not include for %s the number %s of someone else", (country, phone, text) => {
    const [expression = ""] = phoneExpressionsOf({ country, phones: [phone] })
    assert.notMatch(text, new RegExp(expression, "u"))
  })
})
