/**
 * The free drivers by the distance of their last places from a point.
 *
 * 1. The index `trips_by_dropoff` returns the ends of trips in the order of their distance in degrees. The first drivers
 *    in that order are about the nearest ones.
 * 2. The farthest of them bounds a circle on the sphere, which contains every driver who is at least as near.
 * 3. The exact distances of the drivers in that circle are compared.
 */
import { Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import {
  type BusinessId,
  DriverId,
  type FreeDriversSearch,
  placesKnownSince,
  type TripWindow
} from "@livery/domain"
import { business, forBusiness } from "../sql/statements/ForBusiness.ts"
import { instant, rowsAs } from "../sql/rows/Rows.ts"
import { isOnTrip } from "../trips/TripConditions.ts"
import { previousTrip } from "./FreeDriverSql.ts"

type Point = NonNullable<FreeDriversSearch["near"]>

const distancesOf = rowsAs(Schema.Struct({ driver_id: DriverId, chord: Schema.Finite }))

/** How many ends of trips are tested first. If too few free drivers are among them, all are. */
const endsTested = 2000

/** The square of half the chord between two points on a sphere of radius 1. It grows with their distance. */
const chord = `
  sin(radians((t.dropoff_lat - q.lat) / 2)) ^ 2
  + cos(radians(q.lat)) * cos(radians(t.dropoff_lat)) * sin(radians((t.dropoff_lng - q.lng) / 2)) ^ 2`

const degrees = (radians: number) => (radians * 180) / Math.PI

/** A little more than the rounding errors of the calculation, in degrees. */
const toleranceDegrees = 1e-6

/** The latitudes and longitudes that a circle on the sphere reaches. Its radius is given as a {@link chord}. */
const boxAround = ({ lat, lng }: Point, radiusChord: number) => {
  const angle = 2 * Math.asin(Math.min(1, Math.sqrt(radiusChord)))
  const reach = degrees(angle) + toleranceDegrees
  const ratio = Math.sin(angle) / Math.cos((lat * Math.PI) / 180)
  const [south, north] = [lat - reach, lat + reach]
  const width = ratio < 1 && south > -90 && north < 90 ? degrees(Math.asin(ratio)) + toleranceDegrees : 360
  const isWhole = angle > Math.PI / 2 || lng - width < -180 || lng + width > 180
  return { south, north, west: isWhole ? -180 : lng - width, east: isWhole ? 180 : lng + width }
}

/** Builds the look-up. `isWanted` is a condition on `drivers d` and the window `w`. */
export const nearestDrivers = (sql: SqlClient.SqlClient) => {
  const degreesApart = sql.literal("point(t.dropoff_lng, t.dropoff_lat) <-> point(q.lng, q.lat)")
  const chordOf = sql.literal(chord)
  /** The drivers `d` whose previous job ends with the trip `t`. */
  const driversAt = forBusiness(
    sql,
    `SELECT d.driver_id, d.name FROM drivers d
     WHERE d.business_id = ${business} AND d.driver_id = ANY (ARRAY(
         SELECT a.driver_id FROM assignments a
         WHERE a.business_id = ${business} AND a.trip_id = t.trip_id AND a.status ${isOnTrip}))
       AND t.trip_id = ${previousTrip}`
  )

  return (
    businessId: BusinessId,
    near: Point,
    window: TripWindow,
    w: Statement.Fragment,
    isWanted: Statement.Fragment
  ) => {
    const q = sql`(SELECT ${near.lat}::float8 AS lat, ${near.lng}::float8 AS lng)`
    /** The ends of trips that may be the last places of drivers. `further` is the rest of the statement. */
    const ends = (further: Statement.Fragment) => sql`
      SELECT t.trip_id, ${degreesApart} AS degrees_apart, ${chordOf} AS chord FROM ${q} q CROSS JOIN trips t
      WHERE t.business_id = ${businessId} AND int8range(t.business_id, t.business_id, '[]') @> ${businessId}::bigint
        AND tstzrange(t.trip_date, t.trip_date, '[]')
          <@ tstzrange(${instant(placesKnownSince(window))}, ${instant(window.starts)}, '()')
        AND t.dropoff_lat IS NOT NULL AND t.dropoff_lng IS NOT NULL AND t.deleted_at IS NULL ${further}`
    const drivers = (places: Statement.Fragment) => sql`
      ${w} w CROSS JOIN (${places}) t CROSS JOIN LATERAL (${driversAt(businessId)} AND ${isWanted} OFFSET 0) n`

    /** The first free drivers in the order of the index: `count` of them, or all whose last place is known. */
    const first = Effect.fnUntraced(function* (count: number) {
      const among = (limit = sql``) =>
        distancesOf(sql`
          SELECT n.driver_id, t.chord FROM ${drivers(ends(sql`ORDER BY ${degreesApart} ${limit}`))}
          ORDER BY t.degrees_apart LIMIT ${count}`)
      const nearest = yield* among(sql`LIMIT ${sql.literal(String(endsTested))}`)
      return nearest.length === count ? nearest : yield* among()
    })

    /**
     * A statement for `driver_id`, `name` and `chord` of the first `count` drivers of the list, and some more, without an
     * order. A driver whose place is unknown has no `chord`.
     */
    return Effect.fnUntraced(function* (count: number) {
      const nearest = yield* first(count)
      const farthest = Math.max(...nearest.map((driver) => driver.chord))
      if (nearest.length === count) {
        const { east, north, south, west } = boxAround(near, farthest)
        const isInside = sql`
          AND point(t.dropoff_lng, t.dropoff_lat) <@ box(point(${west}::float8, ${south}::float8), point(${east}::float8, ${north}::float8))
          AND ${chordOf} <= ${farthest}::float8 * 1.000000001`
        return sql`SELECT n.driver_id, n.name, t.chord FROM ${drivers(ends(isInside))}`
      }
      const ids = nearest.map(({ driver_id }) => driver_id)
      return sql`
        (SELECT d.driver_id, d.name, k.chord
         FROM unnest(${ids}::bigint[], ${nearest.map((driver) => driver.chord)}::float8[]) k (driver_id, chord)
         JOIN drivers d ON d.business_id = ${businessId} AND d.driver_id = k.driver_id)
        UNION ALL
        (SELECT d.driver_id, d.name, NULL::float8 FROM ${w} w CROSS JOIN drivers d
         WHERE ${isWanted} AND d.driver_id <> ALL (${ids}::bigint[]) ORDER BY d.name, d.driver_id LIMIT ${count})`
    })
  }
}
