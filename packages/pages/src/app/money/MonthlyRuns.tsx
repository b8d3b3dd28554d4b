/** The invoices of a month for all customers: started, followed, and reported for each customer. */
import type { MonthlyRun } from "@livery/client"
import type { JSX } from "preact"
import { useEffect } from "preact/hooks"
import { Form } from "../../components/Form.tsx"
import { Field, fieldError } from "../../components/Field.tsx"
import { Badge, Notice, type Tone } from "../../components/Notice.tsx"
import { fill } from "../../i18n/Format.ts"
import { format, locale } from "../../i18n/Language.ts"
import { api } from "../Api.ts"
import { mayWrite } from "../Member.ts"
import { Loaded, useReading } from "../parts/Loaded.tsx"
import { Page } from "../parts/Page.tsx"
import { type RecordField, RecordFields } from "../parts/Record.tsx"
import { hrefOf, navigate } from "../Router.ts"
import { givenOf, groupField, lastMonth, LeftOut } from "./NewInvoice.tsx"
import { CustomerName } from "./Status.tsx"
import type { MoneyWords } from "./words/en.ts"

type Worded = { readonly words: MoneyWords }
type Row = MonthlyRun["customers"][number]

/** How often a running run is read again, in milliseconds. */
const pause = 2000

/** `October 2026` */
const monthText = (month: string) =>
  new Intl.DateTimeFormat(locale, { timeZone: "UTC", month: "long", year: "numeric" }).format(new Date(month))

const tones: Readonly<Record<Row["outcome"], Tone>> = {
  pending: "plain",
  made: "good",
  nothing: "warn",
  refused: "bad"
}

const NewRun = ({ words }: Worded) => {
  const fields: ReadonlyArray<RecordField> = [
    groupField(words),
    { name: "tax_rate", label: words.taxRate, kind: "number", value: "" },
    { name: "notes", label: words.notes, kind: "area", value: "" }
  ]
  return (
    <Page title={words.monthlyRun}>
      {!mayWrite("billing") && <p class="muted">{words.readOnly}</p>}
      <section class="card record">
        <p class="muted">{words.runHelp}</p>
        <Form
          submit={words.startRun}
          words={words}
          onSubmit={async (typed) => {
            const { month = "", send, ...given } = givenOf(typed)
            const { run_id } = await api.tripBilling.startRun({
              ...(given as Readonly<Record<string, never>>),
              month: String(month),
              send: send !== undefined
            })
            navigate(`/money/monthly/${run_id}`, { replace: true })
          }}
        >
          {(failure) => (
            <>
              <Field label={words.month} error={fieldError(failure, "month", words)}>
                {(control) => (
                  <input {...control} name="month" type="month" required defaultValue={lastMonth()} />
                )}
              </Field>
              <RecordFields fields={fields} failure={failure} words={words} />
              <label class="check-line">
                <input type="checkbox" name="send" />
                {words.sendThem}
              </label>
            </>
          )}
        </Form>
      </section>
    </Page>
  )
}

const Outcome = ({ row, words }: Worded & { readonly row: Row }) => (
  <tr>
    <td data-label={words.customer}>
      <CustomerName id={row.customer_id} isLink />
    </td>
    <td data-label={words.outcome}>
      <Badge tone={tones[row.outcome]}>{words[`outcome_${row.outcome}`]}</Badge>{" "}
      {row.invoice_id !== null && (
        <a href={hrefOf(`/money/${row.invoice_id}`)}>
          {words.openInvoice}
          <span class="unseen">
            {" "}
            <CustomerName id={row.customer_id} />
          </span>
        </a>
      )}
      {row.reason !== null && <p class="small">{row.reason}</p>}
    </td>
    <td data-label={words.leftOutCount}>
      <LeftOut trips={row.left_out} words={words} />
    </td>
    <td data-label={words.emailed}>{row.sending !== null && words[`sending_${row.sending}`]}</td>
  </tr>
)

const Report = ({ id, words }: Worded & { readonly id: number }) => {
  const reading = useReading(`run ${id}`, () => api.tripBilling.readRun({ run_id: id }))
  const isRunning = reading.data?.status === "running"
  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(reading.reload, pause)
    return () => clearInterval(timer)
  }, [isRunning])
  return (
    <Loaded reading={reading} words={words}>
      {({ customers, month, status, trips_without_customer }) => (
        <Page title={fill(words.runTitle, { month: monthText(month) })}>
          <Notice
            tone={status === "running" ? "plain" : "good"}
            icon={status === "running" ? "clock" : "check"}
            role="status"
          >
            {words[status]}
          </Notice>
          {trips_without_customer > 0 && (
            <Notice tone="warn">
              {fill(words.noCustomerTrips, { count: format.number(trips_without_customer) })}
            </Notice>
          )}
          {customers.length === 0 ? (
            <p class="muted">{words.noRunCustomers}</p>
          ) : (
            <table class="list">
              <caption class="unseen">{fill(words.runTitle, { month: monthText(month) })}</caption>
              <thead>
                <tr>
                  <th scope="col">{words.customer}</th>
                  <th scope="col">{words.outcome}</th>
                  <th scope="col">{words.leftOutCount}</th>
                  <th scope="col">{words.emailed}</th>
                </tr>
              </thead>
              <tbody>
                {customers.map((row) => (
                  <Outcome key={`${row.customer_id} ${row.currency}`} row={row} words={words} />
                ))}
              </tbody>
            </table>
          )}
        </Page>
      )}
    </Loaded>
  )
}

export const MonthlyRuns = ({ id, words }: Worded & { readonly id: string | undefined }): JSX.Element =>
  id === undefined ? <NewRun words={words} /> : <Report key={id} id={Number(id)} words={words} />
