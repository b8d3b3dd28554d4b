/** The terms on which a driver is paid: schemes, each from a day on and in one currency. */
import { Result, Schema } from "effect"
import { InvalidInput } from "../../kernel/Errors.ts"
import * as Field from "../../kernel/fields/Field.ts"
import type { FieldIssue } from "../../kernel/fields/FieldIssue.ts"
import { listOf } from "../../kernel/fields/List.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { DriverId } from "../../kernel/Ids.ts"
import { CalendarDay } from "../../kernel/time/WallClock.ts"
import { compilePayScheme, PayScheme } from "./DriverPay.ts"

/** The most schemes of a driver. */
export const maxPaySchemes = 50

/** A scheme of pay for trips from `valid_from` on, a day on the business's clock, in the scheme's currency. */
export const DatedPayScheme = Schema.Struct({ valid_from: CalendarDay, ...PayScheme.fields })
export type DatedPayScheme = typeof DatedPayScheme.Type

const driverPayChangesStruct = Field.changesOf({
  schemes: { change: Schema.optionalKey(listOf(DatedPayScheme, { most: maxPaySchemes })) }
})
type DriverPayChangesStruct = typeof driverPayChangesStruct

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface DriverPayChangesSchema extends DriverPayChangesStruct {}

/** The body that sets the schemes of a driver. The list replaces the whole list. */
export const DriverPayChanges: DriverPayChangesSchema = driverPayChangesStruct
export type DriverPayChanges = typeof DriverPayChanges.Type

/** The terms of a driver as stored; no schemes until some were set. */
export const DriverTerms = Schema.Struct({
  driver_id: Value.id(DriverId).stored,
  name: Schema.String,
  schemes: Schema.Array(Schema.toType(DatedPayScheme))
})
export type DriverTerms = typeof DriverTerms.Type

const driverTermsRecordStruct = Schema.Struct({
  driver_id: Value.id(DriverId).wire,
  name: Schema.String,
  schemes: Schema.Array(Schema.toType(DatedPayScheme))
})
type DriverTermsRecordStruct = typeof driverTermsRecordStruct

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface DriverTermsRecordSchema extends DriverTermsRecordStruct {}

/** The terms of a driver in a response. */
export const DriverTermsRecord: DriverTermsRecordSchema = driverTermsRecordStruct
export type DriverTermsRecord = typeof DriverTermsRecord.Type

/**
 * Checks schemes together: `InvalidInput` names every field that contradicts another one, amounts with more decimals than
 * the currency, and a second scheme of one day and currency.
 */
export const checkSchemes = (
  schemes: ReadonlyArray<DatedPayScheme>
): Result.Result<ReadonlyArray<DatedPayScheme>, InvalidInput> => {
  const issues = schemes.flatMap((scheme, index): ReadonlyArray<FieldIssue> => {
    const at = `schemes.${index}`
    const isRepeated =
      schemes.findIndex(
        (other) => other.valid_from === scheme.valid_from && other.currency === scheme.currency
      ) < index
    return [
      ...Result.match(compilePayScheme(scheme), {
        onSuccess: () => [],
        onFailure: (error) => error.issues.map(({ field, issue }) => ({ field: `${at}.${field}`, issue }))
      }),
      ...(isRepeated ? [{ field: `${at}.valid_from`, issue: "invalid" as const }] : [])
    ]
  })
  return issues.length > 0 ? Result.fail(new InvalidInput({ issues })) : Result.succeed(schemes)
}

/** The scheme for a trip of that day in that currency: the latest of those that are valid by then. */
export const schemeOf = (
  { schemes }: Pick<DriverTerms, "schemes">,
  day: string,
  currency: string
): DatedPayScheme | undefined =>
  schemes
    .filter((scheme) => scheme.currency === currency && scheme.valid_from <= day)
    .toSorted((one, other) => (one.valid_from < other.valid_from ? 1 : -1))[0]
