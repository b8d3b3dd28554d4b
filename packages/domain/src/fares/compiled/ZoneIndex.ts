/**
 * Finds the zones of a place, the most specific one first:
 *
 * 1. airports;
 * 2. circles and polygons, the smaller area first;
 * 3. postal codes, the longer matching prefix first.
 *
 * Equally specific zones keep the order of the tariff. Coordinates are more precise than a postal code, so a circle
 * within a postal code comes before it.
 */
import { circle, type Point, polygon, type Shape } from "../../routing/Geometry.ts"
import { plainPostalCode, type Zone } from "../rules/Zone.ts"

/** A place, with the fields that are known. `airport` is an IATA code. */
export interface Place {
  readonly postal_code: string | null
  readonly lat: number | null
  readonly lng: number | null
  readonly airport: string | null
}

/** A compiled zone; `index` is its position in the tariff. */
interface CompiledZone {
  readonly index: number
  readonly zone: Zone
  readonly shape: Shape | null
  readonly centre: Point | null
}

/** The zones of a tariff. */
export interface ZoneIndex {
  /** The positions of the zones that the place is in, the most specific one first. */
  readonly find: (place: Place) => ReadonlyArray<number>
  /** The coordinates of the place: its own, else those of its airport if the tariff has them. */
  readonly locate: (place: Place) => Point | null
  /** Whether the zone at a position is an airport. */
  readonly isAirport: (index: number) => boolean
  /** The id of the zone at a position. */
  readonly idOf: (index: number) => string
}

const pointOf = ({ lat, lng }: { readonly lat: number | null; readonly lng: number | null }): Point | null =>
  lat === null || lng === null ? null : { lat, lng }

/** The area of a zone; null for a postal zone, and for an airport without a radius. */
const shapeOf = (zone: Zone, centre: Point | null) => {
  if (zone.kind === "polygon") return polygon(zone.points)
  if (zone.kind === "postal" || centre === null || zone.radius_m === null) return null
  return circle(centre, zone.radius_m)
}

/** An airport is more specific than another area, and an area more than a postal prefix. */
const rankOf = (zone: Zone, prefixLength: number) => {
  if (zone.kind === "airport") return 0
  return prefixLength > 0 ? 2 : 1
}

const compileZone = (zone: Zone, index: number): CompiledZone => {
  const centre = pointOf(zone)
  return { index, zone, shape: shapeOf(zone, centre), centre }
}

/** The zones by postal prefix, and the length of the longest prefix. */
const prefixTable = (zones: ReadonlyArray<CompiledZone>) => {
  const table = new Map<string, Array<CompiledZone>>()
  for (const entry of zones) {
    const { zone } = entry
    if (zone.kind !== "postal" && zone.kind !== "airport") continue
    for (const prefix of new Set(zone.prefixes.map(plainPostalCode)))
      table.set(prefix, [...(table.get(prefix) ?? []), entry])
  }
  return { table, longest: Math.max(0, ...[...table.keys()].map((prefix) => prefix.length)) }
}

/** How specific a match is: sorted by lower rank, then by smaller size. */
interface Match {
  readonly index: number
  readonly rank: number
  readonly size: number
}

const mostSpecificFirst = (a: Match, b: Match) => a.rank - b.rank || a.size - b.size || a.index - b.index

/** Compiles the zones of a tariff for look-ups. */
export const zoneIndex = (zones: ReadonlyArray<Zone>): ZoneIndex => {
  const compiled = zones.map(compileZone)
  const shaped = compiled.filter(({ shape }) => shape !== null)
  const airports = new Map<string, Array<CompiledZone>>()
  for (const entry of compiled)
    if (entry.zone.kind === "airport" && entry.zone.airport !== null)
      airports.set(entry.zone.airport, [...(airports.get(entry.zone.airport) ?? []), entry])
  const { longest, table } = prefixTable(compiled)

  const zonesOfAirport = (place: Place) => (place.airport === null ? [] : (airports.get(place.airport) ?? []))
  const locate = (place: Place) =>
    pointOf(place) ?? zonesOfAirport(place).find(({ centre }) => centre !== null)?.centre ?? null

  const find = (place: Place) => {
    const matches = new Map<number, Match>()
    const add = ({ index, zone, shape }: CompiledZone, prefixLength: number) => {
      if (matches.has(index)) return
      const isByPrefix = prefixLength > 0 && zone.kind !== "airport"
      // A longer prefix is more specific.
      const size = isByPrefix ? -prefixLength : (shape?.area ?? 0)
      matches.set(index, { index, rank: rankOf(zone, prefixLength), size })
    }
    for (const entry of zonesOfAirport(place)) add(entry, 0)
    const point = locate(place)
    if (point !== null) for (const entry of shaped) if (entry.shape?.contains(point) === true) add(entry, 0)
    const code = plainPostalCode(place.postal_code ?? "")
    for (let length = Math.min(longest, code.length); length > 0; length--)
      for (const entry of table.get(code.slice(0, length)) ?? []) add(entry, length)
    return [...matches.values()].sort(mostSpecificFirst).map(({ index }) => index)
  }

  return {
    find,
    locate,
    isAirport: (index) => zones[index]?.kind === "airport",
    idOf: (index) => zones[index]?.id ?? ""
  }
}
