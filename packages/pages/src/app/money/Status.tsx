/** The states of invoices, and the names of invoices and their customers. */
import type { Customer, Invoice, InvoiceStatus } from "@livery/client"
import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import { Badge } from "../../components/Notice.tsx"
import { fill } from "../../i18n/Format.ts"
import { api } from "../Api.ts"
import { mayRead } from "../Member.ts"
import { hrefOf } from "../Router.ts"
import type { MoneyWords } from "./words/en.ts"

type Worded = { readonly words: MoneyWords }

export const invoiceStates: Readonly<Record<InvoiceStatus, "plain" | "good" | "warn">> = {
  draft: "plain",
  unpaid: "warn",
  partial: "warn",
  paid: "good",
  void: "plain"
}

export const StatusBadge = ({
  invoice: { overdue, status },
  words
}: Worded & { readonly invoice: Invoice }): JSX.Element =>
  overdue ? (
    <Badge tone="bad" icon="clock">
      {words.overdue}
    </Badge>
  ) : (
    <Badge tone={invoiceStates[status]}>{words[status]}</Badge>
  )

/** What an invoice is called; a draft has no number. */
export const nameOf = ({ number }: Invoice, words: MoneyWords): string =>
  number === null ? words.draft : fill(words.invoice, { number })

/** The customers that this tab has read. A list names each customer by its id only. */
const known = new Map<number, Promise<Customer>>()

export const customerOf = (id: number): Promise<Customer> => {
  const customer = known.get(id) ?? api.customers.read({ id })
  known.set(id, customer)
  customer.catch(() => known.delete(id))
  return customer
}

export const CustomerName = ({
  id,
  isLink = false
}: {
  readonly id: number | null
  readonly isLink?: boolean
}): JSX.Element | null => {
  const [name, setName] = useState<string>()
  useEffect(() => {
    let isGone = false
    setName(undefined)
    if (id !== null && mayRead("customers"))
      customerOf(id).then(
        (customer) => !isGone && setName(customer.company ?? customer.name),
        () => undefined
      )
    return () => {
      isGone = true
    }
  }, [id])
  if (id === null || name === undefined) return null
  return isLink ? (
    <a href={hrefOf(`/customers/${id}`)}>
      <bdi>{name}</bdi>
    </a>
  ) : (
    <bdi>{name}</bdi>
  )
}
