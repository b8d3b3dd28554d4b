/** Above the board: the day, what the rows are, the questions with their counts, and the search. */
import { batch } from "@preact/signals"
import type { JSX } from "preact"
import { useRef } from "preact/hooks"
import { format } from "../../i18n/Language.ts"
import { fill } from "../../i18n/Format.ts"
import { daysAfter } from "../Formats.ts"
import { useCommands } from "../Keys.ts"
import { AppIcon, type AppIconName } from "../parts/AppIcon.tsx"
import { Views } from "../parts/Views.tsx"
import { changeLayout } from "../Preferences.ts"
import { query, setQuery } from "../Router.ts"
import { type Chip, chips } from "./Jobs.ts"
import {
  chip,
  counts,
  day,
  grouping,
  groupings,
  isLoaded,
  isRolling,
  isToday,
  search,
  step,
  stepped
} from "./state.ts"
import type { BoardWords } from "./words/en.ts"

type Worded = { readonly words: BoardWords }

/** What a view of the board keeps. The day is not part of it. */
const present = () => ({
  rows: grouping.value,
  window: isRolling.value ? "rolling" : "",
  view: query.value.get("view") ?? "",
  question: chip.value ?? "",
  search: search.value.trim()
})

/** The views of the board. */
export const BoardViews = ({ words }: Worded): JSX.Element => (
  <Views
    screen="board"
    filters={present()}
    onChoose={({ question, rows, search: text = "", view, window }) =>
      batch(() => {
        setQuery({ rows, view, window, ...(window !== undefined && { date: undefined }) })
        chip.value = chips.find((name) => name === question)
        search.value = text
      })
    }
    words={words}
  />
)

const goTo = (date: string) => setQuery({ date, window: undefined })

/** Shows the present day, or the hours around the present time, now and the next time. */
const stay = (isRolling: boolean) => {
  changeLayout({ isRolling })
  setQuery({ window: undefined, date: undefined })
}

const Day = ({ words }: Worded) => {
  useCommands([
    { key: "ArrowLeft", label: words.dayBefore, run: () => goTo(daysAfter(day.value, -1)), isHidden: true },
    { key: "ArrowRight", label: words.dayAfter, run: () => goTo(daysAfter(day.value, 1)), isHidden: true },
    { key: "t", label: words.today, run: () => stay(false) }
  ])
  return (
    <div class="row day">
      <button type="button" class="icon-button" onClick={() => goTo(daysAfter(day.value, -1))}>
        <AppIcon name="previous" />
        <span class="unseen">{words.dayBefore}</span>
      </button>
      <input
        type="date"
        aria-label={words.day}
        value={day.value}
        onChange={({ currentTarget: { value } }) => goTo(value)}
      />
      <button type="button" class="icon-button" onClick={() => goTo(daysAfter(day.value, 1))}>
        <AppIcon name="next" />
        <span class="unseen">{words.dayAfter}</span>
      </button>
      <button
        type="button"
        class="button small-button"
        aria-pressed={isToday.value && !isRolling.value}
        onClick={() => stay(false)}
      >
        {words.today}
      </button>
      <button
        type="button"
        class="button small-button"
        aria-pressed={isRolling.value}
        onClick={() => stay(!isRolling.value)}
      >
        {words.rolling}
      </button>
    </div>
  )
}

const icons: Readonly<Record<Chip, AppIconName>> = {
  late: "late",
  unassigned: "unassigned",
  clash: "clash",
  flight: "flight"
}

/** Steps through the jobs of a question. Pressed once more at the last one, it begins again; Escape ends it. */
const stepThrough = (name: Chip) => {
  chip.value = name
  step(1)
}

const Chips = ({ words }: Worded) => {
  useCommands(
    chips.map((name, index) => ({ key: String(index + 1), label: words[name], run: () => stepThrough(name) }))
  )
  return (
    <div class="row chips" role="group" aria-label={words.questions}>
      {chips.map((name) => {
        const count = counts.value[name]
        const tone = count === 0 || name === "flight" ? "" : name === "unassigned" ? " warn" : " bad"
        return (
          <button
            key={name}
            type="button"
            class={`chip${tone}`}
            aria-pressed={chip.value === name}
            onClick={() =>
              chip.value === name && count === 0 ? (chip.value = undefined) : stepThrough(name)
            }
          >
            <AppIcon name={icons[name]} />
            {words[name]} <b>{isLoaded.value ? format.number(count) : "…"}</b>
          </button>
        )
      })}
      {chip.value !== undefined && (
        <button
          type="button"
          class="link small"
          onClick={() => {
            chip.value = undefined
          }}
        >
          {words.all}
        </button>
      )}
    </div>
  )
}

const Search = ({ words }: Worded) => {
  const input = useRef<HTMLInputElement>(null)
  const begin = () => {
    input.current?.focus()
    input.current?.select()
  }
  useCommands([{ key: "/", label: words.search, run: begin }])
  return (
    <div class="row board-search">
      <input
        ref={input}
        class="search"
        type="search"
        aria-label={words.searchJobs}
        placeholder={words.searchJobs}
        value={search.value}
        onInput={({ currentTarget: { value } }) => {
          // A search is through all jobs.
          chip.value = undefined
          search.value = value
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            event.currentTarget.blur()
            step(0)
          } else if (event.key === "Escape") {
            search.value = ""
            event.currentTarget.blur()
          }
        }}
      />
      <span class="small muted" role="status">
        {search.value === "" ? "" : fill(words.foundJobs, { count: format.number(stepped.value.length) })}
      </span>
    </div>
  )
}

export const Toolbar = ({ words }: Worded): JSX.Element => (
  <div class="board-tools">
    <Day words={words} />
    <Chips words={words} />
    <Search words={words} />
  </div>
)

/** What the rows of the board are. */
export const RowsChoice = ({ words }: Worded): JSX.Element => (
  <label>
    <span class="unseen">{words.rowsAre}</span>
    <select
      value={grouping.value}
      onChange={({ currentTarget: { value } }) => {
        changeLayout({ rows: value })
        setQuery({ rows: undefined })
      }}
    >
      {groupings.map((name) => (
        <option key={name} value={name}>
          {words[`rows_${name}`]}
        </option>
      ))}
    </select>
  </label>
)
