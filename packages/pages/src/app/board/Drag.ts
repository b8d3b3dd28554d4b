/** Assigning by dragging a bar to another row. The answer of the server is asked for while the bar is above a row. */
import { signal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import type { RefObject } from "preact"
import { tryCrews, type Verdict } from "./DryRun.ts"
import { driversOf, type Job } from "./Jobs.ts"
import { type Entry, jobs } from "./state.ts"

/** A bar that is dragged. */
export interface Drag {
  readonly job: Job
  /** The driver of the row that it comes from. */
  readonly from: number | undefined
  readonly x: number
  readonly y: number
  /** The row below the pointer, as `driver-3`. */
  readonly over: string | undefined
  /** What the server would answer there; undefined until it has. */
  readonly verdict: Verdict | undefined
}

export const drag = signal<Drag | undefined>(undefined)

/** The pointer moves this far before a press becomes a drag, in pixels. */
const threshold = 5

/** How long the pointer rests above a row before the server is asked, in milliseconds. */
const rest = 120

/** What a drop on a row means; undefined if nothing. */
export const entryOf = (job: Job, from: number | undefined, over: string | undefined): Entry | undefined => {
  const [kind, id = ""] = over?.split("-") ?? []
  const target = Number(id)
  const crew = driversOf(job).map(({ driver_id }) => driver_id)
  if (kind === "lane") return crew.length === 0 ? undefined : { trip_id: job.trip_id, driver_ids: [] }
  if (kind === "driver")
    return crew.includes(target)
      ? undefined
      : { trip_id: job.trip_id, driver_ids: [...crew.filter((known) => known !== from), target] }
  if (kind === "car")
    return {
      trip_id: job.trip_id,
      car_id: target,
      ...(crew.length > 0 && { assignments: crew.map((driver_id) => ({ driver_id, car_id: null })) })
    }
  return undefined
}

const rowAt = (x: number, y: number) =>
  document
    .elementsFromPoint(x, y)
    .map((element) => element.closest<HTMLElement>("[data-row]"))
    .find((row) => row !== null)?.dataset["row"]

/** Lets bars be dragged within an element. */
export const useDrag = (
  area: RefObject<HTMLElement | null>,
  mayDrag: boolean,
  onDrop: (entry: Entry, job: Job, over: string) => void
): void => {
  useEffect(() => {
    const element = area.current
    if (element === null || !mayDrag) return undefined
    let start:
      | { readonly x: number; readonly y: number; readonly job: Job; readonly from: number | undefined }
      | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = () => {
      start = undefined
      clearTimeout(timer)
      drag.value = undefined
    }
    const ask = () => {
      const { from, job, over } = drag.value ?? {}
      const entry = job && entryOf(job, from, over)
      if (entry === undefined) return
      void tryCrews([entry]).then((verdict) => {
        if (drag.value?.over === over) drag.value = { ...drag.value, verdict } as Drag
      })
    }
    const down = (event: PointerEvent) => {
      if (event.button !== 0 || !event.isPrimary || event.pointerType === "touch") return
      const bar = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-trip]") : null
      const job = jobs.value.get(Number(bar?.dataset["trip"]))
      const from = Number(bar?.dataset["driver"])
      if (job !== undefined)
        start = { x: event.clientX, y: event.clientY, job, from: from > 0 ? from : undefined }
    }
    const move = ({ clientX: x, clientY: y }: PointerEvent) => {
      if (start === undefined) return
      const { from, job } = start
      if (drag.value === undefined && Math.hypot(x - start.x, y - start.y) < threshold) return
      const over = rowAt(x, y)
      const isNew = over !== drag.value?.over
      drag.value = { job, from, x, y, over, verdict: isNew ? undefined : drag.value?.verdict }
      if (isNew) {
        clearTimeout(timer)
        timer = setTimeout(ask, rest)
      }
      // Near an edge, the rows move on.
      const box = element.getBoundingClientRect()
      if (y > box.bottom - 40) element.scrollTop += 16
      else if (y < box.top + 72) element.scrollTop -= 16
    }
    const up = () => {
      const { from, job, over } = drag.value ?? {}
      const entry = job && entryOf(job, from, over)
      end()
      if (entry !== undefined && job !== undefined && over !== undefined) onDrop(entry, job, over)
    }
    const key = (event: KeyboardEvent) => {
      if (event.key === "Escape") end()
    }
    element.addEventListener("pointerdown", down)
    addEventListener("pointermove", move)
    addEventListener("pointerup", up)
    addEventListener("pointercancel", end)
    addEventListener("keydown", key)
    return () => {
      end()
      element.removeEventListener("pointerdown", down)
      removeEventListener("pointermove", move)
      removeEventListener("pointerup", up)
      removeEventListener("pointercancel", end)
      removeEventListener("keydown", key)
    }
  }, [mayDrag])
}
