/** A map without tiles: the places of the ride and the car in their true directions and distances. */
import type { JSX } from "preact"
import type { Point, Trip } from "./Trip.ts"
import type { TrackWords } from "./words/en.ts"

const size = { width: 400, height: 220, margin: 40 }

interface Place {
  readonly x: number
  readonly y: number
}

/** The places of points on the drawing, with north above. One length has one scale in both directions. */
const drawn = (points: ReadonlyArray<Point>): ((point: Point) => Place) => {
  const middle = points.reduce((sum, { lat }) => sum + lat, 0) / points.length
  const shrink = Math.cos((middle * Math.PI) / 180)
  const flat = ({ lat, lng }: Point) => ({ x: lng * shrink, y: -lat })
  const flats = points.map(flat)
  const xs = flats.map(({ x }) => x)
  const ys = flats.map(({ y }) => y)
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  // At least about 400 m wide, so that a car beside its goal does not jump.
  const scale = Math.min(
    (size.width - 2 * size.margin) / Math.max(right - left, 0.004),
    (size.height - 2 * size.margin) / Math.max(bottom - top, 0.002)
  )
  return (point) => {
    const { x, y } = flat(point)
    return {
      x: size.width / 2 + (x - (left + right) / 2) * scale,
      y: size.height / 2 + (y - (top + bottom) / 2) * scale
    }
  }
}

/** The label stands across the way, so that the line does not cross it. */
const labelOf = ({ x, y }: Place, isSteep: boolean) => {
  if (isSteep)
    return x < size.width / 2
      ? { x: x + 16, y: y + 6, anchor: "start" }
      : { x: x - 16, y: y + 6, anchor: "end" }
  return {
    x: Math.min(Math.max(x, 60), size.width - 60),
    y: y > size.height / 2 ? y - 16 : y + 28,
    anchor: "middle"
  }
}

const Pin = ({
  at,
  isSteep,
  label,
  name
}: {
  readonly at: Place
  readonly isSteep: boolean
  readonly name: string
  readonly label: string
}) => {
  const { anchor, x, y } = labelOf(at, isSteep)
  return (
    <g class={name}>
      <circle cx={at.x} cy={at.y} r="8" />
      <text x={x} y={y} text-anchor={anchor}>
        {label}
      </text>
    </g>
  )
}

export const RideMap = ({
  trip,
  words
}: {
  readonly trip: Trip
  readonly words: TrackWords
}): JSX.Element | null => {
  const { dropoff_position: dropoff, pickup_position: pickup, position } = trip
  const points = [pickup, dropoff, position].filter((point) => point !== null)
  if (points.length < 2) return null
  const place = drawn(points)
  const car = position === null ? null : place(position)
  const ends = [pickup, dropoff ?? position].filter((point) => point !== null).map(place)
  const [from, to] = ends
  const isSteep = from !== undefined && to !== undefined && Math.abs(to.y - from.y) > Math.abs(to.x - from.x)
  const goal = trip.milestone === "passenger_on_board" ? dropoff : pickup
  const line = (from: Place, to: Place, name: string) => (
    <line class={name} x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
  )
  return (
    <svg
      class="map"
      viewBox={`0 0 ${size.width} ${size.height}`}
      role="img"
      aria-label={words.map}
      direction="ltr"
    >
      {pickup !== null && dropoff !== null && line(place(pickup), place(dropoff), "way")}
      {car !== null && goal !== null && line(car, place(goal), "ahead")}
      {pickup !== null && <Pin at={place(pickup)} isSteep={isSteep} name="pickup" label={words.pickup} />}
      {dropoff !== null && <Pin at={place(dropoff)} isSteep={isSteep} name="dropoff" label={words.dropoff} />}
      {car !== null && (
        <g class={trip.stale ? "car stale" : "car"} transform={`translate(${car.x} ${car.y})`}>
          <circle r="14" />
          <path
            d="M0-9 6 7 0 4-6 7Z"
            transform={typeof position?.heading === "number" ? `rotate(${position.heading})` : undefined}
          />
        </g>
      )}
    </svg>
  )
}
