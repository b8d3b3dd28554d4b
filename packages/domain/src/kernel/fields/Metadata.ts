/** Texts by key that a business keeps with a record for its own programs. */
import { Schema } from "effect"
import { check } from "./FieldIssue.ts"
import { atMost, storable, trimming } from "./Text.ts"

/** A record has at most this many keys. */
const maxMetadataKeys = 20

const maxKeyLength = 40
const maxValueLength = 500

const keysOf = (value: object) => Object.keys(value)

/** A key that objects treat in a special way is refused, because it would be lost. */
const isKey = (key: string) =>
  key.trim() === key && key !== "" && key !== "__proto__" && !key.includes("\u0000") && key.isWellFormed()

/** Texts by key. */
type Metadata = Readonly<Record<string, string>>

const isObject = (value: unknown): value is Metadata =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The keys are counted before any value is decoded, because a request has room for very many. */
const boundedObject = Schema.declare(isObject, { toCodecJson: () => undefined }).check(
  check<object>("too_long", (value) => keysOf(value).length <= maxMetadataKeys, {
    type: "object",
    maxProperties: maxMetadataKeys,
    propertyNames: { minLength: 1, maxLength: maxKeyLength },
    additionalProperties: { type: "string", maxLength: maxValueLength }
  }),
  check<object>("too_long", (value) => keysOf(value).every((key) => Array.from(key).length <= maxKeyLength)),
  check<object>("invalid", (value) => keysOf(value).every(isKey))
)

const Texts = Schema.Record(Schema.String, Schema.String)

/**
 * An object with at most {@link maxMetadataKeys} keys of up to 40 characters, each with a text of up to 500 characters.
 * The texts are trimmed as others are, and a blank one stays as an empty text, because its key may be all that counts.
 */
const written: Schema.Codec<Metadata, Metadata> & Schema.WithoutConstructorDefault = boundedObject.pipe(
  Schema.decodeTo(
    Schema.Record(
      Schema.String,
      Schema.String.check(storable, atMost(maxValueLength)).pipe(Schema.decodeTo(Schema.String, trimming))
    )
  )
)

/** {@link written} as a kind of value. */
export const metadata = { required: written, optional: written, stored: Texts, wire: Texts }
