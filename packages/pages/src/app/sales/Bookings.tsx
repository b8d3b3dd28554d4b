/** Bookings: the list, each with its payment, and the steps of confirming and cancelling. */
import type { Booking, BookingStatus, Product } from "@livery/client"
import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import { Facts } from "../../components/Facts.tsx"
import { Notice } from "../../components/Notice.tsx"
import { toast } from "../../components/Toast.tsx"
import { format } from "../../i18n/Language.ts"
import { allOf, api } from "../Api.ts"
import { localOf, momentOf, money } from "../Formats.ts"
import { useCommands } from "../Keys.ts"
import { mayWrite } from "../Member.ts"
import { Ask } from "../parts/Ask.tsx"
import type { Reading } from "../parts/Loaded.tsx"
import type { RecordField } from "../parts/Record.tsx"
import { type Resource, resourceScreen } from "../parts/Resource.tsx"
import { hrefOf } from "../Router.ts"
import type { ScreenProps } from "../screens.ts"
import { bookingStates, paymentStates, StateBadge } from "./Status.tsx"
import type { SalesWords } from "./words/en.ts"

/** The products that are booked; they are read once a screen needs them. */
let products: ReadonlyArray<Product> = []

const productName = (id: number) => products.find(({ product_id }) => product_id === id)?.name ?? "…"

const productOptions = () => products.map(({ name, product_id }) => [String(product_id), name] as const)

const textOf = (value: number | string | null | undefined) => String(value ?? "")

const fields = (booking: Booking | undefined, words: SalesWords): ReadonlyArray<RecordField> => [
  booking === undefined
    ? { name: "product_id", label: words.product, value: "", options: productOptions(), isRequired: true }
    : {
        name: "product_id",
        label: words.product,
        kind: "fixed",
        value: String(booking.product_id),
        shown: (
          <a href={hrefOf(`/sales/products/${booking.product_id}`)}>
            <bdi>{productName(booking.product_id)}</bdi>
          </a>
        )
      },
  {
    name: "starts_at",
    label: words.start,
    kind: "datetime-local",
    value: booking === undefined ? "" : localOf(booking.starts_at),
    shown: booking && momentOf(booking.starts_at),
    isRequired: true
  },
  {
    name: "participants_count",
    label: words.people,
    kind: "number",
    value: textOf(booking?.participants_count ?? 1)
  },
  { name: "customer_name", label: words.name, value: textOf(booking?.customer_name) },
  { name: "customer_phone", label: words.phone, kind: "tel", value: textOf(booking?.customer_phone) },
  { name: "customer_email", label: words.email, kind: "email", value: textOf(booking?.customer_email) },
  { name: "pickup_address", label: words.from, value: textOf(booking?.pickup_address) },
  { name: "dropoff_address", label: words.to, value: textOf(booking?.dropoff_address) },
  { name: "notes", label: words.notes, kind: "area", value: textOf(booking?.notes) }
]

const reasons = [
  "customer_request",
  "operator",
  "no_driver",
  "no_show",
  "late_cancel",
  "duplicate",
  "other"
] as const
const methods = ["card", "cash", "bank_transfer", "other"] as const

interface Parts {
  readonly booking: Booking
  readonly words: SalesWords
  readonly reading: Reading<Booking>
}

const Steps = ({ booking, reading, words }: Parts) => {
  const [step, setStep] = useState<"confirm" | "cancel" | "complete">()
  const id = booking.booking_id
  const may = (state: BookingStatus) => mayWrite("sales") && booking.allowed_transitions.includes(state)
  const steps = (
    [
      ["confirm", "c", words.confirmBooking, may("confirmed")],
      ["complete", "o", words.complete, may("completed")],
      ["cancel", "x", words.cancelBooking, may("cancelled")]
    ] as const
  ).filter(([, , , isPossible]) => isPossible)
  useCommands(steps.map(([name, key, label]) => ({ key, label, run: () => setStep(name) })))
  const take = (after: Booking) => {
    reading.set(after)
    toast(words.saved)
  }
  const close = () => setStep(undefined)
  const email: RecordField = {
    name: "email",
    label: words.tellCustomer,
    kind: "flag",
    value: "true",
    isRequired: true
  }
  return (
    <>
      {steps.map(([name, , label]) => (
        <button
          key={name}
          type="button"
          class={name === "confirm" ? "button primary" : "button"}
          onClick={() => setStep(name)}
        >
          {label}
        </button>
      ))}
      {step === "confirm" && (
        <Ask
          title={words.confirmBooking}
          submit={words.confirmBooking}
          anyway={words.anyway}
          fields={[email]}
          run={async (typed, force) => take(await api.bookings.confirm({ id, ...typed, ...force }))}
          onClose={close}
          words={words}
        />
      )}
      {step === "complete" && (
        <Ask
          title={words.complete}
          submit={words.complete}
          run={async () => take(await api.bookings.update({ id, status: "completed" }, { ifMatch: booking }))}
          onClose={close}
          words={words}
        />
      )}
      {step === "cancel" && (
        <Ask
          title={words.cancelBooking}
          submit={words.cancelBooking}
          anyway={words.anyway}
          fields={[
            {
              name: "cancel_reason",
              label: words.reason,
              value: "customer_request",
              options: reasons.map((reason) => [reason, words[`reason_${reason}`]] as const)
            },
            email
          ]}
          run={async (typed, force) => take(await api.bookings.cancel({ id, ...typed, ...force }))}
          onClose={close}
          words={words}
        />
      )}
    </>
  )
}

const Payment = ({ booking, reading, words }: Parts) => {
  const [step, setStep] = useState<"pay" | "link">()
  const [link, setLink] = useState<string>()
  const id = booking.booking_id
  const close = () => setStep(undefined)
  return (
    <section class="card record">
      <div class="record-head">
        <h2>{words.payment}</h2>
        {mayWrite("billing") && booking.payment_status !== "paid" && (
          <div class="row">
            <button type="button" class="button small-button" onClick={() => setStep("pay")}>
              {words.recordPayment}
            </button>
            <button type="button" class="button small-button" onClick={() => setStep("link")}>
              {words.paymentLink}
            </button>
          </div>
        )}
      </div>
      <Facts
        facts={[
          [words.status, <StateBadge key="state" state={booking.payment_status} words={words} />],
          [words.amount, money(booking.total_amount, booking.currency)],
          [
            words.invoice,
            booking.invoice_id !== null && (
              <a href={hrefOf(`/money/${booking.invoice_id}`)}>#{booking.invoice_id}</a>
            )
          ]
        ]}
      />
      {link !== undefined && (
        <Notice tone="good" role="status">
          <bdi class="wrap">{link}</bdi>{" "}
          <button
            type="button"
            class="button small-button"
            onClick={() => void navigator.clipboard.writeText(link).then(() => toast(words.copiedHere))}
          >
            {words.copy}
          </button>
        </Notice>
      )}
      {step === "pay" && (
        <Ask
          title={words.recordPayment}
          submit={words.recordPayment}
          fields={[
            {
              name: "amount",
              label: words.amount,
              kind: "number",
              value: format.number(booking.total_amount).replaceAll(/[\s’']/gu, ""),
              isRequired: true
            },
            {
              name: "method",
              label: words.method,
              value: "cash",
              options: methods.map((method) => [method, words[`method_${method}`]] as const),
              isRequired: true
            },
            { name: "reference", label: words.reference, value: "" },
            { name: "received_at", label: words.receivedAt, kind: "datetime-local", value: "" }
          ]}
          run={async (typed) => {
            await api.bookingBilling.pay({ id, ...(typed as object) } as never)
            toast(words.saved)
            reading.reload()
          }}
          onClose={close}
          words={words}
        />
      )}
      {step === "link" && (
        <Ask
          title={words.paymentLink}
          submit={words.makeLink}
          run={async () => {
            const { url } = await api.bookingBilling.link({ id })
            setLink(url ?? words.noLink)
            reading.reload()
          }}
          onClose={close}
          words={words}
        >
          <p class="muted small">{words.linkHelp}</p>
        </Ask>
      )}
    </section>
  )
}

const bookings: Resource<Booking, SalesWords> = {
  name: "sales/bookings",
  area: "sales",
  title: (words) => words.bookings,
  newTitle: (words) => words.newBooking,
  idOf: ({ booking_id }) => booking_id,
  nameOf: ({ reference }) => reference,
  list: (filters) => api.bookings.list({ ...(filters as { readonly status?: BookingStatus }), per_page: 50 }),
  read: (id) => api.bookings.read({ id }),
  create: (input) => api.bookings.create(input as never),
  update: (id, changes, before) => api.bookings.update({ id, ...(changes as object) }, { ifMatch: before }),
  remove: (id, force) => api.bookings.remove({ id, ...(force ? { force } : {}) }),
  hasSearch: false,
  choices: (words) => [
    {
      name: "status",
      label: words.status,
      options: bookingStates.map((state) => [state, words[state]] as const)
    },
    {
      name: "payment_status",
      label: words.payment,
      options: paymentStates.map((state) => [state, words[state]] as const)
    },
    { name: "product_id", label: words.product, options: productOptions() }
  ],
  columns: (words) => [
    { name: "reference", label: words.reference, isShort: true, cell: ({ reference }) => reference },
    {
      name: "start",
      label: words.start,
      isShort: true,
      cell: ({ starts_at }) => momentOf(starts_at),
      sort: ({ starts_at }) => starts_at
    },
    { name: "product", label: words.product, cell: ({ product_id }) => <bdi>{productName(product_id)}</bdi> },
    {
      name: "customer",
      label: words.customer,
      cell: ({ customer_name }) => <bdi>{customer_name}</bdi>,
      sort: ({ customer_name }) => customer_name ?? ""
    },
    {
      name: "people",
      label: words.people,
      isNumber: true,
      cell: ({ participants_count }) => format.number(participants_count)
    },
    {
      name: "status",
      label: words.status,
      cell: ({ status }) => <StateBadge state={status} words={words} />,
      sort: ({ status }) => status
    },
    {
      name: "payment",
      label: words.payment,
      cell: ({ payment_status }) => <StateBadge state={payment_status} words={words} />
    },
    {
      name: "amount",
      label: words.amount,
      isNumber: true,
      cell: ({ currency, total_amount }) => money(total_amount, currency)
    }
  ],
  fields,
  more: (booking, words, reading) => (
    <>
      <section class="card record">
        <h2>{words.status}</h2>
        <Facts
          facts={[
            [words.status, <StateBadge key="state" state={booking.status} words={words} />],
            [words.wasCreated, momentOf(booking.created_at)],
            [
              words.expires,
              booking.status === "pending" && booking.expires_at !== null && momentOf(booking.expires_at)
            ],
            [words.wasConfirmed, booking.confirmed_at !== null && momentOf(booking.confirmed_at)],
            [words.wasCancelled, booking.cancelled_at !== null && momentOf(booking.cancelled_at)],
            [
              words.trip,
              booking.trip_id !== null && <a href={hrefOf(`/trips/${booking.trip_id}`)}>#{booking.trip_id}</a>
            ],
            [
              words.customer,
              booking.customer_id !== null && (
                <a href={hrefOf(`/customers/${booking.customer_id}`)}>#{booking.customer_id}</a>
              )
            ]
          ]}
        />
      </section>
      <Payment booking={booking} reading={reading} words={words} />
    </>
  ),
  actions: (booking, words, reading) => <Steps booking={booking} words={words} reading={reading} />,
  empty: (words) => words.firstBooking
}

const Records = resourceScreen(bookings)

/** The bookings, with the names of the products once they are read. */
export const Bookings = (props: ScreenProps<SalesWords>): JSX.Element => {
  const [, redraw] = useState(products)
  useEffect(() => {
    allOf(api.products.list({ per_page: 100 })).then(
      (all) => {
        products = all
        redraw(all)
      },
      () => undefined
    )
  }, [])
  return <Records {...props} />
}
