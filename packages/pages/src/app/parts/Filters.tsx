/** The filters of a list, which are in the address: a search, and choices. */
import type { ComponentChildren, JSX } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { useCommands } from "../Keys.ts"
import { query, setQuery } from "../Router.ts"
import type { AppWords } from "../words/en.ts"

/** A filter with a few values. */
export interface Choice {
  readonly name: string
  readonly label: string
  readonly options: ReadonlyArray<readonly [value: string, label: string]>
}

/** How long to wait after a letter before the list is read again, in milliseconds. */
const pause = 250

/** The search, to which `/` moves. */
const Search = ({ words }: { readonly words: AppWords }) => {
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const asked = query.value.get("search") ?? ""
  const [typed, setTyped] = useState(asked)
  useEffect(() => {
    if (document.activeElement !== input.current) setTyped(asked)
  }, [asked])
  useCommands([{ key: "/", label: words.search, run: () => input.current?.focus() }])
  return (
    <input
      ref={input}
      class="search"
      type="search"
      aria-label={words.search}
      placeholder={words.search}
      value={typed}
      onInput={({ currentTarget: { value } }) => {
        setTyped(value)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => setQuery({ search: value.trim() }), pause)
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") event.currentTarget.blur()
      }}
    />
  )
}

export const Filters = ({
  children,
  choices = [],
  days = [],
  hasSearch = true,
  words
}: {
  readonly choices?: ReadonlyArray<Choice>
  /** Filters that are days of the calendar. */
  readonly days?: ReadonlyArray<readonly [name: string, label: string]>
  readonly hasSearch?: boolean
  /** Further filters, after the others. */
  readonly children?: ComponentChildren
  readonly words: AppWords
}): JSX.Element => (
  <div class="filters" role="search" aria-label={words.filters}>
    {hasSearch && <Search words={words} />}
    {days.map(([name, label]) => (
      <label key={name}>
        <span class="small">{label}</span>
        <input
          class="search"
          type="date"
          value={query.value.get(name) ?? ""}
          onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
        />
      </label>
    ))}
    {choices.map(({ label, name, options }) => (
      <label key={name}>
        <span class="small">{label}</span>
        <select
          value={query.value.get(name) ?? ""}
          onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
        >
          <option value="">{words.all}</option>
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </label>
    ))}
    {children}
  </div>
)

/** The values of these filters in the address, for a request; absent ones are left out. */
export const filtersOf = (names: ReadonlyArray<string>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = query.value.get(name)
      return value === null ? [] : [[name, value]]
    })
  )
