/** How a business presents itself on pages for its customers. */
import { Schema } from "effect"
import * as Field from "../kernel/fields/Field.ts"
import { check } from "../kernel/fields/FieldIssue.ts"
import { blankIsNull } from "../kernel/fields/Text.ts"
import * as Value from "../kernel/fields/Value.ts"

const hexPattern = "^#[0-9A-Fa-f]{6}$"

const isColor = (text: string) => new RegExp(hexPattern, "u").test(text)

/** The brightness of one of a colour's three parts. */
const linear = (part: number) => (part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)

/** The contrast between a colour and white, from 1 to 21 (WCAG 2.2). */
const contrastWithWhite = (color: string) => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(color.slice(at, at + 2), 16) / 255)
  )
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}

/** The smallest contrast at which everyone can read text (WCAG 2.2, 1.4.3). */
const readableContrast = 4.5

/** A colour on which white text can be read, and which can be read on white. */
const AccentColor = Schema.String.check(
  check<string>("invalid", (color) => color.trim() === "" || isColor(color.trim()), { pattern: hexPattern }),
  check<string>(
    "out_of_range",
    (color) => !isColor(color.trim()) || contrastWithWhite(color.trim()) >= readableContrast
  )
).pipe(
  Schema.decodeTo(
    Schema.NullOr(Schema.String),
    blankIsNull((color) => color.toUpperCase())
  )
)

/**
 * The fields of a brand. `accent_color` is the colour of buttons and links, for example `#1F4FD8`. A colour that is too bright
 * for white text (contrast below 4.5) is `out_of_range`.
 */
export const brandFields = Field.ofNobody({
  business_name: Field.required(Value.name(200)),
  phone: Field.optional(Value.text(40)),
  logo_url: Field.optional(Value.webAddress),
  accent_color: Field.optional(Value.checkedText(AccentColor, { pattern: hexPattern }))
})

/** A brand as stored. */
export const Brand = Field.storedOf(brandFields)
export type Brand = typeof Brand.Type

/** A brand in a response to a customer. */
export const BrandRecord = Field.recordOf(brandFields)
export type BrandRecord = typeof BrandRecord.Type

/** The record of a brand. */
export const brandRecord = Field.encoderOf(brandFields)
