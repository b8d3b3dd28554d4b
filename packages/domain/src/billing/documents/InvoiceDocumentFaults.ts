/**
 * Finds the faults that prevent an invoice from being an electronic invoice of EN 16931. The names of rules are those
 * of the standard.
 */
import { exponentOf } from "../../kernel/money/Currency.ts"
import { multiply } from "../../kernel/money/Money.ts"
import type { InvoiceDocument, InvoiceTax } from "./InvoiceDocument.ts"

/** The European Union, the European Economic Area, Switzerland, the United Kingdom and Northern Ireland. */
const european = new Set(
  (
    "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK " + // the Union
    "IS LI NO CH GB XI"
  ).split(" ")
)

/** Whether a seller in this country is expected to send electronic invoices. */
export const expectsElectronicInvoices = (country: string | null): boolean =>
  country !== null && european.has(country)

const sum = (amounts: ReadonlyArray<number>) => amounts.reduce((total, amount) => total + amount, 0)

/** A decimal text as a fraction: `"-7.7"` is -77 / 10. */
const fraction = (decimal: string): readonly [numerator: number, denominator: number] | undefined => {
  const match = /^(-?\d{1,9})(?:\.(\d{1,6}))?$/u.exec(decimal)
  if (match === null) return undefined
  const [, whole = "", decimals = ""] = match
  return [Number(whole + decimals), 10 ** decimals.length]
}

/** Whether two rates are equal. They may be written differently: `"19"` and `"19.0"`. */
const isSameRate = (left: string, right: string) => Number(left) === Number(right)

/**
 * How far the tax of a rate may be from the rounded one, in minor units. The tax of a credit note is the difference of two
 * rounded ones (`Credit.ts`). Prices with tax add up to a total for which no net amount may exist whose rounded tax fits, and
 * lines at the same rate may have prices without tax (`InvoiceSums.ts`).
 */
const toleranceOf = ({ kind, lines }: InvoiceDocument) =>
  (kind === "credit_note" ? 1 : 0) + (lines.some(({ with_tax }) => with_tax !== undefined) ? 2 : 0)

const isTaxRight = (tax: InvoiceTax, document: InvoiceDocument) => {
  const rate = fraction(tax.rate)
  if (rate === undefined) return false
  const [numerator, denominator] = rate
  const money = { minor: tax.taxable_minor, currency: document.currency }
  const rounded = multiply(money, numerator, denominator * 100).minor
  // BR-S-09 and BR-CO-17: the exact tax is less than one whole unit of the currency away.
  const exact = Math.abs(tax.tax_minor - (tax.taxable_minor * numerator) / (denominator * 100))
  return (
    Math.abs(rounded - tax.tax_minor) <= toleranceOf(document) && exact < 10 ** exponentOf(document.currency)
  )
}

const isLineRight = (line: InvoiceDocument["lines"][number], document: InvoiceDocument) => {
  const [quantity, base] = [fraction(line.quantity), fraction(line.base_quantity ?? "1")]
  if (quantity === undefined || base === undefined) return false
  const price = { minor: line.unit_price_minor, currency: document.currency }
  return multiply(price, quantity[0] * base[1], quantity[1] * base[0]).minor === line.net_minor
}

/** The amount due that follows from the other sums; nothing is due of a void invoice. */
const dueOf = ({ credited_minor, paid_minor, total_minor, voided }: InvoiceDocument) =>
  voided ? 0 : total_minor - credited_minor - paid_minor

/** BR-CO-10, -13, -14, -15, -16: the sums agree with each other. */
const sumFaults = (document: InvoiceDocument) => [
  ...(sum(document.lines.map(({ net_minor }) => net_minor)) === document.subtotal_minor ? [] : ["subtotal"]),
  ...(sum(document.taxes.map(({ tax_minor }) => tax_minor)) === document.tax_minor ? [] : ["tax"]),
  ...(document.subtotal_minor + document.tax_minor === document.total_minor ? [] : ["total"]),
  ...(dueOf(document) === document.due_minor ? [] : ["due"])
]

/** The taxes as the standard lists them, one for each category and rate: it has no names of taxes. */
export const electronicTaxes = (taxes: ReadonlyArray<InvoiceTax>): ReadonlyArray<InvoiceTax> =>
  [...Map.groupBy(taxes, ({ category, rate }) => `${category} ${Number(rate)}`).values()].flatMap((same) => {
    const [first] = same
    return first === undefined
      ? []
      : [
          {
            ...first,
            taxable_minor: sum(same.map(({ taxable_minor }) => taxable_minor)),
            tax_minor: sum(same.map(({ tax_minor }) => tax_minor))
          }
        ]
  })

/** BR-S-08 and its like: the tax breakdown lists the category and rate of each line, with the sum of those lines. */
const breakdownFaults = (document: InvoiceDocument) =>
  electronicTaxes(document.taxes).flatMap((tax, at) => {
    const lines = document.lines.filter(
      (line) => line.tax_category === tax.category && isSameRate(line.tax_rate, tax.rate)
    )
    const covered = sum(lines.map(({ net_minor }) => net_minor)) === tax.taxable_minor
    return covered && isTaxRight(tax, document) ? [] : [`taxes[${at}]`]
  })

/** Whether the tax breakdown lacks the category and rate of a line. */
const hasUncoveredLine = (document: InvoiceDocument) =>
  document.lines.some(
    (line) =>
      !document.taxes.some((tax) => tax.category === line.tax_category && isSameRate(tax.rate, line.tax_rate))
  )

const categoryFaults = ({ category, rate, reason }: InvoiceTax, at: number) => {
  if (category === "outside_scope") return [`taxes[${at}].category`]
  const zero = Number(rate) === 0
  return [
    ...((category === "standard") === zero ? [`taxes[${at}].rate`] : []),
    // BR-E-10, BR-AE-10
    ...((category === "exempt" || category === "reverse_charge") && reason === null
      ? [`taxes[${at}].reason`]
      : [])
  ]
}

const partyFaults = ({ buyer, seller, taxes }: InvoiceDocument) => {
  const reverse = taxes.some(({ category }) => category === "reverse_charge")
  return [
    ...(seller.name === "" ? ["seller.name"] : []),
    ...(buyer.name === "" ? ["buyer.name"] : []),
    // BR-09, BR-11
    ...(/^[A-Z]{2}$/u.test(seller.address.country ?? "") ? [] : ["seller.address.country"]),
    ...(/^[A-Z]{2}$/u.test(buyer.address.country ?? "") ? [] : ["buyer.address.country"]),
    // BR-S-02 and its like; BR-CO-09: the identifier starts with a country
    ...(seller.vat_id === null && seller.tax_number === null ? ["seller.vat_id"] : []),
    ...[seller, buyer].flatMap(({ vat_id }, at) =>
      vat_id === null || /^[A-Z]{2}/u.test(vat_id) ? [] : [at === 0 ? "seller.vat_id" : "buyer.vat_id"]
    ),
    // BR-AE-02
    ...(reverse && buyer.vat_id === null && buyer.registration === null ? ["buyer.vat_id"] : []),
    ...(reverse && seller.vat_id === null ? ["seller.vat_id"] : [])
  ]
}

/** The fields that are missing or contradict others, each once, by their paths; none if the invoice is complete. */
export const electronicInvoiceFaults = (document: InvoiceDocument): ReadonlyArray<string> => [
  ...new Set([
    ...(document.number === "" ? ["number"] : []),
    // BR-DEC: amounts have at most two decimals
    ...(exponentOf(document.currency) > 2 ? ["currency"] : []),
    ...(document.voided ? ["voided"] : []),
    ...partyFaults(document),
    // BR-16
    ...(document.lines.length === 0 ? ["lines"] : []),
    ...document.lines.flatMap((line, at) => [
      // BR-25
      ...(line.description === "" ? [`lines[${at}].description`] : []),
      ...(isLineRight(line, document) ? [] : [`lines[${at}].net`]),
      // BG-30: a line has one rate
      ...(line.tax_rates === undefined ? [] : [`lines[${at}].taxes`]),
      // BR-27
      ...(line.unit_price_minor < 0 ? [`lines[${at}].unit_price`] : [])
    ]),
    ...document.taxes.flatMap(categoryFaults),
    ...breakdownFaults(document),
    ...(hasUncoveredLine(document) ? ["taxes"] : []),
    ...sumFaults(document),
    // BR-CO-25
    ...(document.due_minor > 0 && document.due_on === null ? ["due_date"] : [])
  ])
]
