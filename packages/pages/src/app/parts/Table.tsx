/**
 * A list of records as a table: its rows are reached with the arrows or J and K, opened with Enter, and sorted by the heads of the
 * columns once all pages are read. On a narrow screen, each row is a card.
 */
import type { ComponentChildren, JSX } from "preact"
import { useRef } from "preact/hooks"
import { failureText } from "../../components/Failed.tsx"
import { EmptyState } from "../../components/EmptyState.tsx"
import { Notice } from "../../components/Notice.tsx"
import { fill } from "../../i18n/Format.ts"
import { format } from "../../i18n/Language.ts"
import { useCommands } from "../Keys.ts"
import { query, setQuery } from "../Router.ts"
import type { AppWords } from "../words/en.ts"
import { attempt, saveList } from "./Files.ts"
import { Loaded } from "./Loaded.tsx"
import type { Pages } from "./Pages.ts"

/** A column of a table. */
export interface Column<A> {
  readonly name: string
  readonly label: string
  readonly cell: (row: A) => ComponentChildren
  /** What the rows are sorted by; without it, the column does not sort. */
  readonly sort?: (row: A) => string | number
  /** Whether it is a number, which stands at the end of its column. */
  readonly isNumber?: boolean
  /** Whether its texts are so short that they stay on one line: a date, a reference. */
  readonly isShort?: boolean
}

/** Which rows are selected, for changes of several records. */
export interface Selection {
  readonly keys: ReadonlySet<number>
  readonly change: (keys: ReadonlySet<number>) => void
}

const toggled = (keys: ReadonlySet<number>, key: number) => {
  const next = new Set(keys)
  if (!next.delete(key)) next.add(key)
  return next
}

/** The sorting in the address: `sort=name` or `sort=-name`. */
const sorted = <A,>(rows: ReadonlyArray<A>, columns: ReadonlyArray<Column<A>>) => {
  const asked = query.value.get("sort") ?? ""
  const value = columns.find(({ name }) => name === asked.replace("-", ""))?.sort
  if (value === undefined) return rows
  const sign = asked.startsWith("-") ? -1 : 1
  return rows.toSorted((a, b) => {
    const [left, right] = [value(a), value(b)]
    return sign * (typeof left === "number" ? left - Number(right) : left.localeCompare(String(right)))
  })
}

const Head = <A,>({ column, isSortable }: { readonly column: Column<A>; readonly isSortable: boolean }) => {
  const { isNumber, label, name, sort } = column
  const asked = query.value.get("sort")
  const order = asked === name ? "ascending" : asked === `-${name}` ? "descending" : undefined
  return (
    <th scope="col" class={isNumber ? "number" : undefined} aria-sort={order}>
      {sort === undefined || !isSortable ? (
        label
      ) : (
        <button
          type="button"
          class="sort"
          onClick={() => setQuery({ sort: order === "ascending" ? `-${name}` : order ? undefined : name })}
        >
          {label}
          <span aria-hidden="true">{order === undefined ? "" : order === "ascending" ? "↑" : "↓"}</span>
        </button>
      )}
    </th>
  )
}

const Foot = <A,>({
  label,
  pages,
  words
}: {
  readonly label: string
  readonly pages: Pages<A>
  readonly words: AppWords
}) => {
  const { data } = pages.reading
  if (data === undefined) return null
  return (
    <div class="table-foot">
      <span class="muted small" role="status">
        {fill(words.shownOf, {
          shown: format.number(data.rows.length),
          total: data.total === undefined ? "…" : format.number(data.total)
        })}
      </span>
      {pages.moreFailure !== undefined && (
        <Notice tone="bad" role="alert">
          {failureText(pages.moreFailure, words)}
        </Notice>
      )}
      <div class="row">
        {pages.isMore && (
          <button type="button" class="button" onClick={() => void pages.more()}>
            {words.more}
          </button>
        )}
        <button
          type="button"
          class="button small-button"
          onClick={() => void attempt(() => saveList(pages.list(), label), words)}
        >
          {words.downloadCsv}
          <span class="unseen"> {label}</span>
        </button>
      </div>
    </div>
  )
}

/** The address of the row that was opened last: the arrows begin there when a person comes back to the list. */
let openedRow = ""

export const Table = <A,>({
  columns,
  empty,
  hrefOf,
  isFiltered = false,
  keyOf,
  label,
  pages,
  selection,
  words
}: {
  readonly label: string
  readonly pages: Pages<A>
  readonly columns: ReadonlyArray<Column<A>>
  readonly keyOf: (row: A) => number
  /** The address of a row's own screen; the first column links there. */
  readonly hrefOf?: (row: A) => string
  readonly selection?: Selection
  /** What to do when there is no record at all: the first step. */
  readonly empty: ComponentChildren
  readonly isFiltered?: boolean
  readonly words: AppWords
}): JSX.Element => {
  const body = useRef<HTMLTableSectionElement>(null)
  const move = (step: number) => {
    const rows = [...(body.current?.rows ?? [])]
    // Without a link to its own screen, a row is reached at the first thing in it that takes the focus.
    const links = rows.flatMap((row) => row.querySelector<HTMLElement>("[data-row], a, button, select") ?? [])
    const at = links.findIndex((link) => link.closest("tr")?.contains(document.activeElement))
    const opened = links.findIndex((link) => link.getAttribute("href") === openedRow)
    links[at === -1 ? Math.max(opened, 0) : Math.min(Math.max(at + step, 0), links.length - 1)]?.focus()
  }
  useCommands([
    { key: "j", label: words.nextRow, run: () => move(1), isHidden: true },
    { key: "k", label: words.previousRow, run: () => move(-1), isHidden: true },
    { key: "ArrowDown", label: words.nextRow, run: () => move(1), isHidden: true },
    { key: "ArrowUp", label: words.previousRow, run: () => move(-1), isHidden: true }
  ])
  return (
    <Loaded reading={pages.reading} words={words} heights={[40, 44, 44, 44, 44, 44]}>
      {({ rows }) =>
        rows.length === 0 ? (
          <EmptyState icon="info" title={isFiltered ? words.noMatch : words.empty}>
            {isFiltered ? (
              <button
                type="button"
                class="button"
                onClick={() =>
                  setQuery(
                    Object.fromEntries(
                      [...query.value.keys()].filter((key) => key !== "lang").map((key) => [key, undefined])
                    )
                  )
                }
              >
                {words.clearFilters}
              </button>
            ) : (
              empty
            )}
          </EmptyState>
        ) : (
          <>
            <div class="list-area">
              <table class="list">
                <caption class="unseen">{label}</caption>
                <thead>
                  <tr>
                    {selection !== undefined && (
                      <th scope="col" class="pick">
                        <input
                          type="checkbox"
                          aria-label={words.selectAll}
                          checked={rows.every((row) => selection.keys.has(keyOf(row)))}
                          onChange={({ currentTarget: { checked } }) =>
                            selection.change(new Set(checked ? rows.map(keyOf) : []))
                          }
                        />
                      </th>
                    )}
                    {columns.map((column) => (
                      <Head key={column.name} column={column} isSortable={!pages.isMore} />
                    ))}
                  </tr>
                </thead>
                <tbody ref={body}>
                  {sorted(rows, columns).map((row) => {
                    const key = keyOf(row)
                    return (
                      <tr key={key} class={selection?.keys.has(key) ? "picked" : undefined}>
                        {selection !== undefined && (
                          <td class="pick">
                            <input
                              type="checkbox"
                              aria-label={words.select}
                              checked={selection.keys.has(key)}
                              onChange={() => selection.change(toggled(selection.keys, key))}
                            />
                          </td>
                        )}
                        {columns.map(({ cell, isNumber, isShort, label, name }, index) => (
                          <td
                            key={name}
                            class={isNumber ? "number" : isShort ? "short" : undefined}
                            data-label={label}
                          >
                            {index === 0 && hrefOf !== undefined ? (
                              <a
                                data-row
                                href={hrefOf(row)}
                                onClick={({ currentTarget }) => {
                                  openedRow = currentTarget.getAttribute("href") ?? ""
                                }}
                              >
                                {cell(row)}
                              </a>
                            ) : (
                              cell(row)
                            )}
                          </td>
                        ))}
                      </tr>
                    )
                  })}
                </tbody>
              </table>
            </div>
            <Foot label={label} pages={pages} words={words} />
          </>
        )
      }
    </Loaded>
  )
}
