/** The fixed words of a statement in one language. */
import type { StatementLineType } from "@livery/domain"

/** The words that every language has. The columns of figures are `charged`, `paid` and `balance`. */
export interface StatementWords {
  readonly title: string
  readonly customer: string
  readonly period: string
  readonly day: string
  readonly charged: string
  readonly paid: string
  readonly balance: string
  readonly openingBalance: string
  readonly closingBalance: string
  /** What stands before the number of the document. */
  readonly types: Readonly<Record<StatementLineType, string>>
}
