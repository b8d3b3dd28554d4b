/** Money: invoices and their payments, the invoices of a month, what is unpaid, and files for the books. */
import type { JSX } from "preact"
import { later } from "../../components/Later.tsx"
import type { Screen, ScreenProps } from "../screens.ts"
import { InvoiceList } from "./InvoiceList.tsx"
import "./money.css"
import type { MoneyWords } from "./words/en.ts"

type Worded = { readonly words: MoneyWords }

const NewInvoice = later<Worded>(async () => (await import("./NewInvoice.tsx")).NewInvoice)
const InvoiceRecord = later<Worded & { readonly id: number }>(
  async () => (await import("./InvoiceRecord.tsx")).InvoiceRecord
)
const MonthlyRuns = later<Worded & { readonly id: string | undefined }>(
  async () => (await import("./MonthlyRuns.tsx")).MonthlyRuns
)
const Unpaid = later<Worded>(async () => (await import("./Books.tsx")).Unpaid)
const Exports = later<Worded>(async () => (await import("./Books.tsx")).Exports)

const Money = ({ rest: [name, id], words }: ScreenProps<MoneyWords>): JSX.Element => {
  switch (name) {
    case undefined:
      return <InvoiceList words={words} />
    case "new":
      return <NewInvoice words={words} />
    case "monthly":
      return <MonthlyRuns id={id} words={words} />
    case "unpaid":
      return <Unpaid words={words} />
    case "exports":
      return <Exports words={words} />
    default:
      return <InvoiceRecord key={name} id={Number(name)} words={words} />
  }
}

export const screen: Screen<MoneyWords> = Money
