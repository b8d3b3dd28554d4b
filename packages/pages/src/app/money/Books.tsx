/** What is unpaid, by age, and the files for the accountant. */
import type { JSX } from "preact"
import { Form } from "../../components/Form.tsx"
import { toast } from "../../components/Toast.tsx"
import { fill } from "../../i18n/Format.ts"
import { format } from "../../i18n/Language.ts"
import { api } from "../Api.ts"
import { dateOf, daysAfter, money } from "../Formats.ts"
import { Loaded, useReading } from "../parts/Loaded.tsx"
import { Page } from "../parts/Page.tsx"
import { type RecordField, RecordFields } from "../parts/Record.tsx"
import { hrefOf } from "../Router.ts"
import { save } from "../parts/Files.ts"
import type { MoneyWords } from "./words/en.ts"

type Worded = { readonly words: MoneyWords }

export const Unpaid = ({ words }: Worded): JSX.Element => {
  const reading = useReading("unpaid", async () => {
    const report = await api.reports.read({ report: "unpaid" })
    if (report.report !== "unpaid") throw new TypeError(report.report)
    return report
  })
  return (
    <Page
      title={words.unpaidByAge}
      actions={
        <a class="button" href={hrefOf("/money?overdue=true")}>
          {words.overdue}
        </a>
      }
    >
      <Loaded reading={reading} words={words} heights={[200]}>
        {(report) =>
          report.rows.length === 0 ? (
            <p class="muted">{words.noUnpaid}</p>
          ) : (
            <table class="list">
              <caption class="unseen">{words.unpaidByAge}</caption>
              <thead>
                <tr>
                  <th scope="col">{words.age}</th>
                  <th scope="col" class="number">
                    {words.invoices}
                  </th>
                  <th scope="col" class="number">
                    {words.open}
                  </th>
                </tr>
              </thead>
              <tbody>
                {report.rows.map(({ amount, currency, invoices, key }) => (
                  <tr key={`${key} ${currency}`}>
                    <td data-label={words.age}>{words[key]}</td>
                    <td data-label={words.invoices} class="number">
                      {format.number(invoices)}
                    </td>
                    <td data-label={words.open} class="number">
                      {money(amount, currency)}
                    </td>
                  </tr>
                ))}
              </tbody>
              <tfoot>
                {report.totals.map(({ amount, currency, invoices }) => (
                  <tr key={currency}>
                    <th scope="row">{words.total}</th>
                    <td data-label={words.invoices} class="number">
                      {format.number(invoices)}
                    </td>
                    <td data-label={words.open} class="number">
                      <strong>{money(amount, currency)}</strong>
                    </td>
                  </tr>
                ))}
              </tfoot>
            </table>
          )
        }
      </Loaded>
    </Page>
  )
}

const subjects = ["invoices", "payments", "creditNotes", "journal"] as const
const formats = ["csv", "datev", "quickbooks", "xero"] as const

const oneOf = <A extends string>(all: ReadonlyArray<A>, text: string | undefined): A | undefined =>
  all.find((known) => known === text)

export const Exports = ({ words }: Worded): JSX.Element => {
  const end = daysAfter(`${dateOf(Date.now()).slice(0, 7)}-01`, -1)
  const fields: ReadonlyArray<RecordField> = [
    {
      name: "subject",
      label: words.what,
      value: "invoices",
      isRequired: true,
      options: subjects.map((name) => [name, words[name]] as const)
    },
    {
      name: "format",
      label: words.fileFormat,
      value: "csv",
      isRequired: true,
      options: formats.map((name) => [name, words[name]] as const)
    },
    { name: "from", label: words.fromDay, kind: "date", value: `${end.slice(0, 7)}-01`, isRequired: true },
    { name: "to", label: words.toDay, kind: "date", value: end, isRequired: true }
  ]
  return (
    <Page title={words.exports}>
      <section class="card record">
        <Form
          submit={words.download}
          words={words}
          explain={({ details, message }) => (details.length > 0 ? message : undefined)}
          onSubmit={async ({ format: kind, from = "", subject, to = "" }) => {
            const what = oneOf(subjects, subject) ?? "invoices"
            const file = await api.bookExports[what]({ from, to, format: oneOf(formats, kind) })
            const ending = file.type.includes("zip") ? "zip" : "csv"
            const name = `${words[what]} ${from} ${to}.${ending}`
            save(file, name)
            toast(fill(words.downloaded, { name }))
          }}
        >
          {(failure) => <RecordFields fields={fields} failure={failure} words={words} />}
        </Form>
      </section>
    </Page>
  )
}
