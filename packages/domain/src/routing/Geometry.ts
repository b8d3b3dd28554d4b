/** Distances and shapes on a spherical earth; angles in degrees, lengths in metres. */

/** A point on the earth, in degrees. */
export interface Point {
  readonly lat: number
  readonly lng: number
}

const earthRadius = 6_371_008.8
const radians = (degrees: number) => (degrees * Math.PI) / 180
const metresPerDegree = radians(1) * earthRadius

/** The great-circle distance between two points, in metres. */
export const metresBetween = (a: Point, b: Point): number => {
  const [latA, latB] = [radians(a.lat), radians(b.lat)]
  const half =
    Math.sin((latB - latA) / 2) ** 2 +
    Math.cos(latA) * Math.cos(latB) * Math.sin(radians(b.lng - a.lng) / 2) ** 2
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(half)))
}

/** The tolerance of a zone's edge in metres: a place at most this far outside counts as inside. */
const edgeMetres = 1

/** The longitude of the same meridian that is at most half a turn from `other`. */
const nearestTurn = (lng: number, other: number) => lng - 360 * Math.round((lng - other) / 360)

interface Flat {
  readonly x: number
  readonly y: number
}

/** An area on the map, and whether a point is in it. `area` is in square metres. */
export interface Shape {
  readonly area: number
  readonly contains: (point: Point) => boolean
}

/** A circle. Points on it, or at most {@link edgeMetres} outside, are in it. */
export const circle = (centre: Point, radius: number): Shape => {
  // A degree of latitude has the same length everywhere, so most places are excluded without trigonometry.
  const reach = (radius + edgeMetres) / metresPerDegree + 1e-6
  return {
    area: Math.PI * radius ** 2,
    contains: (point) =>
      Math.abs(point.lat - centre.lat) <= reach && metresBetween(centre, point) <= radius + edgeMetres
  }
}

const distanceToSegment = (a: Flat, b: Flat, p: Flat) => {
  const [dx, dy] = [b.x - a.x, b.y - a.y]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : Math.max(0, Math.min(1, ((p.x - a.x) * dx + (p.y - a.y) * dy) / length))
  return Math.hypot(p.x - a.x - along * dx, p.y - a.y - along * dy)
}

const crosses = (a: Flat, b: Flat, p: Flat) =>
  a.y > p.y !== b.y > p.y && p.x < ((b.x - a.x) * (p.y - a.y)) / (b.y - a.y) + a.x

/**
 * A polygon of at least three corners, whose edges are straight on an equirectangular map around it. It may span the
 * antimeridian. If its edges cross each other, the even-odd rule decides which parts are inside.
 */
export const polygon = (corners: ReadonlyArray<Point>): Shape => {
  const origin = corners[0] ?? { lat: 0, lng: 0 }
  const middle = corners.reduce((sum, { lat }) => sum + lat, 0) / Math.max(1, corners.length)
  const shrink = Math.cos(radians(middle))
  const flat = ({ lat, lng }: Point, reference: number): Flat => ({
    x: nearestTurn(lng, reference) * shrink * metresPerDegree,
    y: lat * metresPerDegree
  })
  const ring: Array<Flat> = []
  let meridian = origin.lng
  for (const corner of corners) {
    // Each longitude is the equivalent one nearest to the corner before it, so that no edge goes round the earth.
    meridian = nearestTurn(corner.lng, meridian)
    ring.push({ x: meridian * shrink * metresPerDegree, y: corner.lat * metresPerDegree })
  }
  const edges = ring.map((start, index) => [start, ring[(index + 1) % ring.length] ?? start] as const)
  const bounds = {
    left: Math.min(...ring.map(({ x }) => x)) - edgeMetres,
    right: Math.max(...ring.map(({ x }) => x)) + edgeMetres,
    bottom: Math.min(...ring.map(({ y }) => y)) - edgeMetres,
    top: Math.max(...ring.map(({ y }) => y)) + edgeMetres
  }
  const centre = (bounds.left + bounds.right) / 2 / shrink / metresPerDegree
  return {
    area: Math.abs(edges.reduce((sum, [a, b]) => sum + a.x * b.y - b.x * a.y, 0)) / 2,
    contains: (point) => {
      const at = flat(point, centre)
      if (at.x < bounds.left || at.x > bounds.right || at.y < bounds.bottom || at.y > bounds.top) return false
      const isInside = edges.reduce(
        (within, [start, end]) => (crosses(start, end, at) ? !within : within),
        false
      )
      return isInside || edges.some(([start, end]) => distanceToSegment(start, end, at) <= edgeMetres)
    }
  }
}
