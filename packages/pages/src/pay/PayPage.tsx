/** The page of an invoice: what is due, and how to pay it. */
import type { JSX } from "preact"
import { useEffect } from "preact/hooks"
import { Field, focusFirstWrong } from "../components/Field.tsx"
import { Facts } from "../components/Facts.tsx"
import { Failed, failureText } from "../components/Failed.tsx"
import { Icon } from "../components/Icon.tsx"
import { Badge, Notice, type Tone } from "../components/Notice.tsx"
import { fill } from "../i18n/Format.ts"
import { format, locale } from "../i18n/Language.ts"
import { Shell, Skeleton } from "../shell/Shell.tsx"
import { amountText } from "./Amount.ts"
import type { Invoice } from "./Invoice.ts"
import * as state from "./state.ts"
import { StripeCard } from "./StripeCard.tsx"
import { TestCard } from "./TestCard.tsx"
import { Transfer } from "./Transfer.tsx"
import type { PayWords } from "./words/en.ts"
import "./pay.css"

type Worded = { readonly words: PayWords }

/** The state of an invoice in a word, with its meaning. A fully credited invoice has nothing due and nothing paid. */
const standingOf = (invoice: Invoice): readonly [Tone, keyof PayWords] => {
  if (invoice.status === "void") return ["plain", "void"]
  if (invoice.amount_due === 0)
    return invoice.amount_paid === 0 && invoice.amount_credited > 0 ? ["plain", "credited"] : ["good", "paid"]
  if (invoice.overdue) return ["bad", "overdue"]
  return invoice.status === "partial" ? ["warn", "partial"] : ["plain", "open"]
}

const Lines = ({ invoice, words }: Worded & { readonly invoice: Invoice }) => {
  const money = (amount: number) => format.money(amount, invoice.currency)
  const sums: ReadonlyArray<readonly [string, number]> = [
    ...(invoice.tax_total === 0
      ? []
      : ([
          [
            invoice.items.some(({ gross_amount }) => gross_amount !== null) ? words.net : words.subtotal,
            invoice.subtotal
          ],
          ...invoice.tax_breakdown
            .filter(({ rate }) => rate > 0)
            .map(
              ({ name, rate, tax_amount }) =>
                [`${name ?? words.tax} ${format.number(rate)} %`, tax_amount] as const
            )
        ] as const)),
    [words.total, invoice.total_amount],
    ...(invoice.amount_credited === 0 ? [] : ([[words.credit, -invoice.amount_credited]] as const)),
    ...(invoice.amount_paid === 0 ? [] : ([[words.alreadyPaid, -invoice.amount_paid]] as const))
  ]
  return (
    <table class="table">
      <thead>
        <tr>
          <th scope="col">{words.item}</th>
          <th scope="col" class="amount">
            {words.amount}
          </th>
        </tr>
      </thead>
      <tbody>
        {invoice.items.map((item, index) => (
          <tr key={index}>
            <td dir="auto">
              {item.quantity !== 1 && `${format.number(item.quantity)} × `}
              {item.description}
            </td>
            <td class="amount">{money(item.gross_amount ?? item.amount)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        {sums.map(([name, amount]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="amount">{money(amount)}</td>
          </tr>
        ))}
        <tr class="total">
          <th scope="row">{words.due}</th>
          <td class="amount">{money(invoice.amount_due)}</td>
        </tr>
      </tfoot>
    </table>
  )
}

/** The amount that is paid now, if a part of it may be paid. */
const PartField = ({ invoice, words }: Worded & { readonly invoice: Invoice }) => {
  const refused = state.decline.value
  const isWrong = typeof refused === "object" && refused.details.some(({ field }) => field === "amount")
  const money = (amount: number) => format.money(amount, invoice.currency)
  const whole = amountText(invoice.amount_due, invoice.currency, locale)
  const isUnclear = Number.isNaN(state.amountOf(invoice)) && /\p{Nd}/u.test(state.typedAmount.value ?? "")
  const wrong = isUnclear
    ? fill(words.unclearAmount, { example: whole })
    : fill(words.wrongAmount, { least: money(state.leastOf(invoice)), most: money(invoice.amount_due) })
  return (
    <Field label={words.payPart} hint={words.partHint} error={isWrong ? wrong : undefined}>
      {(control) => (
        <input
          {...control}
          dir="ltr"
          inputMode="decimal"
          autocomplete="off"
          value={state.typedAmount.value ?? whole}
          onInput={({ currentTarget }) => {
            state.typedAmount.value = currentTarget.value
          }}
        />
      )}
    </Field>
  )
}

const Card = ({ invoice, words }: Worded & { readonly invoice: Invoice }) => {
  const { card } = invoice
  const refused = state.decline.value
  const payment = state.payment.value
  if (card === null) return null
  return (
    <section class="card no-print">
      <h2>{words.byCard}</h2>
      {refused !== undefined && (typeof refused === "string" || refused.details.length === 0) && (
        <Notice tone="bad" role="alert">
          <strong>{words.declined}</strong>
          <br />
          {typeof refused === "string" ? refused : failureText(refused, words)}
        </Notice>
      )}
      {payment === undefined ? (
        <form
          class="stack"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            const form = event.currentTarget
            void state.openCard().then(() => focusFirstWrong(form))
          }}
        >
          {invoice.part_payments_allowed && <PartField invoice={invoice} words={words} />}
          <button type="submit" class="button primary" aria-disabled={state.step.value === "opening"}>
            {fill(words.payNow, {
              amount: format.money(Math.max(0, state.amountOf(invoice)) || 0, invoice.currency)
            })}
          </button>
        </form>
      ) : card.api_base === null ? (
        <StripeCard payment={payment} publishableKey={card.publishable_key} words={words} />
      ) : (
        <TestCard card={{ ...card, api_base: card.api_base }} payment={payment} words={words} />
      )}
      {payment !== undefined && invoice.part_payments_allowed && state.step.value !== "sending" && (
        <button type="button" class="button" onClick={state.closeCard}>
          {words.back}
        </button>
      )}
    </section>
  )
}

const Payable = ({ invoice, words }: Worded & { readonly invoice: Invoice }) => {
  if (state.step.value === "processing")
    return (
      <Notice tone="plain" icon="clock" role="status">
        <strong>{words.processing}</strong>
        <br />
        {words.processingNext}
      </Notice>
    )
  if (state.step.value === "late")
    return (
      <>
        <Notice tone="warn" icon="clock" role="status">
          <strong>{words.late}</strong>
          <br />
          {words.lateNext}
        </Notice>
        <button type="button" class="button no-print" onClick={state.closeCard}>
          {words.back}
        </button>
      </>
    )
  return (
    <>
      <Card invoice={invoice} words={words} />
      {invoice.bank_account !== null && (
        <Transfer account={invoice.bank_account} invoice={invoice} words={words} />
      )}
      {invoice.card === null && invoice.bank_account === null && <Notice>{words.noWay}</Notice>}
    </>
  )
}

const notes = { paid: "paidNext", void: "voidNext", credited: "creditedNext" } as const

const Bill = ({ invoice, words }: Worded & { readonly invoice: Invoice }) => {
  const [tone, standing] = standingOf(invoice)
  const note = notes[standing as keyof typeof notes] as keyof PayWords | undefined
  const { phone } = invoice.business
  return (
    <>
      {state.failure.value !== undefined && (
        <Notice tone="warn" role="status">
          {failureText(state.failure.value, words)}
        </Notice>
      )}
      <section class="card">
        <div class="row spread" role="status">
          <h1>{fill(words.title, { number: invoice.number })}</h1>
          <Badge tone={tone}>{words[standing]}</Badge>
        </div>
        {note !== undefined && <p>{words[note]}</p>}
        <Lines invoice={invoice} words={words} />
        {invoice.due_date !== null && invoice.amount_due > 0 && (
          <Facts facts={[[words.dueDate, format.day(invoice.due_date)]]} />
        )}
        <div class="actions no-print">
          <a class="button" href={state.pdfAddress()} target="_blank" rel="noreferrer">
            <Icon name="document" />
            {words.pdf}
          </a>
          {phone !== null && (
            <a class="button" href={`tel:${phone.replaceAll(/[^+\d]/gu, "")}`}>
              <Icon name="phone" />
              {words.call}
            </a>
          )}
        </div>
      </section>
      {invoice.amount_due > 0 && invoice.status !== "void" && <Payable invoice={invoice} words={words} />}
    </>
  )
}

export const PayPage = ({ words }: Worded): JSX.Element => {
  useEffect(state.begin, [])
  const invoice = state.invoice.value
  const failed = state.failure.value
  document.title = fill(words.title, { number: invoice?.number ?? "" }).trim()
  return (
    <Shell brand={invoice?.business} words={words}>
      {failed !== undefined && (invoice === undefined || failed.isNotFound) ? (
        <Failed failure={failed} words={words} gone={words.goneHelp} retry={() => void state.load()} />
      ) : invoice === undefined ? (
        <Skeleton heights={[420, 120]} words={words} />
      ) : (
        <Bill invoice={invoice} words={words} />
      )}
    </Shell>
  )
}
