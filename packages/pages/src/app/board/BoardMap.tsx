/** Where the drivers are, and the way of the selected job: a map without tiles, in true directions and distances. */
import type { JSX } from "preact"
import { format } from "../../i18n/Language.ts"
import { driversOf, isOver } from "./Jobs.ts"
import { all, now, select, selectedJob } from "./state.ts"
import type { BoardWords } from "./words/en.ts"

interface Point {
  readonly lat: number
  readonly lng: number
}

interface Spot extends Point {
  readonly trip: number
  readonly name: string
  readonly age: number
  readonly isOld: boolean
}

const size = { width: 320, height: 220, margin: 24 }

/** A position that is older than this, in seconds, is drawn as an old one. */
const oldAfter = 300

/** The latest position of each driver with a job that is not over. */
const spots = (): ReadonlyArray<Spot> => {
  const found = new Map<number, Spot>()
  for (const job of all.value)
    if (!isOver(job))
      for (const { driver_id, name, position } of driversOf(job))
        if (position !== null) {
          const { lat, lng, recorded_at } = position
          const age = Math.max(0, (now.value - Date.parse(recorded_at)) / 1000)
          found.set(driver_id, { lat, lng, trip: job.trip_id, name, age, isOld: age > oldAfter })
        }
  return [...found.values()]
}

/** The places of points on the drawing, with north above. */
const drawn = (points: ReadonlyArray<Point>) => {
  const middle = points.reduce((sum, { lat }) => sum + lat, 0) / points.length
  const shrink = Math.cos((middle * Math.PI) / 180)
  const xs = points.map(({ lng }) => lng * shrink)
  const ys = points.map(({ lat }) => -lat)
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const scale = Math.min(
    (size.width - 2 * size.margin) / Math.max(right - left, 0.01),
    (size.height - 2 * size.margin) / Math.max(bottom - top, 0.006)
  )
  return ({ lat, lng }: Point) => ({
    x: size.width / 2 + (lng * shrink - (left + right) / 2) * scale,
    y: size.height / 2 + (-lat - (top + bottom) / 2) * scale
  })
}

const pointOf = (lat: number | null, lng: number | null): Point | undefined =>
  lat === null || lng === null ? undefined : { lat, lng }

const initials = (name: string) =>
  name
    .split(/\s+/u)
    .map((word) => /^./u.exec(word)?.[0] ?? "")
    .slice(0, 2)
    .join("")

export const BoardMap = ({ words }: { readonly words: BoardWords }): JSX.Element => {
  const job = selectedJob.value
  const known = spots()
  const pickup = job && pointOf(job.pickup_lat, job.pickup_lng)
  const dropoff = job && pointOf(job.dropoff_lat, job.dropoff_lng)
  const points = [...known, ...[pickup, dropoff].filter((point) => point !== undefined)]
  if (points.length === 0) return <p class="muted card record small">{words.noPositions}</p>
  const place = drawn(points)
  const from = pickup && place(pickup)
  const to = dropoff && place(dropoff)
  return (
    <section class="card record board-map" aria-label={words.map}>
      <svg viewBox={`0 0 ${size.width} ${size.height}`} role="img" aria-label={words.map} direction="ltr">
        {from !== undefined && to !== undefined && (
          <line class="way" x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
        )}
        {from !== undefined && <circle class="pickup" cx={from.x} cy={from.y} r="6" />}
        {to !== undefined && <rect class="dropoff" x={to.x - 5} y={to.y - 5} width="10" height="10" />}
        {known.map((spot) => {
          const { x, y } = place(spot)
          const isOwn = spot.trip === job?.trip_id
          return (
            <g
              key={spot.name}
              class={["spot", ...(isOwn ? ["own-spot"] : []), ...(spot.isOld ? ["old"] : [])].join(" ")}
              transform={`translate(${x} ${y})`}
              onClick={() => select(spot.trip)}
            >
              <title>{`${spot.name}, ${format.ago(spot.age)}`}</title>
              <circle r="11" />
              <text text-anchor="middle" y="4">
                {initials(spot.name)}
              </text>
            </g>
          )
        })}
      </svg>
    </section>
  )
}
