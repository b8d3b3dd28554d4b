/** SQL for the drivers and the cars of a trip `t` on the dispatch board, with what their warnings need. */
import { Schema } from "effect"
import { BoardCar, BoardDriver, maxAbsenceDays, Neighbour } from "@livery/domain"
import { jsonOf } from "../sql/rows/Columns.ts"
import { business } from "../sql/statements/ForBusiness.ts"
import {
  isLive,
  isOnTrip,
  isOpenTrip,
  isUnderWay,
  overlaps,
  windowOf,
  windowOfAssignment
} from "./TripConditions.ts"

const {
  absence_ids,
  assignment_id,
  car: assignmentCar,
  clashes,
  license_expires_on,
  neighbours,
  ...ofDriver
} = BoardDriver.fields
/** The fields that the board adds to an assignment. */
export const RosterEntry = Schema.Struct({
  assignment_id,
  clashes,
  neighbours,
  license_expires_on,
  absence_ids,
  car: assignmentCar,
  phone: ofDriver.phone,
  active: ofDriver.active,
  position: ofDriver.position
})

/** The ids of the trips of a subquery `o`, by pickup time, as JSON. */
const idsByPickup = "coalesce(json_agg(o.trip_id ORDER BY o.trip_date, o.trip_id), '[]'::json)"

/**
 * The trips that a driver's assignment `a` clashes with. Nearly all windows last a day at most, so the index is read
 * from a day before; the few longer ones have an index of their own.
 */
const clashesOfDriver = `
  SELECT ${idsByPickup} FROM (
    SELECT b.trip_id, b.trip_date FROM assignments b
    WHERE b.business_id = ${business} AND b.driver_id = a.driver_id AND b.status ${isLive}
      AND b.trip_date > a.trip_date - interval '1 day'
      AND ${overlaps(windowOfAssignment("a"), windowOfAssignment("b"))}
    UNION
    SELECT b.trip_id, b.trip_date FROM assignments b
    WHERE b.business_id = ${business} AND b.driver_id = a.driver_id AND b.status ${isLive}
      AND b.trip_ends_at - b.trip_date > interval '1 day'
      AND ${overlaps(windowOfAssignment("a"), windowOfAssignment("b"))}
  ) o WHERE o.trip_id <> a.trip_id`

const neighbour = (starts: string, ends: string) => jsonOf(Neighbour, "u", { starts, ends })

/** The neighbours of a trip from two subqueries with at most one row each. */
const neighboursFrom = (before: string, after: string) => `
  (SELECT coalesce(json_agg(n.neighbour), '[]'::json) FROM ((${before}) UNION ALL (${after})) n)`

/** The first other assignment of a driver that `condition` permits, in the order of an index, with its trip. */
const otherOfDriver = (condition: string, order: string) => `
  SELECT ${neighbour("b.trip_date", "b.trip_ends_at")} AS neighbour
  FROM (
    SELECT * FROM assignments b
    WHERE b.business_id = ${business} AND b.driver_id = a.driver_id AND b.status ${isLive} AND b.trip_id <> a.trip_id
      AND ${condition}
    ORDER BY ${order} LIMIT 1
  ) b JOIN trips u ON u.business_id = ${business} AND u.trip_id = b.trip_id`

/**
 * A neighbour is at most a day away. An earlier trip must start within two days before the assignment, so one that
 * lasts longer than a day may be left out.
 */
const neighboursOfDriver = neighboursFrom(
  otherOfDriver(
    `b.trip_date > a.trip_date - interval '2 days' AND b.trip_date < a.trip_date AND b.trip_ends_at <= a.trip_date`,
    "b.trip_date DESC, b.assignment_id DESC"
  ),
  otherOfDriver(
    `b.trip_date >= a.trip_ends_at AND b.trip_date < a.trip_ends_at + interval '1 day'`,
    "b.trip_date, b.assignment_id"
  )
)

/** The absences of a duration that overlap a driver's assignment `a`. */
const absencesOfDuration = (duration: string, maxHours: number) => `
    SELECT b.absence_id FROM driver_absences b
    WHERE b.business_id = ${business} AND b.driver_id = a.driver_id AND b.ends_at - b.starts_at ${duration}
      AND ${overlaps({ starts: "b.starts_at", ends: "b.ends_at" }, windowOfAssignment("a"))}
      AND b.starts_at > a.trip_date - make_interval(hours => ${maxHours})`

/** The absences that last more than a day have an index of their own, so that those of the year before are not read. */
const absencesOfDriver = `
  (SELECT coalesce(json_agg(b.absence_id ORDER BY b.absence_id), '[]'::json) FROM (
    ${absencesOfDuration("<= interval '1 day'", 24)}
    UNION ALL ${absencesOfDuration("> interval '1 day'", 24 * (maxAbsenceDays + 1))}) b)`

/**
 * The trips other than `trip` that have the car `c` in a window, as their own or as that of a live assignment, found like
 * {@link clashesOfDriver}.
 */
const clashesOfCar = (trip: string, window: ReturnType<typeof windowOf>) => {
  const ofTrips = `
    SELECT u.trip_id, u.trip_date FROM trips u
    WHERE u.business_id = ${business} AND u.car_id = c.car_id AND u.deleted_at IS NULL AND u.status ${isOpenTrip}
      AND ${overlaps(window, windowOf("u"))}`
  const ofAssignments = `
    SELECT b.trip_id, b.trip_date FROM assignments b
    WHERE b.business_id = ${business} AND b.car_id = c.car_id AND b.status ${isLive}
      AND ${overlaps(window, windowOfAssignment("b"))}`
  return `
    SELECT ${idsByPickup} FROM (
      ${ofTrips} AND u.trip_date > ${window.starts} - interval '1 day'
      UNION ${ofTrips} AND u.duration_minutes > 1440
      UNION ${ofAssignments} AND b.trip_date > ${window.starts} - interval '1 day'
      UNION ${ofAssignments} AND b.trip_ends_at - b.trip_date > interval '1 day'
    ) o WHERE o.trip_id <> ${trip}`
}

/** The nearest other trip of the car `c`: of its first trip and of its first assignment, in the order of indexes. */
const otherOfCar = (trip: string, condition: (starts: string, ends: string) => string, direction: string) => {
  const ends = windowOf("u").ends
  return `
    SELECT neighbour FROM (
      (SELECT u.trip_date, u.trip_id, ${neighbour("u.trip_date", ends)} AS neighbour FROM trips u
       WHERE u.business_id = ${business} AND u.car_id = c.car_id AND u.deleted_at IS NULL AND u.status ${isOpenTrip}
         AND u.trip_id <> ${trip} AND ${condition("u.trip_date", ends)}
       ORDER BY u.trip_date ${direction}, u.trip_id ${direction} LIMIT 1)
      UNION ALL
      (SELECT b.trip_date, b.trip_id, ${neighbour("b.trip_date", "b.trip_ends_at")} AS neighbour
       FROM (
         SELECT * FROM assignments b
         WHERE b.business_id = ${business} AND b.car_id = c.car_id AND b.status ${isLive} AND b.trip_id <> ${trip}
           AND ${condition("b.trip_date", "b.trip_ends_at")}
         ORDER BY b.trip_date ${direction}, b.assignment_id ${direction} LIMIT 1
       ) b JOIN trips u ON u.business_id = ${business} AND u.trip_id = b.trip_id)
    ) nearest ORDER BY trip_date ${direction}, trip_id ${direction} LIMIT 1`
}

const neighboursOfCar = (trip: string, window: ReturnType<typeof windowOf>) =>
  neighboursFrom(
    otherOfCar(
      trip,
      (starts, ends) =>
        `${starts} > ${window.starts} - interval '2 days' AND ${starts} < ${window.starts} AND ${ends} <= ${window.starts}`,
      "DESC"
    ),
    otherOfCar(
      trip,
      (starts) => `${starts} >= ${window.ends} AND ${starts} < ${window.ends} + interval '1 day'`,
      "ASC"
    )
  )

/** A car `c` of the trip with that id and window; `isInUse` is whether its other trips matter. */
const carOf = (carId: string, trip: string, window: ReturnType<typeof windowOf>, isInUse: string) => `
  (SELECT ${jsonOf(BoardCar, "c", {
    active: "c.active AND c.deleted_at IS NULL",
    clashes: `CASE WHEN ${isInUse} THEN (${clashesOfCar(trip, window)}) ELSE '[]'::json END`,
    neighbours: `CASE WHEN ${isInUse} THEN ${neighboursOfCar(trip, window)} ELSE '[]'::json END`
  })}
   FROM cars c WHERE c.business_id = ${business} AND c.car_id = ${carId})`

const car = `${carOf("t.car_id", "t.trip_id", windowOf("t"), `t.status ${isOpenTrip}`)} AS car`

const rosterEntry = jsonOf(RosterEntry, "a", {
  phone: "d.phone",
  active: "d.active AND d.deleted_at IS NULL",
  position: `CASE WHEN a.status ${isUnderWay} THEN (
    SELECT json_build_object('lat', w.lat, 'lng', w.lng, 'recorded_at', w.recorded_at) FROM driver_positions w
    WHERE w.business_id = ${business} AND w.assignment_id = a.assignment_id) END`,
  clashes: `CASE WHEN a.status ${isLive} THEN (${clashesOfDriver}) ELSE '[]'::json END`,
  neighbours: `CASE WHEN a.status ${isLive} THEN ${neighboursOfDriver} ELSE '[]'::json END`,
  license_expires_on: "d.license_expires_on",
  absence_ids: `CASE WHEN a.status ${isLive} THEN ${absencesOfDriver} ELSE '[]'::json END`,
  car: carOf("a.car_id", "a.trip_id", windowOfAssignment("a"), `a.status ${isLive}`)
})

const roster = `
  coalesce((
    SELECT json_agg(${rosterEntry})
    FROM assignments a JOIN drivers d ON d.business_id = ${business} AND d.driver_id = a.driver_id
    WHERE a.business_id = ${business} AND a.trip_id = t.trip_id AND a.status ${isOnTrip}), '[]'::json) AS roster`

/** The columns `roster` and `car` of a trip `t`, to be written after others. */
export const boardColumns = `, ${roster}, ${car}`
