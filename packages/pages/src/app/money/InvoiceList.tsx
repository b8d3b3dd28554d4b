/** The invoices: searched by number, and filtered by state, customer and days. */
import type { Invoice, InvoiceStatus } from "@livery/client"
import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import { Field } from "../../components/Field.tsx"
import { api } from "../Api.ts"
import { dateText, money } from "../Formats.ts"
import { useCommands } from "../Keys.ts"
import { mayRead, mayWrite } from "../Member.ts"
import { Filters, filtersOf } from "../parts/Filters.tsx"
import { Page } from "../parts/Page.tsx"
import { usePages } from "../parts/Pages.ts"
import { CustomerInput } from "../parts/CustomerInput.tsx"
import { type Column, Table } from "../parts/Table.tsx"
import { hrefOf, navigate, setQuery } from "../Router.ts"
import { CustomerName, customerOf, invoiceStates, StatusBadge } from "./Status.tsx"
import type { MoneyWords } from "./words/en.ts"

type Worded = { readonly words: MoneyWords }

const filterNames = ["search", "status", "overdue", "date_from", "date_to", "customer_id"]

const columnsOf = (words: MoneyWords): ReadonlyArray<Column<Invoice>> => [
  {
    name: "number",
    label: words.number,
    isShort: true,
    cell: ({ number }) => <bdi>{number ?? words.draft}</bdi>,
    sort: ({ number }) => number ?? ""
  },
  {
    name: "customer",
    label: words.customer,
    cell: ({ customer_id }) => <CustomerName id={customer_id} />
  },
  {
    name: "issued",
    label: words.issued,
    isShort: true,
    cell: ({ issued_on }) => dateText(issued_on),
    sort: ({ issued_on }) => issued_on
  },
  {
    name: "due",
    label: words.due,
    isShort: true,
    cell: ({ due_date }) => due_date !== null && dateText(due_date),
    sort: ({ due_date }) => due_date ?? ""
  },
  {
    name: "status",
    label: words.status,
    cell: (invoice) => <StatusBadge invoice={invoice} words={words} />,
    sort: ({ status }) => status
  },
  {
    name: "total",
    label: words.total,
    isNumber: true,
    cell: ({ currency, total_amount }) => money(total_amount, currency),
    sort: ({ total_amount }) => total_amount
  },
  {
    name: "open",
    label: words.open,
    isNumber: true,
    cell: ({ amount_due, currency }) => money(amount_due, currency),
    sort: ({ amount_due }) => amount_due
  }
]

const CustomerFilter = ({ id, words }: Worded & { readonly id: string | undefined }) => {
  const [name, setName] = useState("")
  useEffect(() => {
    if (id === undefined) setName("")
    else
      customerOf(Number(id)).then(
        (customer) => setName(customer.name),
        () => undefined
      )
  }, [id])
  return (
    <Field label={words.anyCustomer}>
      {(control) => (
        <CustomerInput
          control={control}
          value={name}
          onChoose={(customer) => setQuery({ customer_id: String(customer.customer_id) })}
          onType={(text) => {
            setName(text)
            if (text === "") setQuery({ customer_id: undefined })
          }}
          words={words}
        />
      )}
    </Field>
  )
}

export const InvoiceList = ({ words }: Worded): JSX.Element => {
  const filters = filtersOf(filterNames)
  const pages = usePages(JSON.stringify(filters), () =>
    api.invoices.list({ ...(filters as Readonly<Record<string, never>>), per_page: 50 })
  )
  const mayAdd = mayWrite("billing")
  useCommands(mayAdd ? [{ key: "n", label: words.newInvoice, run: () => navigate("/money/new") }] : [])
  const add = mayAdd && (
    <a class="button primary" href={hrefOf("/money/new")}>
      {words.newInvoice}
    </a>
  )
  return (
    <Page
      title={words.money}
      actions={
        <>
          <a class="button" href={hrefOf("/money/unpaid")}>
            {words.unpaidByAge}
          </a>
          <a class="button" href={hrefOf("/money/exports")}>
            {words.exports}
          </a>
          {mayAdd && (
            <a class="button" href={hrefOf("/money/monthly")}>
              {words.monthlyRun}
            </a>
          )}
          {add}
        </>
      }
    >
      <Filters
        words={words}
        days={[
          ["date_from", words.fromDay],
          ["date_to", words.toDay]
        ]}
        choices={[
          {
            name: "status",
            label: words.status,
            options: Object.keys(invoiceStates).map(
              (state) => [state, words[state as InvoiceStatus]] as const
            )
          },
          { name: "overdue", label: words.due, options: [["true", words.overdue]] }
        ]}
      >
        {mayRead("customers") && <CustomerFilter id={filters["customer_id"]} words={words} />}
      </Filters>
      <Table
        label={words.invoices}
        pages={pages}
        columns={columnsOf(words)}
        keyOf={({ invoice_id }) => invoice_id}
        hrefOf={({ invoice_id }) => hrefOf(`/money/${invoice_id}`)}
        isFiltered={Object.keys(filters).length > 0}
        empty={
          <>
            <p class="muted">{words.firstInvoice}</p>
            {add}
          </>
        }
        words={words}
      />
    </Page>
  )
}
