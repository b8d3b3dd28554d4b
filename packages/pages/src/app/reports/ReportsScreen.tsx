/** Reports: the figures of the business for some days, as a chart, a table and a file. The report is in the path, its days in the query. */
import type { JSX } from "preact"
import type { Failure } from "../../api/Failure.ts"
import { Failed } from "../../components/Failed.tsx"
import { Field, fieldError } from "../../components/Field.tsx"
import { EmptyState } from "../../components/EmptyState.tsx"
import { fill } from "../../i18n/Format.ts"
import { format } from "../../i18n/Language.ts"
import { api } from "../Api.ts"
import { daysAfter } from "../Formats.ts"
import { attempt, save } from "../parts/Files.ts"
import { filtersOf } from "../parts/Filters.tsx"
import { Loaded, useReading } from "../parts/Loaded.tsx"
import { Page } from "../parts/Page.tsx"
import { hrefOf, navigate, query, setQuery } from "../Router.ts"
import type { Screen, ScreenProps } from "../screens.ts"
import { Chart } from "./Chart.tsx"
import { isReport, labelOf, type ReportKind, type ReportName, reports, type Row, written } from "./Figures.ts"
import "./reports.css"
import type { ReportsWords } from "./words/en.ts"

type Worded = { readonly words: ReportsWords }

interface Answer {
  readonly by?: string
  readonly from: string | null
  readonly to: string | null
  readonly timezone: string
  readonly rows: ReadonlyArray<Row>
  readonly totals: ReadonlyArray<Row>
}

const names = Object.keys(reports) as ReadonlyArray<ReportName>

const Choices = ({
  answer,
  failure,
  name,
  words
}: Worded & {
  readonly name: ReportName
  readonly answer: Answer | undefined
  readonly failure: Failure | undefined
}) => {
  const kind: ReportKind = reports[name]
  return (
    <div class="filters report-filters" role="search" aria-label={words.filters}>
      <Field label={words.report}>
        {(control) => (
          <select
            {...control}
            value={name}
            onChange={({ currentTarget }) => {
              const days = new URLSearchParams(filtersOf(["from", "to"]))
              navigate(`/reports/${currentTarget.value}${days.size > 0 ? `?${days}` : ""}`)
            }}
          >
            {names.map((it) => (
              <option key={it} value={it}>
                {words[reports[it].title]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {kind.by.length > 0 && (
        <Field label={words.by}>
          {(control) => (
            <select
              {...control}
              value={query.value.get("by") ?? kind.by[0]}
              onChange={({ currentTarget }) => setQuery({ by: currentTarget.value })}
            >
              {kind.by.map((it) => (
                <option key={it} value={it}>
                  {words[`by_${it}` as keyof ReportsWords]}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {(
        [
          ["from", words.fromDay],
          ["to", words.toDay]
        ] as const
      ).map(([field, label]) => (
        <Field key={field} label={label} error={fieldError(failure, field, words)}>
          {(control) => (
            <input
              {...control}
              class="search"
              type="date"
              value={query.value.get(field) ?? answer?.[field] ?? ""}
              onChange={({ currentTarget }) => setQuery({ [field]: currentTarget.value })}
            />
          )}
        </Field>
      ))}
    </div>
  )
}

/** The rows in the order of the server, and what they sum to. */
const Figures = ({
  answer,
  kind,
  words
}: Worded & { readonly answer: Answer; readonly kind: ReportKind }) => {
  const { by, rows, totals } = answer
  const head = by === undefined ? words[kind.of ?? "name"] : words[`by_${by}` as keyof ReportsWords]
  return (
    <table class="list report">
      <caption class="unseen">{words[kind.title]}</caption>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          {kind.figures.map(({ label, name }) => (
            <th key={name} scope="col" class="number">
              {words[label]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            <td>
              <bdi>{labelOf(row, by, words)}</bdi>
            </td>
            {kind.figures.map((figure) => (
              <td key={figure.name} class="number" data-label={words[figure.label]}>
                {written(row, figure)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      <tfoot>
        {totals.map((row, index) => (
          <tr key={index}>
            <th scope="row">
              {words.total} {row["currency"]}
            </th>
            {kind.figures.map((figure) => (
              <td key={figure.name} class="number" data-label={words[figure.label]}>
                {written(row, figure)}
              </td>
            ))}
          </tr>
        ))}
      </tfoot>
    </table>
  )
}

/** The rows of all days or months of the report; without an own row, one has nothing in it. */
const allTimes = (rows: ReadonlyArray<Row>, { by, from, to }: Answer): ReadonlyArray<Row> => {
  if ((by !== "day" && by !== "month") || from === null || to === null) return rows
  const length = by === "day" ? 10 : 7
  const known = new Map(rows.map((row) => [row["key"], row]))
  const all = new Map<string, Row>()
  for (let day = from; day <= to; day = daysAfter(day, 1)) {
    const key = day.slice(0, length)
    all.set(key, known.get(key) ?? { key, currency: rows[0]?.["currency"], net: 0 })
  }
  return [...all.values()]
}

/** A chart for each currency; one chart for what is not money. */
const Charts = ({ answer, kind, words }: Worded & { readonly answer: Answer; readonly kind: ReportKind }) => {
  const figure = kind.figures.find(({ name }) => name === kind.chart)
  if (figure === undefined) return null
  const by =
    answer.by === undefined ? words[kind.of ?? "name"] : words[`by_${answer.by}` as keyof ReportsWords]
  const groups = Map.groupBy(answer.rows, (row) => String(row["currency"] ?? ""))
  return (
    <>
      {[...groups].map(([currency, rows]) => (
        <Chart
          key={currency}
          title={[
            fill(words.chartOf, { value: words[figure.label], by }),
            ...(currency ? [currency] : [])
          ].join(", ")}
          isOverTime={answer.by === "day" || answer.by === "month"}
          words={words}
          bars={allTimes(rows, answer).map((row) => ({
            label:
              "rate" in row
                ? `${labelOf(row, answer.by, words)}, ${format.percent(Number(row["rate"]))}`
                : labelOf(row, answer.by, words),
            value: Number(row[figure.name] ?? 0),
            text: written(row, figure)
          }))}
        />
      ))}
    </>
  )
}

const Report = ({ name, words }: Worded & { readonly name: ReportName }) => {
  const kind: ReportKind = reports[name]
  const asked = filtersOf(["from", "to", ...(kind.by.length > 0 ? ["by"] : [])])
  const reading = useReading<Answer>(`${name} ${JSON.stringify(asked)}`, async () => {
    const answer: unknown = await api.reports.read({ report: name, ...asked })
    return answer as Answer
  })
  const { data, failure } = reading
  const download = async () => {
    const file: unknown = await api.reports.read(
      { report: name, ...asked },
      { headers: { accept: "text/csv" } }
    )
    save(file as Blob, `${name}.csv`)
  }
  const isWrong = data === undefined && failure !== undefined && failure.details.length > 0
  return (
    <Page
      title={words.reports}
      actions={
        <button type="button" class="button" onClick={() => void attempt(download, words)}>
          {words.csv}
        </button>
      }
    >
      <Choices name={name} answer={data} failure={failure} words={words} />
      {isWrong ? (
        <div role="alert">
          <Failed failure={failure} gone={words.noSuchRecord} retry={reading.reload} words={words} />
        </div>
      ) : (
        <Loaded reading={reading} words={words} heights={[24, 200, 320]}>
          {(answer) => (
            <>
              <p class="muted small" role="status">
                {answer.from === null || answer.to === null
                  ? words.allDays
                  : fill(words.period, {
                      from: format.day(answer.from),
                      to: format.day(answer.to),
                      zone: answer.timezone
                    })}
              </p>
              {answer.rows.length === 0 ? (
                <EmptyState icon="info" title={words.noRows} />
              ) : (
                <>
                  <Charts answer={answer} kind={kind} words={words} />
                  <Figures answer={answer} kind={kind} words={words} />
                </>
              )}
            </>
          )}
        </Loaded>
      )}
    </Page>
  )
}

const Reports = ({ rest: [name = "revenue"], words }: ScreenProps<ReportsWords>): JSX.Element =>
  isReport(name) ? (
    <Report key={name} name={name} words={words} />
  ) : (
    <Page title={words.reports}>
      <EmptyState icon="info" title={words.nothingFound}>
        <a class="button primary" href={hrefOf("/reports")}>
          {words.reports}
        </a>
      </EmptyState>
    </Page>
  )

export const screen: Screen<ReportsWords> = Reports
