/** What the platform sells and invoices, and its audit log: lists that are read. */
import type { Audit, Plan, SaasCoupon } from "@livery/client"
import type { JSX } from "preact"
import { Facts } from "../../components/Facts.tsx"
import { Badge } from "../../components/Notice.tsx"
import { format } from "../../i18n/Language.ts"
import { api } from "../Api.ts"
import { dateText, momentOf, money } from "../Formats.ts"
import { Filters, filtersOf } from "../parts/Filters.tsx"
import { Loaded, useReading } from "../parts/Loaded.tsx"
import { usePages } from "../parts/Pages.ts"
import { Table } from "../parts/Table.tsx"
import { hrefOf } from "../Router.ts"
import type { PlatformWords } from "./words/en.ts"

type Worded = { readonly words: PlatformWords }

const Active = ({ active, words }: Worded & { readonly active: boolean }) => (
  <Badge tone={active ? "good" : "plain"}>{active ? words.active : words.inactive}</Badge>
)

const limit = (count: number | null) => (count === null ? "∞" : format.number(count))

export const Plans = ({ words }: Worded): JSX.Element => {
  const pages = usePages<Plan>("plans", () => api.adminPlans.list({ include_inactive: true, per_page: 100 }))
  return (
    <Table
      label={words.plans}
      pages={pages}
      keyOf={({ plan_id }) => plan_id}
      empty={<p class="muted">{words.plansHelp}</p>}
      words={words}
      columns={[
        { name: "name", label: words.name, cell: ({ name }) => <bdi>{name}</bdi>, sort: ({ name }) => name },
        { name: "cars", label: words.cars, isNumber: true, cell: ({ cars }) => limit(cars) },
        { name: "drivers", label: words.drivers, isNumber: true, cell: ({ drivers }) => limit(drivers) },
        { name: "invoices", label: words.invoices, isNumber: true, cell: ({ invoices }) => limit(invoices) },
        {
          name: "price",
          label: words.seatPrice,
          isNumber: true,
          cell: ({ currency, seat_price }) => money(seat_price, currency)
        },
        {
          name: "status",
          label: words.status,
          cell: ({ active }) => <Active active={active} words={words} />
        }
      ]}
    />
  )
}

const discount = ({ amount_off, currency, percent_off }: SaasCoupon) =>
  percent_off === null ? money(amount_off, currency ?? undefined) : format.percent(percent_off)

export const Coupons = ({ words }: Worded): JSX.Element => {
  const pages = usePages<SaasCoupon>("coupons", () => api.adminCoupons.list({ per_page: 50 }))
  return (
    <Table
      label={words.coupons}
      pages={pages}
      keyOf={({ coupon_id }) => coupon_id}
      empty={<p class="muted">{words.couponsHelp}</p>}
      words={words}
      columns={[
        { name: "code", label: words.code, cell: ({ code }) => <bdi>{code}</bdi> },
        { name: "discount", label: words.discount, isNumber: true, cell: discount },
        {
          name: "duration",
          label: words.duration,
          cell: ({ duration, duration_months }) =>
            `${words[`duration_${duration}`]}${duration_months === null ? "" : ` ${duration_months}`}`
        },
        {
          name: "redeemed",
          label: words.redeemed,
          isNumber: true,
          cell: ({ max_redemptions, times_redeemed }) =>
            `${format.number(times_redeemed)} / ${limit(max_redemptions)}`
        },
        {
          name: "until",
          label: words.validUntil,
          cell: ({ valid_until }) => valid_until !== null && dateText(valid_until.slice(0, 10))
        },
        {
          name: "status",
          label: words.status,
          cell: ({ active }) => <Active active={active} words={words} />
        }
      ]}
    />
  )
}

const statuses = ["unpaid", "partial", "paid", "void"] as const

export const Invoices = ({ words }: Worded): JSX.Element => {
  const asked = filtersOf(["status"])["status"]
  const status = statuses.find((it) => it === asked)
  const pages = usePages(`platform invoices ${asked}`, () =>
    api.adminSaasInvoices.list({ per_page: 50, ...(status !== undefined && { status }) })
  )
  return (
    <>
      <Filters
        words={words}
        hasSearch={false}
        choices={[
          {
            name: "status",
            label: words.status,
            options: statuses.map((it) => [it, words[`invoice_${it}`]] as const)
          }
        ]}
      />
      <Table
        label={words.invoices}
        pages={pages}
        keyOf={({ saas_invoice_id }) => saas_invoice_id}
        hrefOf={({ saas_invoice_id }) => hrefOf(`/platform/invoices/${saas_invoice_id}`)}
        isFiltered={status !== undefined}
        empty={<p class="muted">{words.invoicesHelp}</p>}
        words={words}
        columns={[
          { name: "number", label: words.reference, isShort: true, cell: ({ number }) => number },
          {
            name: "business",
            label: words.business,
            cell: ({ business_name }) => <bdi>{business_name}</bdi>
          },
          {
            name: "date",
            label: words.date,
            isShort: true,
            cell: ({ issued_on }) => dateText(issued_on)
          },
          {
            name: "amount",
            label: words.amount,
            isNumber: true,
            cell: ({ currency, total_amount }) => money(total_amount, currency)
          },
          {
            name: "due",
            label: words.open,
            isNumber: true,
            cell: ({ amount_due, currency }) => money(amount_due, currency)
          },
          { name: "status", label: words.status, cell: ({ status: it }) => words[`invoice_${it}`] }
        ]}
      />
    </>
  )
}

export const Invoice = ({ id, words }: Worded & { readonly id: number }): JSX.Element => {
  const reading = useReading(`platform invoice ${id}`, () => api.adminSaasInvoices.read({ id }))
  return (
    <Loaded reading={reading} words={words}>
      {(invoice) => (
        <section class="card record" aria-labelledby="invoice">
          <h2 id="invoice">{invoice.number}</h2>
          <Facts
            facts={[
              [words.business, <bdi>{invoice.business_name}</bdi>],
              [words.status, words[`invoice_${invoice.status}`]],
              [words.date, format.day(invoice.issued_on)],
              ...invoice.lines.map(
                ({ amount, description }) => [description, money(amount, invoice.currency)] as const
              ),
              [
                words.discount,
                invoice.discount_total !== 0 && money(invoice.discount_total, invoice.currency)
              ],
              [words.tax, money(invoice.tax_total, invoice.currency)],
              [words.total, money(invoice.total_amount, invoice.currency)],
              ...invoice.payments.map(
                ({ amount, paid_on }) =>
                  [`${words.paidOn} ${format.day(paid_on)}`, money(amount, invoice.currency)] as const
              ),
              [words.open, money(invoice.amount_due, invoice.currency)]
            ]}
          />
        </section>
      )}
    </Loaded>
  )
}

/** The fields that a change has set, in one line each. */
const Changed = ({ value }: { readonly value: unknown }) => (
  <>
    {Object.entries(Object(value) as Record<string, unknown>).map(([name, it]) => (
      <span key={name} class="listed">
        <code>
          {name}: {JSON.stringify(it)}
        </code>
      </span>
    ))}
  </>
)

export const Audits = ({ words }: Worded): JSX.Element => {
  const { search, ...others } = filtersOf(["search"])
  const filters = { ...others, ...(search !== undefined && { action: search }) }
  const pages = usePages<Audit>(`audit ${search}`, () => api.adminAudit.list({ ...filters, per_page: 50 }))
  return (
    <>
      <Filters words={{ ...words, search: words.searchAction }} />
      <Table
        label={words.audit}
        pages={pages}
        keyOf={({ audit_id }) => audit_id}
        isFiltered={search !== undefined}
        empty={null}
        words={words}
        columns={[
          { name: "date", label: words.date, isShort: true, cell: ({ at }) => momentOf(at) },
          { name: "actor", label: words.actor, cell: ({ actor }) => <bdi>{actor}</bdi> },
          { name: "action", label: words.action, cell: ({ action }) => <code>{action}</code> },
          { name: "subject", label: words.subject, cell: ({ subject }) => <bdi>{subject}</bdi> },
          { name: "before", label: words.before, cell: ({ before }) => <Changed value={before} /> },
          { name: "after", label: words.after, cell: ({ after }) => <Changed value={after} /> },
          { name: "reason", label: words.reason, cell: ({ reason }) => <bdi>{reason}</bdi> }
        ]}
      />
    </>
  )
}
