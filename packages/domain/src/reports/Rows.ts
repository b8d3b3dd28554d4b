/** What the rows of all reports need. */
import type { Currency } from "../kernel/money/Currency.ts"
import { toMajor } from "../kernel/money/Money.ts"

/** The rows in the order of a text of each. */
export const inOrder = <A>(rows: ReadonlyArray<A>, key: (row: A) => string): ReadonlyArray<A> =>
  rows.toSorted((one, other) => (key(one) < key(other) ? -1 : 1))

/** An amount in major units. */
export const major = (minor: number, currency: string): number =>
  toMajor({ minor, currency: currency as Currency })
