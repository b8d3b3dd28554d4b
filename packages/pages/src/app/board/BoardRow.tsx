/** A row of the timeline: the driver, the car or the class, and the jobs that are in view. */
import { type ReadonlySignal, useComputed } from "@preact/signals"
import type { JSX } from "preact"
import { absencesOf } from "./Absences.ts"
import { Away } from "./Away.tsx"
import { Bar, leastWidth } from "./Bar.tsx"
import { drag } from "./Drag.ts"
import { type Job, spanOf } from "./Jobs.ts"
import { Ghost } from "./Plan.tsx"
import { heightOf, type Row } from "./Rows.ts"
import { dialog, grouping } from "./state.ts"
import type { BoardWords } from "./words/en.ts"

/** How the timeline is drawn. It is another object when the scale or the part in view changes, and only then. */
export interface Scale {
  /** Where a time is on the line, in pixels. */
  readonly place: (time: number) => number
  /** Whether a job is in the part of the line that is drawn. */
  readonly isInView: (job: Job) => boolean
}

/** The scale for a part of the line, from one place to another. */
export const scaleOf = (place: (time: number) => number, from: number, to: number): Scale => ({
  place,
  isInView: (job) => {
    const [start, end] = spanOf(job)
    const at = place(start)
    return at < to && Math.max(at + leastWidth, place(end)) > from
  }
})

const Label = ({ row, words }: { readonly row: Row; readonly words: BoardWords }) => {
  const isDriver = row.key.startsWith("driver-")
  const name = row.key.startsWith("class-") ? (words[row.name as keyof BoardWords] ?? row.name) : row.name
  const content = (
    <>
      <bdi>{name}</bdi>
      <span class="muted small">{row.detail}</span>
    </>
  )
  if (!isDriver) return <div class="row-label">{content}</div>
  return (
    <button
      type="button"
      class="row-label"
      onClick={() => {
        if (row.id !== undefined) dialog.value = { kind: "driver", driver: row.id }
      }}
    >
      {content}
    </button>
  )
}

export const BoardRow = ({
  row,
  scale,
  start,
  words
}: {
  readonly row: Row
  readonly scale: ReadonlySignal<Scale>
  /** Where it begins below the lane, in pixels. */
  readonly start: number
  readonly words: BoardWords
}): JSX.Element => {
  const isOver = useComputed(() => drag.value?.over === row.key)
  const isByDriver = grouping.value === "driver"
  const { isInView, place } = scale.value
  return (
    <div
      class={isOver.value ? "board-row over" : "board-row"}
      data-row={row.key}
      role="group"
      aria-label={row.name}
      style={{ insetBlockStart: `${start}px`, blockSize: `${heightOf(row)}px` }}
    >
      <Label row={row} words={words} />
      {isByDriver &&
        absencesOf(row.id).map((absence) => (
          <Away key={absence.absence_id} absence={absence} place={place} words={words} />
        ))}
      {row.jobs.map(({ isGhost, job, level }) => {
        if (!isInView(job)) return null
        return isGhost ? (
          <Ghost key={`ghost-${job.trip_id}`} job={job} level={level} place={place} words={words} />
        ) : (
          <Bar
            key={job.trip_id}
            job={job}
            level={level}
            driver={isByDriver ? row.id : undefined}
            place={place}
            words={words}
          />
        )
      })}
    </div>
  )
}
