/** A job on the timeline. */
import { useComputed } from "@preact/signals"
import type { JSX } from "preact"
import { fill } from "../../i18n/Format.ts"
import { timeOf } from "../Formats.ts"
import { StateIcon } from "./Icons.tsx"
import { driversOf, isIn, type Job, plateOf, spanOf, stateOf } from "./Jobs.ts"
import { barHeight } from "./Rows.ts"
import { select, selected, steppedIds, swapping } from "./state.ts"
import type { BoardWords } from "./words/en.ts"

/** A bar is at least as wide as this, in pixels. */
export const leastWidth = 64

/** What stands on a bar after its time. */
const shownOn = (job: Job) => {
  const plate = plateOf(job)
  return `${job.pickup_address} → ${job.dropoff_address}${plate === null ? "" : ` · ${plate}`}`
}

/** A job in one sentence, for reader programs; it begins with what is written on the bar. */
const sentenceOf = (job: Job, words: BoardWords): string =>
  [
    `${timeOf(job.trip_date)} ${shownOn(job)}`,
    fill(words.endsAt, { time: timeOf(spanOf(job)[1]) }),
    job.customer_name,
    words[stateOf(job)],
    ...driversOf(job).map(({ name }) => name),
    ...(isIn.late(job) ? [words.late] : []),
    ...(isIn.clash(job) ? [words.clash] : [])
  ].join(", ")

export const Bar = ({
  driver,
  job,
  level,
  place,
  words
}: {
  readonly job: Job
  readonly level: number
  /** The driver of the row, whom a drag takes the job from. */
  readonly driver: number | undefined
  /** Where a time is on the line, in pixels. */
  readonly place: (time: number) => number
  readonly words: BoardWords
}): JSX.Element => {
  // One value, because there are many bars: each is drawn again only if its own changes.
  const marks = useComputed(() =>
    [
      selected.value === job.trip_id ? "selected" : "",
      swapping.value === job.trip_id ? "swapping" : "",
      steppedIds.value?.has(job.trip_id) === false ? "dimmed" : ""
    ].join(" ")
  )
  const [from, to] = spanOf(job)
  const state = stateOf(job)
  const start = place(from)
  const classes = ["job", state]
  if (isIn.late(job)) classes.push("is-late")
  if (isIn.clash(job)) classes.push("is-clash")
  const isSelected = marks.value.startsWith("selected")
  return (
    <button
      type="button"
      class={`${classes.join(" ")} ${marks.value}`}
      tabIndex={isSelected ? 0 : -1}
      aria-pressed={isSelected}
      aria-label={sentenceOf(job, words)}
      data-trip={job.trip_id}
      data-driver={driver}
      style={{
        insetInlineStart: `${start}px`,
        insetBlockStart: `${level * barHeight + 4}px`,
        inlineSize: `${Math.max(leastWidth, place(to) - start - 2)}px`
      }}
      onClick={() => select(job.trip_id)}
    >
      <span class="when">
        <StateIcon name={isIn.late(job) ? "late" : isIn.clash(job) ? "clash" : state} />
        <b>{timeOf(from)}</b>
        {job.flight_number !== null && <StateIcon name="flight" />}
      </span>{" "}
      <span class="what">{shownOn(job)}</span>
    </button>
  )
}
