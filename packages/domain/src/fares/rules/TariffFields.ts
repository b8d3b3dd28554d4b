/** The kinds of fields of a tariff: bounded amounts, percentages, distances, times and lists. */
import { Effect, Schema, SchemaGetter, SchemaTransformation } from "effect"
import { decimals } from "../../kernel/fields/Decimals.ts"
import { oneOf } from "../../kernel/fields/OneOf.ts"
import { between, check, moreThanZero } from "../../kernel/fields/FieldIssue.ts"
import { boundedList } from "../../kernel/fields/List.ts"
import * as Money from "../../kernel/money/Money.ts"
import { orNull } from "../../kernel/fields/Optional.ts"
import { optionalText, trimming } from "../../kernel/fields/Text.ts"

/** The largest amount of a tariff, in major units. */
const largestAmount = 10_000_000

/** An amount in major units of the tariff's currency, from 0 to {@link largestAmount}. */
export const Amount = Money.amountWithin(between(0, largestAmount))

/** An {@link Amount} that is not zero. */
export const PositiveAmount = Money.amountWithin(moreThanZero(largestAmount))

/** An amount that may be negative: a discount. */
export const SignedAmount = Schema.Finite.check(between(-largestAmount, largestAmount), decimals(4))

/** From 0 to 1,000 percent, with at most four decimals. */
export const Percent = Schema.Finite.check(between(0, 1000), decimals(4))

/** A percentage that may be a discount: from -100 to 1,000. */
export const SignedPercent = Schema.Finite.check(between(-100, 1000), decimals(4))

/** A distance in the tariff's unit, from 0.001 to 10,000, with at most three decimals. */
export const UnitDistance = Schema.Finite.check(between(0.001, 10_000), decimals(3))

/** A month in minutes. */
const monthMinutes = 44_640

/** A whole number of minutes, at most a month. */
export const Minutes = Schema.Int.check(between(0, monthMinutes))

/** {@link Minutes} of which there is at least one. */
export const PositiveMinutes = Schema.Int.check(between(1, monthMinutes))

/** The length of a charged period in minutes: from 1 to 1,440. */
export const ChargedMinutes = Schema.Int.check(between(1, 1440))

const largestCount = 10_000

/** A whole number of things or people. */
export const Count = Schema.Int.check(between(0, largestCount))

/** {@link Count} of at least one. */
export const PositiveCount = Schema.Int.check(between(1, largestCount))

const ruleIdPattern = /^[a-z0-9][a-z0-9._-]*$/u

/**
 * The id of a zone or a rule within its tariff: 1 to 100 lower-case letters, digits, `.`, `_` and `-`. An id that is
 * derived for a rule without one contains a colon, so that it never equals one that was sent.
 */
export const RuleId = Schema.String.check(
  check<string>("required", (id) => id.trim() !== "", { minLength: 1 }),
  check<string>("too_long", (id) => id.trim().length <= 100, { maxLength: 100 }),
  check<string>("invalid", (id) => id.trim() === "" || ruleIdPattern.test(id.trim()), {
    pattern: ruleIdPattern.source
  })
).pipe(Schema.decodeTo(Schema.String, trimming))

/** A time on the clock, `HH:MM`, from `00:00` to `24:00`. */
export const ClockTime = Schema.String.check(
  check<string>("invalid", (time) => /^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/u.test(time.trim()), {
    pattern: "^[0-9]{2}:[0-9]{2}$"
  })
).pipe(Schema.decodeTo(Schema.String, trimming))

/**
 * A list of at most `most` items; `null` decodes to an empty one. The length is checked before the items, so that refusing a
 * list that is far too long is cheap.
 */
export const nullableListOf = <S extends Schema.Constraint>(item: S, most: number) =>
  Schema.NullOr(boundedList<S["Encoded"]>({ most }, item)).pipe(
    Schema.decodeTo(
      Schema.Array(item),
      SchemaTransformation.transform<ReadonlyArray<S["Encoded"]>, ReadonlyArray<S["Encoded"]> | null>({
        decode: (items) => items ?? [],
        encode: (items) => items
      })
    )
  )

/** A {@link nullableListOf}; an absent one decodes to an empty one too. */
export const listOf = <S extends Schema.Constraint>(item: S, most: number) =>
  nullableListOf(item, most).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed([])),
    Schema.withConstructorDefault(Effect.succeed([]))
  )

/** A field that decodes to `defaultValue` when it is absent or `null`. */
export const orDefault = <A, I>(schema: Schema.Codec<A, I>, defaultValue: NoInfer<A & I>) =>
  Schema.NullOr(schema).pipe(
    Schema.decodeTo(
      Schema.toType(schema),
      SchemaTransformation.transform<A, A | null>({
        decode: (value) => value ?? defaultValue,
        encode: (value) => value
      })
    ),
    Schema.withDecodingDefaultKey(Effect.succeed(defaultValue))
  )

/**
 * A record that decodes to `null` when it is absent. Unlike with `orNull`, errors within it are reported together with
 * those of its parent.
 */
export const recordOrNull = <S extends Schema.Constraint>(record: S) =>
  Schema.optionalKey(Schema.NullOr(record)).pipe(
    Schema.decodeTo(Schema.toType(Schema.NullOr(record)), {
      decode: SchemaGetter.withDefault<S["Type"] | null>(Effect.succeed(null)),
      encode: SchemaGetter.passthrough()
    }),
    Schema.withConstructorDefault(Effect.succeed(null))
  )

/** The unit of the distances of a tariff. */
export const DistanceUnit = Schema.Literals(["km", "mi"])
export type DistanceUnit = typeof DistanceUnit.Type

/** The direction in which a price between two zones applies. */
const Direction = Schema.Literals(["either", "one_way"])
type Direction = typeof Direction.Type

/** {@link Direction}; `either` by default. */
export const directionOrEither = orDefault(oneOf(Direction), "either")

/** The fields that all rules share: an id, which is derived from its contents if absent, and a name for its lines. */
export const ruleName = { id: orNull(RuleId), name: optionalText(100) }
