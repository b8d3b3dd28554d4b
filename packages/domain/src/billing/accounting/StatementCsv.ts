/** The statement of a customer as separated values. */
import type { StatementAccount, CustomerStatementQuery } from "../ledger/Statement.ts"
import { amountText, type Cell, separatedRow, text, value } from "./Cells.ts"

const columns = ["currency", "day", "type", "number", "reference", "amount", "balance"]

/** The rows of each currency, between a row with the opening balance and a row with the closing balance. */
export const statementCsv = (
  accounts: ReadonlyArray<StatementAccount>,
  { from, to }: CustomerStatementQuery
): string =>
  [
    columns.map(value),
    ...accounts.flatMap(
      ({ closing_minor, currency, lines, opening_minor }): ReadonlyArray<ReadonlyArray<Cell>> => {
        const amount = (minor: number) => value(amountText(minor, currency))
        const balance = (day: string, name: string, minor: number) => [
          value(currency),
          value(day),
          value(name),
          ...[null, null, null].map(value),
          amount(minor)
        ]
        return [
          balance(from, "opening_balance", opening_minor),
          ...lines.map((line) => [
            value(currency),
            value(line.day),
            value(line.type),
            value(line.number),
            text(line.reference),
            amount(line.amount_minor),
            amount(line.balance_minor)
          ]),
          balance(to, "closing_balance", closing_minor)
        ]
      }
    )
  ]
    .map((cells) => separatedRow(cells, ","))
    .join("")
