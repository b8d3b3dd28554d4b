/** The lines of an invoice: as a table with its sums, and as fields. */
import type { InvoiceItem, InvoicesItemInput, InvoiceTaxBreakdown } from "@livery/client"
import type { JSX } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import type { Failure } from "../../api/Failure.ts"
import { Field, fieldError } from "../../components/Field.tsx"
import { fill } from "../../i18n/Format.ts"
import { format, locale } from "../../i18n/Language.ts"
import { numberIn } from "../../i18n/Numbers.ts"
import { money } from "../Formats.ts"
import type { MoneyWords } from "./words/en.ts"

type Worded = { readonly words: MoneyWords }

/** A line as it is typed. */
export interface Line {
  readonly description: string
  readonly quantity: string
  readonly price: string
  readonly rate: string
  readonly isIncluded: boolean
  /** The line of the invoice, whose taxes and trip it keeps. */
  readonly of?: InvoiceItem
}

export const emptyLine: Line = { description: "", quantity: "1", price: "", rate: "", isIncluded: false }

/** A number as the reader would type it. */
export const textOf = (value: number): string =>
  new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 6 }).format(value)

export const linesOf = (items: ReadonlyArray<InvoiceItem>): ReadonlyArray<Line> =>
  items.map((item) => ({
    description: item.description,
    quantity: textOf(item.quantity),
    price: textOf(item.unit_price),
    rate: textOf(item.tax_rate),
    isIncluded: item.tax_included,
    of: item
  }))

/** A typed number. A text that is none is sent as it is, so that the server says so at the field. */
export const valueOf = (text: string): number | undefined => {
  if (text.trim() === "") return undefined
  const number = numberIn(text, locale)
  return Number.isNaN(number) ? (text as unknown as number) : number
}

export const itemsOf = (lines: ReadonlyArray<Line>): ReadonlyArray<InvoicesItemInput> =>
  lines.map(({ description, isIncluded, of, price, quantity, rate }) => {
    const keepsTaxes = of !== undefined && of.taxes.length > 0 && rate === textOf(of.tax_rate)
    return {
      description,
      quantity: valueOf(quantity),
      unit_price: valueOf(price) as number,
      tax_included: isIncluded,
      ...(keepsTaxes ? { taxes: of.taxes } : { tax_rate: valueOf(rate) }),
      ...(of === undefined || of.trip_id === null ? {} : { trip_id: of.trip_id })
    }
  })

const fields = [
  ["description", "description", "description"],
  ["quantity", "quantity", "quantity"],
  ["price", "unitPrice", "unit_price"],
  ["rate", "taxRate", "tax_rate"]
] as const

export const LineFields = ({
  failure,
  lines,
  onChange,
  words
}: Worded & {
  readonly lines: ReadonlyArray<Line>
  readonly onChange: (lines: ReadonlyArray<Line>) => void
  readonly failure: Failure | undefined
}): JSX.Element => {
  const group = useRef<HTMLDivElement>(null)
  const next = useRef<number | undefined>(undefined)
  // A new line is typed at once, and the line after a removed one is next: their buttons have moved or are gone.
  useLayoutEffect(() => {
    if (next.current === undefined) return
    const line = group.current?.querySelectorAll("fieldset")[next.current]
    next.current = undefined
    line?.querySelector("input")?.focus()
  })
  const change = (index: number, changes: Partial<Line>) =>
    onChange(lines.map((line, at) => (at === index ? { ...line, ...changes } : line)))
  return (
    <div class="form" ref={group}>
      {lines.map((line, index) => {
        const number = format.number(index + 1)
        return (
          <fieldset key={index} class="invoice-line">
            <legend class="small muted">{fill(words.line, { number })}</legend>
            {fields.map(([name, label, field]) => (
              <Field
                key={name}
                label={words[label]}
                error={fieldError(failure, `items.${index}.${field}`, words)}
              >
                {(control) => (
                  <input
                    {...control}
                    inputMode={name === "description" ? "text" : "decimal"}
                    dir={name === "description" ? "auto" : undefined}
                    value={line[name]}
                    onInput={({ currentTarget: { value } }) => change(index, { [name]: value })}
                  />
                )}
              </Field>
            ))}
            <label class="check-line">
              <input
                type="checkbox"
                checked={line.isIncluded}
                onChange={({ currentTarget: { checked } }) => change(index, { isIncluded: checked })}
              />
              {words.taxIncluded}
            </label>
            {lines.length > 1 && (
              <button
                type="button"
                class="button small-button"
                aria-label={fill(words.removeLine, { number })}
                onClick={() => {
                  next.current = Math.min(index, lines.length - 2)
                  onChange(lines.filter((_, at) => at !== index))
                }}
              >
                {words.remove}
              </button>
            )}
          </fieldset>
        )
      })}
      <div>
        <button
          type="button"
          class="button small-button"
          onClick={() => {
            const last = lines.at(-1) ?? emptyLine
            next.current = lines.length
            onChange([...lines, { ...emptyLine, rate: last.rate, isIncluded: last.isIncluded }])
          }}
        >
          {words.addLine}
        </button>
      </div>
    </div>
  )
}

/** What an invoice and a credit note have in common. */
interface Document {
  readonly currency: string
  readonly items: ReadonlyArray<InvoiceItem>
  readonly subtotal: number
  readonly tax_breakdown: ReadonlyArray<InvoiceTaxBreakdown>
  readonly total_amount: number
}

export const LineTable = ({
  document: { currency, items, subtotal, tax_breakdown, total_amount },
  more = [],
  words
}: Worded & {
  readonly document: Document
  /** Further sums below the total. */
  readonly more?: ReadonlyArray<readonly [label: string, amount: number]>
}): JSX.Element => {
  const sums = [
    [words.subtotal, subtotal],
    ...tax_breakdown.map(
      ({ name, rate, tax_amount }) =>
        [name ?? fill(words.tax, { rate: format.percent(rate) }), tax_amount] as const
    ),
    [words.total, total_amount],
    ...more
  ] as const
  return (
    <table class="list">
      <caption class="unseen">{words.lines}</caption>
      <thead>
        <tr>
          <th scope="col">{words.description}</th>
          <th scope="col" class="number">
            {words.quantity}
          </th>
          <th scope="col" class="number">
            {words.unitPrice}
          </th>
          <th scope="col" class="number">
            {words.taxRate}
          </th>
          <th scope="col" class="number">
            {words.amount}
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((item, index) => (
          <tr key={index}>
            <td data-label={words.description}>
              <bdi>{item.description}</bdi>
            </td>
            <td class="number" data-label={words.quantity}>
              {format.number(item.quantity)}
            </td>
            <td class="number" data-label={words.unitPrice}>
              {money(item.unit_price, currency)}
            </td>
            <td class="number" data-label={words.taxRate}>
              {format.percent(item.tax_rate)}
            </td>
            <td class="number" data-label={words.amount}>
              {money(item.gross_amount ?? item.amount, currency)}
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        {sums.map(([label, amount]) => (
          <tr key={label}>
            <th scope="row" colSpan={4}>
              {label}
            </th>
            <td class="number">
              {label === words.total ? <strong>{money(amount, currency)}</strong> : money(amount, currency)}
            </td>
          </tr>
        ))}
      </tfoot>
    </table>
  )
}
