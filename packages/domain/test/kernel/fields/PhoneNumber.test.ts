import { assert, describe, it } from "@effect/vitest"
import { vi } from "vitest"
import { canonicalPhone, countryOf } from "@livery/domain"

describe("the canonical form of a telephone number", () => {
  it.each([
    ["+442079460018", null],
    ["+44 (0)20 7946 0018", null],
    ["0044 20 7946 0018", null],
    ["442079460018", null],
    ["442079460018", "GB"],
    ["00 44 (20) 7946-0018", null],
    ["020 7946 0018", "GB"],
    ["+44 20 7946 0018 ext. 12", null],
    ["020 7946 0018 x12", "GB"],
    ["tel:+44-20-7946-0018;ext=5", null],
    ["office: 020 7946 0018", "GB"],
    ["020 7946 0018 Durchwahl 5", "GB"],
    ["020-7946-0018, poste 312", "GB"],
    ["020 7946 0018 #12", "GB"],
    ["\u202a+44 20 7946 0018\u202c", null],
    ["\uff0b\uff14\uff14 \uff12\uff10 7946 0018", null],
    ["\u0660\u0662\u0660 \u0667\u0669\u0664\u0666 \u0660\u0660\u0661\u0668", "GB"],
    ["+\u096a\u096a \u0968\u0966 \u096d\u096f\u096a\u096c \u0966\u0966\u0967\u096e", null]
  ])("of %j in %j is that of E.164, without its extension", (typed, country) => {
    assert.strictEqual(canonicalPhone(typed, country), "+442079460018")
  })

  it("is the digits of a number that belongs to no numbering plan", () => {
    assert.strictEqual(canonicalPhone("020 7946 0018", null), "02079460018")
    assert.strictEqual(canonicalPhone("Room 4711", "GB"), "4711")
    assert.strictEqual(canonicalPhone("12 x 34", "GB"), "1234")
  })

  it("is absent for a text without a number", () => {
    for (const typed of ["", "none", "1", "4".repeat(61)]) assert.isUndefined(canonicalPhone(typed, "GB"))
  })
})

describe("the country of a business", () => {
  it("is read from the zones of the countries once, because engines take a quarter of a second for them", () => {
    countryOf({ country: null, timezone: "Europe/Zurich" })
    const asked = vi.spyOn(Intl, "Locale")
    assert.strictEqual(countryOf({ country: null, timezone: "Europe/Oslo" }), "NO")
    assert.strictEqual(asked.mock.calls.length, 0)
    asked.mockRestore()
  })

  it("is its own, or the only one in its time zone", () => {
    assert.strictEqual(countryOf({ country: "GB", timezone: "Europe/Zurich" }), "GB")
    assert.strictEqual(countryOf({ country: null, timezone: "Europe/Zurich" }), "CH")
    assert.isNull(countryOf({ country: null, timezone: "UTC" }))
  })
})
