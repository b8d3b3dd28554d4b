/** SQL for the drivers who are free in a window `w`, with their cars and their jobs before and after it. */
import { DefaultCar, maxDurationMinutes, NearestJob } from "@livery/domain"
import { jsonOf } from "../sql/rows/Columns.ts"
import { business } from "../sql/statements/ForBusiness.ts"
import {
  isLive,
  isOnTrip,
  isOpenTrip,
  overlaps,
  windowOf,
  windowOfAssignment
} from "../trips/TripConditions.ts"

const at = { starts: "w.starts", ends: "w.ends" }

/** A job of the driver `d`: that of the assignment `a` to the trip `t`, with the place of its end or start. */
const job = (place: "pickup" | "dropoff", condition: string, order: string) => `
  SELECT ${jsonOf(NearestJob, "t", {
    from: "a.trip_date",
    to: "a.trip_ends_at",
    address: `t.${place}_address`,
    lat: `t.${place}_lat`,
    lng: `t.${place}_lng`
  })} AS job
  FROM assignments a JOIN trips t ON t.business_id = ${business} AND t.trip_id = a.trip_id AND t.deleted_at IS NULL
  WHERE a.business_id = ${business} AND a.driver_id = d.driver_id AND ${condition}
  ORDER BY ${order} LIMIT 1`

const isBefore = `a.status ${isOnTrip} AND a.trip_date < w.starts`
const lastFirst = "a.trip_date DESC, a.trip_id DESC"

const previousJob = job("dropoff", isBefore, lastFirst)
const nextJob = job("pickup", `a.status ${isLive} AND a.trip_date >= w.ends`, "a.trip_date, a.trip_id")

/** The trip of the previous job of the driver `d`. */
export const previousTrip = `(
  SELECT a.trip_id FROM assignments a
  JOIN trips t ON t.business_id = ${business} AND t.trip_id = a.trip_id AND t.deleted_at IS NULL
  WHERE a.business_id = ${business} AND a.driver_id = d.driver_id AND ${isBefore}
  ORDER BY ${lastFirst} LIMIT 1)`

/** Adds the previous job `p` and the next job `n` to each driver `d`. */
export const withJobs = `LEFT JOIN LATERAL (${previousJob}) p ON true LEFT JOIN LATERAL (${nextJob}) n ON true`

/**
 * Whether no open trip and no live assignment has the car `c` in the window. No trip is longer than
 * `maxDurationMinutes`, so the indexes are read from that long before the window.
 */
const isCarFree = `NOT EXISTS (
  SELECT FROM trips t
  WHERE t.business_id = ${business} AND t.car_id = c.car_id AND t.deleted_at IS NULL AND t.status ${isOpenTrip}
    AND ${overlaps(windowOf("t"), at)} AND t.trip_date > w.starts - make_interval(mins => ${maxDurationMinutes}))
  AND NOT EXISTS (
    SELECT FROM assignments a
    WHERE a.business_id = ${business} AND a.car_id = c.car_id AND a.status ${isLive}
      AND ${overlaps(windowOfAssignment("a"), at)}
      AND a.trip_date > w.starts - make_interval(mins => ${maxDurationMinutes}))`

const defaultCar = `
  (SELECT ${jsonOf(DefaultCar, "c", { free: isCarFree })}
   FROM cars c WHERE c.business_id = ${business} AND c.car_id = d.default_car_id AND c.active AND c.deleted_at IS NULL) AS car`

/**
 * Whether a table has no row that meets a condition. PostgreSQL expects nearly all drivers to satisfy `<> 1`. It expects few
 * to satisfy `IS NULL`, and would test all of them to fill a page.
 */
const hasNone = (table: string, condition: string) =>
  `coalesce((SELECT 1 FROM ${table} WHERE ${condition} LIMIT 1), 0) <> 1`

/** The driver `d` has no live assignment in the window that meets a condition. */
const hasNoJob = (condition: string) =>
  hasNone(
    "assignments a",
    `a.business_id = ${business} AND a.driver_id = d.driver_id AND a.status ${isLive}
     AND ${overlaps(windowOfAssignment("a"), at)} AND ${condition}`
  )

/** The driver `d` has no absence in the window that meets a condition. */
const hasNoAbsence = (condition: string) =>
  hasNone(
    "driver_absences b",
    `b.business_id = ${business} AND b.driver_id = d.driver_id AND b.starts_at < w.ends AND b.ends_at > w.starts
     AND ${condition}`
  )

/**
 * Whether the driver `d` is free. The look-ups are subqueries that return a value, which PostgreSQL runs for each driver; for
 * joins, it might read all assignments and absences of the business. The few that last more than a day have indexes of
 * their own.
 */
export const isFree = `
  d.business_id = ${business} AND d.active AND d.deleted_at IS NULL
  AND ${hasNoJob("a.trip_date > w.starts - interval '1 day'")}
  AND ${hasNoJob("a.trip_ends_at - a.trip_date > interval '1 day'")}
  AND ${hasNoAbsence("b.starts_at > w.starts - interval '1 day'")}
  AND ${hasNoAbsence("b.ends_at - b.starts_at > interval '1 day'")}`

/** The columns of a `FreeDriver`, of `drivers d` {@link withJobs}. */
export const freeDriverColumns = `
  d.driver_id, d.name, d.phone, ${defaultCar}, p.job AS previous_job, n.job AS next_job`
