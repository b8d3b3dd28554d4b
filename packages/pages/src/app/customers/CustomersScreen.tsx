/** Customers: the list, each record, and what a customer booked and owes. */
import type { Customer, Invoice, Trip } from "@livery/client"
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { fill } from "../../i18n/Format.ts"
import { api } from "../Api.ts"
import { dateText, momentOf, money } from "../Formats.ts"
import { mayRead, mayWrite } from "../Member.ts"
import { CalendarLink } from "../parts/CalendarLink.tsx"
import { useReading } from "../parts/Loaded.tsx"
import { usePages } from "../parts/Pages.ts"
import type { RecordField } from "../parts/Record.tsx"
import { type Resource, resourceScreen } from "../parts/Resource.tsx"
import { Table } from "../parts/Table.tsx"
import { hrefOf } from "../Router.ts"
import type { Screen } from "../screens.ts"
import { Drivers } from "./Drivers.tsx"
import { Notices } from "./Notices.tsx"
import { Statement } from "./Statement.tsx"
import type { CustomersWords } from "./words/en.ts"

type Worded = { readonly words: CustomersWords }

const fields = (customer: Customer | undefined, words: CustomersWords): ReadonlyArray<RecordField> => [
  { name: "name", label: words.name, value: customer?.name ?? "", isRequired: true },
  { name: "company", label: words.company, value: customer?.company ?? "" },
  { name: "email", label: words.email, value: customer?.email ?? "", kind: "email" },
  { name: "phone", label: words.phone, value: customer?.phone ?? "", kind: "tel" },
  { name: "address", label: words.address, value: customer?.address ?? "", kind: "area" },
  { name: "country", label: words.country, value: customer?.country ?? "", hint: words.countryHint },
  { name: "vat_number", label: words.vatNumber, value: customer?.vat_number ?? "" },
  { name: "language", label: words.language, value: customer?.language ?? "", hint: words.languageHint },
  { name: "notes", label: words.notes, value: customer?.notes ?? "", kind: "area" }
]

const Trips = ({ id, words }: Worded & { readonly id: number }) => {
  const pages = usePages<Trip>(`trips of ${id}`, () => api.customers.trips({ id, per_page: 10 }))
  return (
    <section class="card record wide">
      <div class="record-head">
        <h2>{words.trips}</h2>
        {mayWrite("operations") && (
          <a class="button small-button" href={hrefOf(`/trips/new?customer=${id}`)}>
            {words.newTrip}
          </a>
        )}
      </div>
      <Table
        label={words.trips}
        pages={pages}
        keyOf={({ trip_id }) => trip_id}
        hrefOf={({ trip_id }) => hrefOf(`/trips/${trip_id}`)}
        empty={words.noTrips}
        words={words}
        columns={[
          { name: "date", label: words.date, isShort: true, cell: ({ trip_date }) => momentOf(trip_date) },
          {
            name: "route",
            label: words.route,
            cell: ({ dropoff_address, pickup_address }) => (
              <span>
                <bdi>{pickup_address}</bdi> → <bdi>{dropoff_address}</bdi>
              </span>
            )
          },
          {
            name: "amount",
            label: words.amount,
            isNumber: true,
            cell: ({ currency, total_amount }) => money(total_amount, currency ?? undefined)
          }
        ]}
      />
    </section>
  )
}

const Invoices = ({ id, words }: Worded & { readonly id: number }) => {
  const pages = usePages<Invoice>(`invoices of ${id}`, () => api.customers.invoices({ id, per_page: 10 }))
  const credit = useReading(`credit of ${id}`, () => api.remittances.credit({ id }))
  const [isOpen, setOpen] = useState(false)
  return (
    <section class="card record wide">
      <div class="record-head">
        <h2>{words.invoices}</h2>
        <div class="row">
          <button type="button" class="button small-button" onClick={() => setOpen(true)}>
            {words.statement}
          </button>
          {mayWrite("billing") && (
            <a class="button small-button" href={hrefOf(`/money/new?customer=${id}`)}>
              {words.newInvoice}
            </a>
          )}
        </div>
      </div>
      {isOpen && <Statement id={id} onClose={() => setOpen(false)} words={words} />}
      {credit.data?.balances.map(({ amount, currency }) => (
        <p key={currency}>{fill(words.hasCredit, { amount: money(amount, currency) })}</p>
      ))}
      <Table
        label={words.invoices}
        pages={pages}
        keyOf={({ invoice_id }) => invoice_id}
        hrefOf={({ invoice_id }) => hrefOf(`/money/${invoice_id}`)}
        empty={words.noInvoices}
        words={words}
        columns={[
          {
            name: "number",
            label: words.reference,
            isShort: true,
            cell: ({ number }) => number ?? words.draft
          },
          {
            name: "due",
            label: words.due,
            isShort: true,
            cell: ({ due_date }) => due_date !== null && dateText(due_date)
          },
          {
            name: "amount",
            label: words.amount,
            isNumber: true,
            cell: ({ currency, total_amount }) => money(total_amount, currency)
          },
          {
            name: "open",
            label: words.open,
            isNumber: true,
            cell: ({ amount_due, currency }) => money(amount_due, currency)
          }
        ]}
      />
    </section>
  )
}

const customers: Resource<Customer, CustomersWords> = {
  name: "customers",
  area: "customers",
  title: (words) => words.customers,
  newTitle: (words) => words.newCustomer,
  idOf: ({ customer_id }) => customer_id,
  nameOf: ({ name }) => name,
  list: (filters) => api.customers.list({ ...filters, per_page: 50 }),
  read: (id) => api.customers.read({ id }),
  create: (input) => api.customers.create(input as never),
  update: (id, changes, before) => api.customers.update({ id, ...changes }, { ifMatch: before }),
  remove: (id, force) => api.customers.remove({ id, force }),
  hasSearch: true,
  columns: (words) => [
    { name: "name", label: words.name, cell: ({ name }) => <bdi>{name}</bdi>, sort: ({ name }) => name },
    {
      name: "company",
      label: words.company,
      cell: ({ company }) => <bdi>{company}</bdi>,
      sort: ({ company }) => company ?? ""
    },
    { name: "phone", label: words.phone, isShort: true, cell: ({ phone }) => <bdi>{phone}</bdi> },
    { name: "email", label: words.email, cell: ({ email }) => <bdi>{email}</bdi> }
  ],
  fields,
  more: (customer, words, reading): JSX.Element => (
    <>
      {mayRead("operations") && <Drivers customer={customer} reading={reading} words={words} />}
      <Notices id={customer.customer_id} words={words} />
      {mayWrite("customers") && (
        <CalendarLink
          create={() => api.calendars.linkCustomer({ id: customer.customer_id })}
          end={() => api.calendars.unlinkCustomer({ id: customer.customer_id })}
          words={words}
        />
      )}
      {mayRead("operations") && <Trips id={customer.customer_id} words={words} />}
      {mayRead("billing") && <Invoices id={customer.customer_id} words={words} />}
    </>
  ),
  imported: "customers",
  empty: (words) => words.firstCustomer
}

export const screen: Screen<CustomersWords> = resourceScreen(customers)
