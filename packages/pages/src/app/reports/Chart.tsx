/** A chart of bars. Each bar has its words beside it, so that the chart can be read without seeing it. */
import type { JSX } from "preact"
import { fill } from "../../i18n/Format.ts"
import type { ReportsWords } from "./words/en.ts"

export interface Bar {
  readonly label: string
  readonly value: number
  /** The value in words. */
  readonly text: string
}

/** The most bars that have a line each. */
const mostLines = 20

/** A column for each day: many of them fit beside one another. */
const Columns = ({ bars, label }: { readonly bars: ReadonlyArray<Bar>; readonly label: string }) => {
  const top = Math.max(0, ...bars.map(({ value }) => value))
  const bottom = Math.min(0, ...bars.map(({ value }) => value))
  const scale = 100 / (top - bottom || 1)
  return (
    <>
      <svg
        class="columns"
        role="img"
        aria-label={label}
        viewBox={`0 0 ${bars.length} 100`}
        preserveAspectRatio="none"
      >
        {bars.map((bar, index) => (
          <rect
            key={bar.label}
            class={bar.value < 0 ? "below" : undefined}
            x={index + 0.1}
            width={0.8}
            y={(top - Math.max(bar.value, 0)) * scale}
            height={Math.abs(bar.value) * scale}
          >
            <title>
              {bar.label}: {bar.text}
            </title>
          </rect>
        ))}
        <line x1={0} x2={bars.length} y1={top * scale} y2={top * scale} />
      </svg>
      <div class="ends small muted">
        <span>{bars[0]?.label}</span>
        {bars.length > 1 && <span>{bars.at(-1)?.label}</span>}
      </div>
    </>
  )
}

/** A line for each row, with its name and its figure. */
const Lines = ({ bars }: { readonly bars: ReadonlyArray<Bar> }) => {
  const longest = Math.max(...bars.map(({ value }) => Math.abs(value))) || 1
  return (
    <ul class="lines">
      {bars.slice(0, mostLines).map(({ label, text, value }) => (
        <li key={label}>
          <bdi>{label}</bdi>
          <svg aria-hidden="true" viewBox="0 0 100 1" preserveAspectRatio="none">
            <rect
              class={value < 0 ? "below" : undefined}
              width={(Math.abs(value) / longest) * 100}
              height={1}
            />
          </svg>
          <span class="figure">{text}</span>
        </li>
      ))}
    </ul>
  )
}

export const Chart = ({
  bars,
  isOverTime,
  title,
  words
}: {
  readonly bars: ReadonlyArray<Bar>
  /** Whether the bars are days or months. */
  readonly isOverTime: boolean
  readonly title: string
  readonly words: ReportsWords
}): JSX.Element | null => {
  const highest = bars.toSorted((a, b) => b.value - a.value)[0]
  if (highest === undefined) return null
  const best = fill(words.highest, { label: highest.label, value: highest.text })
  return (
    <figure class="card record chart">
      <figcaption>
        <strong>{title}</strong>
        <span class="small muted">{best}</span>
      </figcaption>
      {isOverTime ? <Columns bars={bars} label={`${title}. ${best}`} /> : <Lines bars={bars} />}
    </figure>
  )
}
