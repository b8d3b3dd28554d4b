import { Array, Effect } from "effect"
import {
  DriverChoice,
  maxAbsenceDays,
  maxDurationMinutes,
  nearbyMinutes,
  NearbyTrip,
  ScheduleRepository,
  type TripWindow,
  WarningFacts
} from "@livery/domain"
import { business, forBusiness } from "../sql/statements/ForBusiness.ts"
import { execute, instant, rowsAs } from "../sql/rows/Rows.ts"
import { likelyDuplicates } from "./LikelyDuplicates.ts"
import { defaultPolicy, policiesOf, policyColumns } from "./SchedulePolicies.ts"
import { isLive, isOpenTrip, overlaps, windowOf, windowOfAssignment } from "./TripConditions.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const nearbyOf = rowsAs(NearbyTrip)
const warningFactsOf = rowsAs(WarningFacts)
const choices = rowsAs(DriverChoice)

const places = "t.pickup_lat, t.pickup_lng, t.dropoff_lat, t.dropoff_lng"

/** The range that is read: the window of `w` and some time before and after it. */
const around = { starts: "w.reach_starts", ends: "w.reach_ends" }

/**
 * The drivers' live assignments of a duration. The few that last more than a day have an index of their own, so that those of
 * the month before the window are not read.
 */
const ofDrivers = (duration: string, maxMinutes: number) => `
  SELECT a.driver_id, NULL::bigint AS car_id, a.trip_id, NULL::bigint AS absence_id, a.trip_date AS starts, a.trip_ends_at AS ends, ${places}
  FROM w, assignments a JOIN trips t ON t.business_id = ${business} AND t.trip_id = a.trip_id
  WHERE a.business_id = ${business} AND a.driver_id = ANY (w.driver_ids) AND a.status ${isLive}
    AND a.trip_id <> w.trip_id AND ${duration} AND ${overlaps(windowOfAssignment("a"), around)}
    AND a.trip_date > w.reach_starts - make_interval(mins => ${maxMinutes})`

/** The cars' open trips of a duration. The few trips that last more than a day have an index of their own. */
const ofCars = (duration: string, maxMinutes: number) => `
  SELECT NULL::bigint AS driver_id, t.car_id, t.trip_id, NULL::bigint AS absence_id, t.trip_date AS starts, ${windowOf("t").ends} AS ends, ${places}
  FROM w, trips t
  WHERE t.business_id = ${business} AND t.car_id = ANY (w.car_ids) AND t.deleted_at IS NULL AND t.status ${isOpenTrip}
    AND t.trip_id <> w.trip_id AND ${duration} AND ${overlaps(windowOf("t"), around)}
    AND t.trip_date > w.reach_starts - make_interval(mins => ${maxMinutes})`

/** The live assignments that have one of the cars as their own; `duration` is as in {@link ofCars}. */
const ofAssignedCars = (duration: string, maxMinutes: number) => `
  SELECT NULL::bigint AS driver_id, a.car_id, a.trip_id, NULL::bigint AS absence_id, a.trip_date AS starts, a.trip_ends_at AS ends, ${places}
  FROM w, assignments a JOIN trips t ON t.business_id = ${business} AND t.trip_id = a.trip_id
  WHERE a.business_id = ${business} AND a.car_id = ANY (w.car_ids) AND a.status ${isLive}
    AND a.trip_id <> w.trip_id AND ${duration} AND ${overlaps(windowOfAssignment("a"), around)}
    AND a.trip_date > w.reach_starts - make_interval(mins => ${maxMinutes})`

/** The drivers' absences of a duration. Those that last more than a day have an index of their own, too. */
const absencesOfDrivers = (duration: string, maxHours: number) => `
  SELECT b.driver_id, NULL::bigint AS car_id, NULL::bigint AS trip_id, b.absence_id, b.starts_at AS starts, b.ends_at AS ends,
         NULL::float8 AS pickup_lat, NULL::float8 AS pickup_lng, NULL::float8 AS dropoff_lat, NULL::float8 AS dropoff_lng
  FROM w, driver_absences b
  WHERE b.business_id = ${business} AND b.driver_id = ANY (w.driver_ids)
    AND ${duration} AND ${overlaps({ starts: "b.starts_at", ends: "b.ends_at" }, around)}
    AND b.starts_at > w.reach_starts - make_interval(hours => ${maxHours})`

export const layer = onPostgres(ScheduleRepository, (sql) => {
  const reach = `make_interval(mins => ${nearbyMinutes})`
  const reachOf = ({ ends, starts }: TripWindow) => sql`
    ${instant(starts)}::timestamptz - ${sql.literal(reach)} AS reach_starts,
    ${instant(ends)}::timestamptz + ${sql.literal(reach)} AS reach_ends`
  const nearby = forBusiness(
    sql,
    [
      ofDrivers("a.trip_ends_at - a.trip_date > interval '1 day'", maxDurationMinutes),
      ofDrivers("a.trip_ends_at - a.trip_date <= interval '1 day'", 1440),
      absencesOfDrivers("b.ends_at - b.starts_at > interval '1 day'", 24 * (maxAbsenceDays + 1)),
      absencesOfDrivers("b.ends_at - b.starts_at <= interval '1 day'", 24),
      ofCars("t.duration_minutes > 1440", maxDurationMinutes),
      ofCars("coalesce(t.duration_minutes, 0) <= 1440", 1440),
      ofAssignedCars("a.trip_ends_at - a.trip_date > interval '1 day'", maxDurationMinutes),
      ofAssignedCars("a.trip_ends_at - a.trip_date <= interval '1 day'", 1440)
      // Without `ALL`, because a trip's own car may also be that of an assignment.
    ].join("\n  UNION\n")
  )

  return {
    policy: (businessId) =>
      Effect.map(
        policiesOf(sql`
          SELECT ${sql.literal(policyColumns.join(", "))} FROM businesses WHERE business_id = ${businessId}`),
        ([policy = defaultPolicy]) => policy
      ),
    lock: (businessId, { carIds, driverIds }) => {
      const rowOf = (resource: "car" | "driver", resource_id: number): Record<string, unknown> => ({
        business_id: businessId,
        resource,
        resource_id
      })
      const ascending = <Id extends number>(ids: ReadonlyArray<Id>) =>
        [...new Set(ids)].toSorted((one, other) => one - other)
      const rows = [
        ...ascending(carIds).map((carId) => rowOf("car", carId)),
        ...ascending(driverIds).map((driverId) => rowOf("driver", driverId))
      ]
      if (!Array.isArrayNonEmpty(rows)) return Effect.void
      // Sorted, so that two transactions cannot deadlock. The update locks an existing row, and `false` prevents it from
      // being written.
      return execute(sql`
          INSERT INTO schedule_locks ${sql.insert(rows)}
          ON CONFLICT (business_id, resource, resource_id) DO UPDATE SET resource = excluded.resource WHERE false`)
    },
    nearby: (businessId, { carIds, driverIds, tripId, window }) =>
      nearbyOf(sql`
        WITH w AS (
          SELECT ${tripId ?? 0}::bigint AS trip_id,
                 ${driverIds}::bigint[] AS driver_ids, ${carIds}::bigint[] AS car_ids, ${reachOf(window)}
        )
        ${nearby(businessId)}
        ORDER BY driver_id, car_id, trip_id, absence_id`),
    driverChoices: (businessId, customerIds) =>
      choices(sql`
        SELECT customer_id, preferred_driver_ids, refused_driver_ids FROM customers
        WHERE business_id = ${businessId} AND customer_id = ANY (${customerIds}::bigint[])
          AND cardinality(preferred_driver_ids) + cardinality(refused_driver_ids) > 0
        ORDER BY customer_id`),
    warningFacts: (businessId, { booking, carIds, customerId, driverIds, tripId }) =>
      Effect.map(
        warningFactsOf(sql`
          SELECT
            coalesce((
              SELECT json_agg(json_build_object('car_id', car_id, 'seats', seats, 'vehicle_class', vehicle_class)
                              ORDER BY car_id)
              FROM cars
              WHERE business_id = ${businessId} AND car_id = ANY (${carIds}::bigint[])), '[]'::json) AS cars,
            coalesce((
              SELECT json_agg(json_build_object('driver_id', driver_id, 'license_expires_on', license_expires_on)
                              ORDER BY driver_id)
              FROM drivers
              WHERE business_id = ${businessId} AND driver_id = ANY (${driverIds}::bigint[])
                AND license_expires_on IS NOT NULL), '[]'::json) AS licenses,
            coalesce((
              SELECT json_agg(d.id ORDER BY d.id) FROM customers c, unnest(c.refused_driver_ids) AS d (id)
              WHERE c.business_id = ${businessId} AND c.customer_id = ${customerId ?? 0}
                AND d.id = ANY (${driverIds}::bigint[])), '[]'::json) AS refused,
            ${likelyDuplicates(
              sql,
              {
                businessId,
                tripDate: booking && instant(booking.trip_date),
                pickupAddress: booking?.pickup_address ?? null,
                customerName: booking?.customer_name ?? null
              },
              sql`AND t.trip_id <> ${tripId ?? 0}`
            )} AS duplicates`),
        ([facts]) => facts ?? { cars: [], licenses: [], refused: [], duplicates: [] }
      )
  }
})
