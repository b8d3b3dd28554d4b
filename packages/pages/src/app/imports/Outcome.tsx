/** What became of the lines of an import, or what would become of them. */
import type { Import, ImportLine, ImportLineStatus } from "@livery/client"
import type { JSX } from "preact"
import { useEffect } from "preact/hooks"
import { Badge, Notice, type Tone } from "../../components/Notice.tsx"
import { fill } from "../../i18n/Format.ts"
import { format } from "../../i18n/Language.ts"
import { api } from "../Api.ts"
import { attempt, save } from "../parts/Files.ts"
import { type Reading, useReading } from "../parts/Loaded.tsx"
import { usePages } from "../parts/Pages.ts"
import { Table } from "../parts/Table.tsx"
import { hrefOf, query, setQuery } from "../Router.ts"
import type { Kind } from "./draft.ts"
import { reasonText } from "./Texts.ts"
import type { ImportWords } from "./words/en.ts"

type Worded = { readonly words: ImportWords }
type Shown = Worded & { readonly current: Import }

/** How often a running import is read, in milliseconds. */
const pause = 1000

/** Reads an import, again and again until it has ended. */
export const useImport = (id: number): Reading<Import> => {
  const reading = useReading(`import ${id}`, () => api.imports.read({ id }))
  const { at, data, failure, reload } = reading
  useEffect(() => {
    if (data?.status !== "running") return undefined
    const timer = setTimeout(reload, pause)
    return () => clearTimeout(timer)
  }, [at, failure])
  return reading
}

const tones: Readonly<Record<ImportLineStatus, Tone>> = {
  made: "good",
  changed: "warn",
  matched: "plain",
  refused: "bad"
}

const statuses = Object.keys(tones) as ReadonlyArray<ImportLineStatus>

const Progress = ({ current: { done, lines }, words }: Shown) => {
  const text = fill(words.progress, { done: format.number(done), lines: format.number(lines) })
  return (
    <div class="import-progress">
      <progress max={lines} value={done} aria-label={text} />
      <span class="muted small">{text}</span>
    </div>
  )
}

/** Where the records of each kind are. */
const paths: Readonly<Record<Kind, string>> = {
  customers: "/customers",
  drivers: "/drivers",
  cars: "/cars",
  trips: "/trips",
  invoices: "/money",
  tariffs: "/tariffs"
}

/** The most cells of a line that are shown. */
const mostCells = 4

const Content = ({ cells, columns }: { readonly cells: ReadonlyArray<string> } & Pick<Import, "columns">) => (
  <span class="line-cells">
    {columns
      .flatMap(({ field }, at) => (field === null ? [] : [cells[at] ?? ""]))
      .filter((cell) => cell !== "")
      .slice(0, mostCells)
      .map((cell, at) => (
        <>
          {at > 0 && " · "}
          <bdi>{cell}</bdi>
        </>
      ))}
  </span>
)

const Lines = ({ current, words }: Shown) => {
  const { as, columns, dry_run, import_id: id } = current
  const status = statuses.find((known) => known === query.value.get("status"))
  const pages = usePages<ImportLine>(`lines ${id} ${status}`, () =>
    api.imports.lines({ id, per_page: 50, ...(status !== undefined && { status }) })
  )
  return (
    <Table
      label={words.lines}
      pages={pages}
      keyOf={({ line }) => line}
      isFiltered={status !== undefined}
      empty={words.linesGone}
      words={words}
      columns={[
        { name: "line", label: words.line, cell: ({ line }) => format.number(line) },
        {
          name: "outcome",
          label: words.outcome,
          cell: ({ status: became }) =>
            became !== null && <Badge tone={tones[became]}>{words[`line_${became}`]}</Badge>
        },
        {
          name: "content",
          label: words.content,
          cell: ({ cells, record_id, status: became }) =>
            record_id === null || (dry_run && became === "made") ? (
              <Content cells={cells} columns={columns} />
            ) : (
              <a href={hrefOf(`${paths[as]}/${record_id}`)}>
                <Content cells={cells} columns={columns} />
              </a>
            )
        },
        {
          name: "why",
          label: words.why,
          cell: ({ reasons }) =>
            reasons.length > 0 && (
              <ul class="reasons">
                {reasons.map((reason) => (
                  <li key={reason}>{reasonText(reason, words)}</li>
                ))}
              </ul>
            )
        }
      ]}
    />
  )
}

/** The counts, each of which shows its lines alone. */
const Counts = ({ current, words }: Shown) => {
  const chosen = query.value.get("status") ?? ""
  const button = (status: ImportLineStatus | "", label: string, count: number) => (
    <button
      type="button"
      class="button small-button"
      aria-pressed={chosen === status}
      onClick={() => setQuery({ status })}
    >
      {label} <strong>{format.number(count)}</strong>
    </button>
  )
  return (
    <div class="row counts" role="group" aria-label={words.outcome}>
      {button("", words.all, current.lines)}
      {statuses.map((status) => button(status, words[`line_${status}`], current[status]))}
    </div>
  )
}

/** Saves the refused lines as a file. */
export const RefusedLines = ({ current: { as, import_id: id }, words }: Shown): JSX.Element => (
  <button
    type="button"
    class="button"
    onClick={() =>
      void attempt(
        async () =>
          save(
            await api.imports.refused({ id }),
            `${fill(words.refusedFile, { kind: words[as], id: String(id) })}.csv`
          ),
        words
      )
    }
  >
    {words.downloadRefused}
  </button>
)

export const Outcome = ({ current, words }: Shown): JSX.Element => {
  const isRunning = current.status === "running"
  const counts = {
    made: format.number(current.made),
    changed: format.number(current.changed),
    matched: format.number(current.matched),
    refused: format.number(current.refused)
  }
  return (
    <>
      {isRunning && <Progress current={current} words={words} />}
      <p role="status">{!isRunning && fill(current.dry_run ? words.wouldBe : words.became, counts)}</p>
      {current.reason !== null && (
        <Notice tone="bad" role="alert">
          {current.reason}
        </Notice>
      )}
      {!isRunning && (
        <div class="stack import-lines">
          <Counts current={current} words={words} />
          <Lines current={current} words={words} />
        </div>
      )}
    </>
  )
}
