/** The timeline: the lane of jobs without a row on top, a row per driver, car or class, and the present time. */
import { useComputed, useSignal, useSignalEffect } from "@preact/signals"
import type { JSX } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { dayOf, timeOf } from "../Formats.ts"
import { mayWrite } from "../Member.ts"
import { absencesOf } from "./Absences.ts"
import { Away } from "./Away.tsx"
import { Bar } from "./Bar.tsx"
import { drag, useDrag } from "./Drag.ts"
import { DragLabel } from "./DragLabel.tsx"
import { attemptDrop } from "./Drop.ts"
import { Ghost } from "./Plan.tsx"
import { heightOf, lane, type Row, rows, tops } from "./Rows.ts"
import { all, dialog, grouping, hour, isRolling, now, selected, shown } from "./state.ts"
import type { BoardWords } from "./words/en.ts"

const labelWidth = 172
const axisHeight = 32
/** A lane with more levels does not stay above the rows. */
const laneLevels = 4
/** How far beyond the edge rows are drawn, in pixels. */
const overscan = 240
/** How many hours a rolling board shows at once. */
const rollingHours = 6

const laneStays = () => lane.value.levels <= laneLevels

const Axis = ({
  isPresent,
  place
}: {
  /** Whether the present time is on it. */
  readonly isPresent: boolean
  readonly place: (time: number) => number
}) => {
  const { from, to } = shown.value
  const hours = Array.from({ length: Math.round((to - from) / hour) }, (_, index) => from + index * hour)
  const isWide = place(from + hour) - place(from) > 56
  return (
    <div class="axis" aria-hidden="true">
      <span class="corner">{dayOf(from)}</span>
      {hours
        .filter((_, index) => isWide || index % 2 === 0)
        .map((at) => (
          <span key={at} class="tick" style={{ insetInlineStart: `${place(at)}px` }}>
            {timeOf(at)}
          </span>
        ))}
      {isPresent && (
        <span class="now-time" style={{ insetInlineStart: `${place(now.value)}px` }}>
          {timeOf(now.value)}
        </span>
      )}
    </div>
  )
}

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

export const Timeline = ({ words }: { readonly words: BoardWords }): JSX.Element => {
  const area = useRef<HTMLDivElement>(null)
  const top = useSignal(0)
  const size = useSignal({ width: 1000, height: 600 })
  const perHour = useComputed(() => {
    const hours = isRolling.value ? rollingHours : 24
    return Math.max(84, (size.value.width - labelWidth - 16) / hours)
  })
  // The same function until the scale changes: only then are the bars drawn again.
  const scale = useComputed(() => {
    const [{ from }, width] = [shown.value, perHour.value]
    return (time: number) => labelWidth + (Math.max(0, time - from) / hour) * width
  })
  const place = scale.value
  const over = useComputed(() => drag.value?.over)
  useDrag(area, mayWrite("operations"), (entry, job, to) => void attemptDrop(entry, job, to, words))

  useEffect(() => {
    const element = area.current
    if (element === null) return undefined
    const measure = () => {
      size.value = { width: element.clientWidth, height: element.clientHeight }
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  // Begins at the present time, where a rolling board stays; another day begins at its first job.
  const isPresent = now.value >= shown.value.from && now.value < shown.value.to
  const firstJob = all.value.find(({ trip_date }) => Date.parse(trip_date) >= shown.value.from)
  const hasBegin = isPresent || firstJob !== undefined
  useEffect(() => {
    const begin = isPresent || firstJob === undefined ? now.value : Date.parse(firstJob.trip_date)
    const at = place(begin - hour) - labelWidth
    if (area.current !== null) area.current.scrollLeft = Math.max(0, at)
  }, [isRolling.value, shown.value.from, perHour.value, hasBegin])

  /** Brings the selected job into view, and the focus to it unless it is in a field. */
  useSignalEffect(() => {
    const id = selected.value
    const element = area.current
    if (id === undefined || element === null) return
    const index = rows
      .peek()
      .findIndex(({ jobs }) => jobs.some(({ isGhost, job }) => !isGhost && job.trip_id === id))
    if (index !== -1) {
      const start = tops.peek()[index] ?? 0
      const end = tops.peek()[index + 1] ?? start
      const visible = element.clientHeight - axisHeight - (laneStays() ? heightOf(lane.peek()) : 0)
      if (start < element.scrollTop) element.scrollTop = start
      else if (end > element.scrollTop + visible) element.scrollTop = end - visible
      top.value = element.scrollTop
    }
    requestAnimationFrame(() => {
      const bar = element.querySelector<HTMLElement>(`[data-trip="${id}"]`)
      const { activeElement } = document
      const isFree =
        activeElement === document.body || element.contains(activeElement) || activeElement?.id === "work"
      if (bar === null) return
      const box = bar.getBoundingClientRect()
      const frame = element.getBoundingClientRect()
      if (box.left < frame.left + labelWidth || box.left > frame.right - 80)
        element.scrollLeft += box.left - frame.left - labelWidth - 80
      if (index === -1) bar.scrollIntoView({ block: "nearest", inline: "nearest" })
      if (isFree) bar.focus({ preventScroll: true })
    })
  })

  const width = place(shown.value.to)
  const total = tops.value.at(-1) ?? 0
  const first = top.value - overscan
  const last = top.value + size.value.height + overscan
  const nowAt = place(now.value)
  return (
    <div
      class="timeline"
      ref={area}
      role="region"
      aria-label={words.timeline}
      tabIndex={0}
      onScroll={({ currentTarget }) => {
        top.value = currentTarget.scrollTop
      }}
    >
      <div
        class="canvas"
        style={{
          inlineSize: `${width}px`,
          "--label": `${labelWidth}px`,
          "--hour": `${perHour.value}px`
        }}
      >
        <Axis isPresent={isPresent} place={place} />
        <div
          class={["lane", ...(laneStays() ? ["stays"] : []), ...(over.value === "lane" ? ["over"] : [])].join(
            " "
          )}
          data-row="lane"
          role="group"
          aria-label={words.unassigned}
          style={{ blockSize: `${heightOf(lane.value)}px` }}
        >
          <div class="row-label">
            <b>{words.unassigned}</b>
            <span class="muted small">{lane.value.jobs.length}</span>
          </div>
          {lane.value.jobs.map(({ job, level }) => (
            <Bar key={job.trip_id} job={job} level={level} driver={undefined} place={place} words={words} />
          ))}
        </div>
        <div class="rows" style={{ blockSize: `${total}px` }}>
          {rows.value.map((row, index) => {
            const start = tops.value[index] ?? 0
            const height = heightOf(row)
            if (start + height < first || start > last) return null
            return (
              <div
                key={row.key}
                class={over.value === row.key ? "board-row over" : "board-row"}
                data-row={row.key}
                role="group"
                aria-label={row.name}
                style={{ insetBlockStart: `${start}px`, blockSize: `${height}px` }}
              >
                <Label row={row} words={words} />
                {grouping.value === "driver" &&
                  absencesOf(row.id).map((absence) => (
                    <Away key={absence.absence_id} absence={absence} place={place} words={words} />
                  ))}
                {row.jobs.map(({ isGhost, job, level }) =>
                  isGhost ? (
                    <Ghost key={`ghost-${job.trip_id}`} job={job} level={level} place={place} words={words} />
                  ) : (
                    <Bar
                      key={job.trip_id}
                      job={job}
                      level={level}
                      driver={grouping.value === "driver" ? row.id : undefined}
                      place={place}
                      words={words}
                    />
                  )
                )}
              </div>
            )
          })}
        </div>
        {isPresent && <div class="now" aria-hidden="true" style={{ insetInlineStart: `${nowAt}px` }} />}
      </div>
      <DragLabel words={words} />
    </div>
  )
}
