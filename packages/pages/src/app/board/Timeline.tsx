/** The timeline: the lane of jobs without a row on top, a row per driver, car or class, and the present time. */
import { effect, untracked, useComputed, useSignal } from "@preact/signals"
import type { JSX } from "preact"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { dayOf, timeOf } from "../Formats.ts"
import { mayWrite } from "../Member.ts"
import { Bar } from "./Bar.tsx"
import { BoardRow, scaleOf } from "./BoardRow.tsx"
import { drag, useDrag } from "./Drag.ts"
import { DragLabel } from "./DragLabel.tsx"
import { attemptDrop } from "./Drop.ts"
import { spanOf } from "./Jobs.ts"
import { heightOf, lane, type Row, rows, tops } from "./Rows.ts"
import { all, hour, isRolling, jobs, now, selected, shown } from "./state.ts"
import type { BoardWords } from "./words/en.ts"

const labelWidth = 172
const axisHeight = 32
/** A lane with more levels does not stay above the rows. */
const laneLevels = 4
/** How far beyond the edge rows and bars are drawn, in pixels. */
const overscan = 120
/** The steps by which the part in view moves on, in pixels. */
const step = 120
/** How many hours a rolling board shows at once. */
const rollingHours = 6

const laneStays = () => lane.value.levels <= laneLevels

const isIn = (row: Row, id: number | undefined) =>
  row.jobs.some(({ isGhost, job }) => !isGhost && job.trip_id === id)

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

/** Where the timeline stands, and how large it is, in pixels. */
interface View {
  readonly top: number
  readonly left: number
  readonly width: number
  readonly height: number
}

export const Timeline = ({ words }: { readonly words: BoardWords }): JSX.Element => {
  const area = useRef<HTMLDivElement>(null)
  // Nothing is drawn before its place is known.
  const view = useSignal<View | undefined>(undefined)
  const perHour = useComputed(() => {
    const hours = isRolling.value ? rollingHours : 24
    return Math.max(84, ((view.value?.width ?? 0) - labelWidth - 16) / hours)
  })
  // The same function until the scale changes.
  const placing = useComputed(() => {
    const [{ from }, width] = [shown.value, perHour.value]
    return (time: number) => labelWidth + (Math.max(0, time - from) / hour) * width
  })
  const place = placing.value
  // The part in view moves on by steps, so that the bars are not drawn again for each pixel.
  const firstStep = useComputed(() => Math.floor((view.value?.left ?? 0) / step))
  const lastStep = useComputed(() => {
    const { left = 0, width = 0 } = view.value ?? {}
    return Math.ceil((left + width) / step)
  })
  const scale = useComputed(() =>
    scaleOf(placing.value, firstStep.value * step + labelWidth - overscan, lastStep.value * step + overscan)
  )
  const isOverLane = useComputed(() => drag.value?.over === "lane")
  useDrag(area, mayWrite("operations"), (entry, job, to) => void attemptDrop(entry, job, to, words))

  const look = () => {
    const element = area.current
    if (element === null) return
    const { clientHeight: height, clientWidth: width, scrollLeft: left, scrollTop: top } = element
    const before = view.peek()
    const isSame =
      before?.height === height && before.width === width && before.left === left && before.top === top
    if (!isSame) view.value = { top, left, width, height }
  }

  // Before the first painting, so that nothing is drawn twice.
  useLayoutEffect(() => {
    const element = area.current
    if (element === null) return undefined
    look()
    const observer = new ResizeObserver(look)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  // Begins at the present time, where a rolling board stays; another day begins at its first job.
  const isPresent = now.value >= shown.value.from && now.value < shown.value.to
  const firstJob = all.value.find(({ trip_date }) => Date.parse(trip_date) >= shown.value.from)
  const hasBegin = isPresent || firstJob !== undefined
  useLayoutEffect(() => {
    const begin = isPresent || firstJob === undefined ? now.value : Date.parse(firstJob.trip_date)
    const at = place(begin - hour) - labelWidth
    if (area.current !== null) area.current.scrollLeft = Math.max(0, at)
    look()
  }, [isRolling.value, shown.value.from, perHour.value, hasBegin])

  /** Brings a job into view, and the focus to it unless it is in a field. */
  const show = (id: number | undefined) => {
    const element = area.current
    const seen = view.peek()
    const job = id === undefined ? undefined : jobs.value.get(id)
    if (id === undefined || element === null || seen === undefined || job === undefined) return
    const index = rows.value.findIndex((row) => isIn(row, id))
    if (index !== -1) {
      const start = tops.value[index] ?? 0
      const end = tops.value[index + 1] ?? start
      const visible = seen.height - axisHeight - (laneStays() ? heightOf(lane.value) : 0)
      if (start < seen.top) element.scrollTop = start
      else if (end > seen.top + visible) element.scrollTop = end - visible
    }
    const at = placing.value(spanOf(job)[0])
    if (at < seen.left + labelWidth || at > seen.left + seen.width - 80)
      element.scrollLeft = at - labelWidth - 80
    look()
    requestAnimationFrame(() => {
      const bar = element.querySelector<HTMLElement>(`[data-trip="${id}"]`)
      const { activeElement } = document
      const isFree =
        activeElement === document.body || element.contains(activeElement) || activeElement?.id === "work"
      if (bar === null) return
      if (index === -1) bar.scrollIntoView({ block: "nearest", inline: "nearest" })
      if (isFree) bar.focus({ preventScroll: true })
    })
  }
  // At once, and not in the next frame: the rows come with the selection.
  // Again only if the job comes into another row: what happens to other jobs leaves the timeline where it is.
  const home = useComputed(() => rows.value.find((row) => isIn(row, selected.value))?.key)
  useEffect(
    () =>
      effect(() => {
        const id = selected.value
        void home.value
        untracked(() => show(id))
      }),
    []
  )

  const width = place(shown.value.to)
  const total = tops.value.at(-1) ?? 0
  const { height = 0, top = 0 } = view.value ?? {}
  const [first, last] = [top - overscan, top + height + overscan]
  const nowAt = place(now.value)
  return (
    <div class="timeline" ref={area} role="region" aria-label={words.timeline} tabIndex={0} onScroll={look}>
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
          class={["lane", ...(laneStays() ? ["stays"] : []), ...(isOverLane.value ? ["over"] : [])].join(" ")}
          data-row="lane"
          role="group"
          aria-label={words.unassigned}
          style={{ blockSize: `${heightOf(lane.value)}px` }}
        >
          <div class="row-label">
            <b>{words.unassigned}</b>
            <span class="muted small">{lane.value.jobs.length}</span>
          </div>
          {view.value !== undefined &&
            lane.value.jobs.map(({ job, level }) =>
              scale.value.isInView(job) ? (
                <Bar
                  key={job.trip_id}
                  job={job}
                  level={level}
                  driver={undefined}
                  place={place}
                  words={words}
                />
              ) : null
            )}
        </div>
        <div class="rows" style={{ blockSize: `${total}px` }}>
          {view.value !== undefined &&
            rows.value.map((row, index) => {
              const start = tops.value[index] ?? 0
              if (start + heightOf(row) < first || start > last) return null
              return <BoardRow key={row.key} row={row} scale={scale} start={start} words={words} />
            })}
        </div>
        {isPresent && <div class="now" aria-hidden="true" style={{ insetInlineStart: `${nowAt}px` }} />}
      </div>
      <DragLabel words={words} />
    </div>
  )
}
