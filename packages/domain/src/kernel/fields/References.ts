/**
 * Bodies that refer to other records by id. A schema cannot tell whether a record exists, so the use case decodes the body:
 * one error then names both the fields that do not decode and the unknown records.
 */
import { Effect, Option, Result, Schema } from "effect"
import { InvalidInput } from "../Errors.ts"
import { check, type FieldIssue, fieldIssues } from "./FieldIssue.ts"
import { jsonSchemaOf } from "./List.ts"

/** The schema of an object's fields. */
type Fields<A, I> = Schema.Codec<A, I> & {
  readonly fields: Readonly<Record<string, Schema.Codec<unknown, unknown>>>
}

/** For each field that refers to a record, the check whether there is one with that id. */
type References = Readonly<Record<string, (id: number) => Effect.Effect<boolean>>>

/**
 * A body that OpenAPI describes with the fields of `schema` and that a use case decodes by {@link decodeWithReferences}.
 * This schema checks only that the body is an object with at least `least` of the fields.
 */
export const undecodedBody = <A, I extends object>(
  schema: Fields<A, I>,
  least: 0 | 1 = 0
): Schema.Codec<I, I> & Schema.WithoutConstructorDefault =>
  Schema.declare(
    (value: unknown): value is I => typeof value === "object" && value !== null && !Array.isArray(value),
    { toCodecJson: () => undefined }
  ).check(
    check<I>(
      "required",
      (body) => least === 0 || Object.keys(schema.fields).some((name) => Object.hasOwn(body, name)),
      jsonSchemaOf(schema)
    )
  )

/** The issues of the fields that decode, but refer to a record that does not exist. */
const unknownRecords = Effect.fnUntraced(function* (
  fields: Fields<unknown, unknown>["fields"],
  input: object,
  references: References
) {
  const issues: Array<FieldIssue> = []
  for (const [name, exists] of Object.entries(references)) {
    const field = fields[name]
    const sent: unknown = Object.entries(input).find(([key]) => key === name)?.[1]
    const id = field === undefined ? Option.none() : Schema.decodeUnknownOption(field)(sent)
    if (Option.isSome(id) && typeof id.value === "number" && !(yield* exists(id.value)))
      issues.push({ field: name, issue: "not_found" })
  }
  return issues
})

/**
 * Decodes a body. If fields are wrong, `InvalidInput` names them and those that refer to an unknown record, in the order of
 * the schema. If no field is wrong, the references are not checked: the caller does so in its transaction.
 */
export const decodeWithReferences = Effect.fnUntraced(function* <A, I extends object>(
  schema: Fields<A, I>,
  input: I,
  references: References
) {
  const decoded = yield* Effect.result(
    Schema.decodeUnknownEffect(schema)(input, { errors: "all", reportInput: true })
  )
  if (Result.isSuccess(decoded)) return decoded.success
  const issues = [
    ...fieldIssues(decoded.failure.issue),
    ...(yield* unknownRecords(schema.fields, input, references))
  ]
  const names = Object.keys(schema.fields)
  const placeOf = ({ field }: FieldIssue) => names.indexOf(field.split(".", 1)[0] ?? "")
  return yield* new InvalidInput({
    issues: issues.toSorted((one, other) => placeOf(one) - placeOf(other))
  })
})
