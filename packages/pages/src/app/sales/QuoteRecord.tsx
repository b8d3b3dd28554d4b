/** One quote: its lines with their prices, its state, and the steps that are open. */
import type { Quote, QuoteItem, SentQuote } from "@livery/client"
import type { ComponentChildren, JSX } from "preact"
import { useState } from "preact/hooks"
import { Facts } from "../../components/Facts.tsx"
import { Notice } from "../../components/Notice.tsx"
import { toast } from "../../components/Toast.tsx"
import { fill } from "../../i18n/Format.ts"
import { format } from "../../i18n/Language.ts"
import { allOf, api } from "../Api.ts"
import { momentOf, money } from "../Formats.ts"
import { useCommands } from "../Keys.ts"
import { mayWrite } from "../Member.ts"
import { Ask } from "../parts/Ask.tsx"
import { Loaded, type Reading, useReading } from "../parts/Loaded.tsx"
import { Page } from "../parts/Page.tsx"
import { type Changes, RecordCard, type RecordField } from "../parts/Record.tsx"
import { Removal } from "../parts/Removal.tsx"
import { hrefOf, navigate } from "../Router.ts"
import { FareLines } from "../trips/Fare.tsx"
import { className, vehicleClasses } from "../trips/Fields.ts"
import { StateBadge } from "./Status.tsx"
import type { SalesWords } from "./words/en.ts"

type Worded = { readonly words: SalesWords }

const Item = ({
  currency,
  item: { amount, description, fare, trip },
  words
}: Worded & { readonly item: QuoteItem; readonly currency: string }) => (
  <li>
    <div class="line-head">
      <strong>
        <bdi>{description}</bdi>
      </strong>
      <span>{amount === null ? <em class="muted">{words.notPriced}</em> : money(amount, currency)}</span>
    </div>
    {trip !== null && (
      <span class="muted small">
        {momentOf(String(trip["trip_date"]))} · <bdi>{String(trip["pickup_address"])}</bdi> →{" "}
        <bdi>{String(trip["dropoff_address"])}</bdi>
      </span>
    )}
    {fare !== null && (
      <details>
        <summary>
          {fill(words.pricedIn, {
            class: className(fare.fare.vehicle_class, words),
            version: format.number(fare.tariff_version)
          })}
        </summary>
        <FareLines fare={fare.fare} currency={currency} words={words} />
      </details>
    )}
  </li>
)

const Lines = ({ quote, words }: Worded & { readonly quote: Quote }) => (
  <section class="card record wide">
    <h2>{words.offer}</h2>
    <ul class="quote-items">
      {quote.items.map((item, index) => (
        <Item key={index} item={item} currency={quote.currency} words={words} />
      ))}
      <li class="line-head">
        <strong>{words.total}</strong>
        <strong>{money(quote.total_amount, quote.currency) || words.none}</strong>
      </li>
    </ul>
  </section>
)

const moment = (at: string | null) => at !== null && momentOf(at)

const State = ({ quote, words }: Worded & { readonly quote: Quote }) => (
  <section class="card record">
    <h2>{words.status}</h2>
    <Facts
      facts={[
        [words.status, <StateBadge key="state" state={quote.status} words={words} />],
        [words.wasCreated, momentOf(quote.created_at)],
        [words.wasSent, moment(quote.sent_at)],
        [words.validUntil, moment(quote.valid_until)],
        [words.wasAccepted, moment(quote.accepted_at)],
        [
          words.acceptedBy,
          quote.accepted_by !== null && (
            <bdi>{[quote.accepted_by, quote.accepted_address].filter(Boolean).join(" · ")}</bdi>
          )
        ],
        [words.wasRejected, moment(quote.rejected_at)],
        [words.reason, quote.reject_reason !== null && <bdi>{quote.reject_reason}</bdi>],
        [words.wasConverted, moment(quote.converted_at)],
        [
          words.trips,
          quote.trip_ids.length > 0 && (
            <span class="row">
              {quote.trip_ids.map((id) => (
                <a key={id} href={hrefOf(`/trips/${id}`)}>
                  #{id}
                </a>
              ))}
            </span>
          )
        ]
      ]}
    />
  </section>
)

type Step = "price" | "send" | "accept" | "reject" | "convert" | "remove"

const useTariffs = () => useReading("tariffs to price by", () => allOf(api.fares.list({ per_page: 100 })))

const Price = ({
  onClose,
  quote,
  take,
  words
}: Worded & {
  readonly quote: Quote
  readonly take: (quote: Quote) => void
  readonly onClose: () => void
}) => {
  const tariffs = useTariffs()
  const first = quote.items.find(({ trip }) => trip?.["vehicle_class"])?.trip?.["vehicle_class"]
  return (
    <Loaded reading={tariffs} words={words} heights={[40]}>
      {(known) => (
        <Ask
          title={words.priceByTariff}
          submit={words.priceByTariff}
          fields={[
            {
              name: "vehicle_class",
              label: words.vehicleClass,
              value: typeof first === "string" ? first : "sedan",
              options: vehicleClasses.map((name) => [name, className(name, words)] as const),
              isRequired: true
            },
            {
              name: "tariff_id",
              label: words.tariff,
              value: "",
              hint: words.tariffHint,
              options: known.map(({ name, tariff_id }) => [String(tariff_id), name] as const)
            }
          ]}
          run={async (typed) =>
            take(await api.quotes.price({ id: quote.quote_id, ...(typed as object) }, { ifMatch: quote }))
          }
          onClose={onClose}
          words={words}
        >
          <p class="muted small">{words.priceHelp}</p>
        </Ask>
      )}
    </Loaded>
  )
}

/** The link of a quote that was just sent. */
const Link = ({ sent, words }: Worded & { readonly sent: SentQuote }) => (
  <Notice tone="good" role="status">
    {words.linkOnce} <bdi class="wrap">{sent.public_url}</bdi>{" "}
    <button
      type="button"
      class="button small-button"
      onClick={() => void navigator.clipboard.writeText(sent.public_url).then(() => toast(words.copiedHere))}
    >
      {words.copy}
    </button>
  </Notice>
)

const One = ({
  onSent,
  quote,
  reading,
  words
}: Worded & {
  readonly quote: Quote
  readonly reading: Reading<Quote>
  readonly onSent: (sent: SentQuote) => void
}) => {
  const [step, setStep] = useState<Step>()
  const id = quote.quote_id
  const mayEdit = mayWrite("sales")
  const isOpen = quote.status === "draft" || quote.status === "sent"
  const may = (state: Quote["status"]) => quote.allowed_transitions.includes(state)
  const close = () => setStep(undefined)
  const take = (after: Quote) => {
    reading.set(after)
    toast(words.saved)
  }
  const steps = (
    mayEdit
      ? [
          ["price", "p", words.priceByTariff, isOpen],
          [
            "send",
            "s",
            quote.status === "sent" ? words.sendAgain : words.send,
            may("sent") || quote.status === "sent"
          ],
          ["accept", "a", words.accept, may("accepted")],
          ["reject", "x", words.reject, may("rejected")],
          ["convert", "b", words.convert, may("converted") || may("accepted")]
        ]
      : []
  ) as ReadonlyArray<readonly [Step, string, string, boolean]>
  const open = steps.filter(([, , , isPossible]) => isPossible)
  useCommands([
    ...open.map(([name, key, label]) => ({ key, label, run: () => setStep(name) })),
    ...(mayEdit && isOpen
      ? [{ key: "e", label: words.edit, run: () => navigate(`/sales/quotes/${id}/edit`) }]
      : [])
  ])
  const flag = (name: string, label: string): RecordField => ({
    name,
    label,
    kind: "flag",
    value: "true",
    isRequired: true
  })
  const dialog = (
    title: string,
    run: (typed: Changes, force: { readonly force?: true }) => Promise<unknown>,
    fields: ReadonlyArray<RecordField> = [],
    help?: ComponentChildren
  ) => (
    <Ask
      title={title}
      submit={title}
      anyway={words.anyway}
      fields={fields}
      run={run}
      onClose={close}
      words={words}
    >
      {help}
    </Ask>
  )
  return (
    <Page
      title={
        <>
          {quote.reference} <StateBadge state={quote.status} words={words} />
        </>
      }
      actions={
        <>
          {open.map(([name, , label]) => (
            <button
              key={name}
              type="button"
              class={name === "send" || name === "convert" ? "button primary" : "button"}
              onClick={() => setStep(name)}
            >
              {label}
            </button>
          ))}
          {mayEdit && isOpen && (
            <a class="button" href={hrefOf(`/sales/quotes/${id}/edit`)}>
              {words.edit}
            </a>
          )}
          {mayEdit && (
            <button type="button" class="button" onClick={() => setStep("remove")}>
              {words.delete}
            </button>
          )}
        </>
      }
    >
      {!mayEdit && <p class="muted">{words.readOnly}</p>}
      <div class="record-grid">
        <Lines quote={quote} words={words} />
        <State quote={quote} words={words} />
        <section class="card record">
          <h2>{words.customer}</h2>
          <Facts
            facts={[
              [
                words.name,
                quote.customer_id === null ? (
                  <bdi>{quote.customer_name}</bdi>
                ) : (
                  <a href={hrefOf(`/customers/${quote.customer_id}`)}>
                    <bdi>{quote.customer_name}</bdi>
                  </a>
                )
              ],
              [words.phone, quote.customer_phone],
              [words.email, quote.customer_email]
            ]}
          />
        </section>
        <RecordCard
          title={words.internalNotes}
          fields={[{ name: "notes", label: words.notes, kind: "area", value: quote.notes ?? "" }]}
          mayEdit={mayEdit}
          onSave={async (changes) => take(await api.quotes.update({ id, ...changes }, { ifMatch: quote }))}
          onReload={reading.reload}
          words={words}
        />
      </div>
      {step === "price" && <Price quote={quote} take={take} onClose={close} words={words} />}
      {step === "send" &&
        dialog(
          words.send,
          async ({ email }) => {
            const sent = await api.quotes.send({ id, email: email === true })
            take(sent)
            onSent(sent)
          },
          [flag("email", words.byEmail)],
          <p class="muted small">{words.sendHelp}</p>
        )}
      {step === "accept" &&
        dialog(words.accept, async (typed) => take(await api.quotes.accept({ id, ...typed })), [
          { name: "name", label: words.acceptedBy, value: quote.customer_name ?? "" },
          flag("email", words.confirmByEmail)
        ])}
      {step === "reject" &&
        dialog(words.reject, async (typed) => take(await api.quotes.reject({ id, ...typed })), [
          { name: "reason", label: words.reason, value: "" }
        ])}
      {step === "convert" &&
        dialog(
          words.convert,
          async (_typed, force) => take(await api.quotes.convert({ id, ...force })),
          [],
          <p>{words.convertHelp}</p>
        )}
      {step === "remove" && (
        <Removal
          name={quote.reference}
          onRemove={async (force) => {
            await api.quotes.remove({ id, ...(force ? { force } : {}) })
            toast(fill(words.deleted, { name: quote.reference }))
            navigate("/sales/quotes", { replace: true })
          }}
          onClose={close}
          words={words}
        />
      )}
    </Page>
  )
}

export const QuoteRecord = ({ id, words }: Worded & { readonly id: number }): JSX.Element => {
  const reading = useReading(`quote ${id}`, () => api.quotes.read({ id }))
  const [sent, setSent] = useState<SentQuote>()
  return (
    <Loaded reading={reading} words={words}>
      {(quote) => (
        <>
          {sent !== undefined && quote.status === "sent" && <Link sent={sent} words={words} />}
          <One quote={quote} reading={reading} onSent={setSent} words={words} />
        </>
      )}
    </Loaded>
  )
}
