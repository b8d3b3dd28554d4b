/** Fields that may be absent. */
import { Effect, Option, Predicate, Schema, SchemaGetter, SchemaTransformation } from "effect"
import { withoutDefault } from "./FieldIssue.ts"

const absent = Effect.succeed(null)

/** A field that may be absent or `null`; both decode to `null`. */
export const orNull = <S extends Schema.Constraint>(schema: S) => {
  const whole = Schema.NullOr(schema)
  return whole
    .annotate({ [withoutDefault]: whole })
    .pipe(Schema.withDecodingDefaultKey(absent), Schema.withConstructorDefault(absent))
}

/** A field that may be absent or `null`; both decode to an absent field. For fields that cannot be cleared. */
export const omittable = <S extends Schema.Constraint>(schema: S) =>
  Schema.optionalKey(Schema.NullOr(schema)).pipe(
    Schema.decodeTo(Schema.optionalKey(Schema.toType(schema)), {
      decode: SchemaGetter.transformOptional(Option.filter(Predicate.isNotNull)),
      encode: SchemaGetter.passthrough()
    })
  )

/** Describes a field of an input in OpenAPI, as callers write it. */
export const described =
  (description: string) =>
  <S extends Schema.Top>(schema: S): S =>
    // An annotation changes no type.
    Schema.annotateEncoded<S>({ description })(schema) as S

/** A boolean that may be absent or `null`; both decode to `defaultValue`. */
export const yesOrNo = (defaultValue: boolean) =>
  Schema.NullOr(Schema.Boolean).pipe(
    Schema.decodeTo(
      Schema.Boolean,
      SchemaTransformation.transform<boolean, boolean | null>({
        decode: (value) => value ?? defaultValue,
        encode: (value) => value
      })
    ),
    Schema.withDecodingDefaultKey(Effect.succeed(defaultValue)),
    Schema.withConstructorDefault(Effect.succeed(defaultValue))
  )
