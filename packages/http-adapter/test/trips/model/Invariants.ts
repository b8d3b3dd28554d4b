/** The invariants of a business's rows after every command, checked in SQL on the rows alone. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The invariants that do not hold; empty if all hold. */
const violations = Effect.fnUntraced(function* (businessId: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly rule: string; readonly at: number }>`
    WITH crew AS (
      SELECT t.trip_id, t.status, t.driver_status, t.deleted_at,
             count(*) FILTER (WHERE a.status = 'assigned') AS waiting,
             count(*) FILTER (WHERE a.status = 'en_route') AS driving,
             count(*) FILTER (WHERE a.status = 'completed') AS done
      FROM trips t LEFT JOIN assignments a USING (business_id, trip_id)
      WHERE t.business_id = ${businessId} GROUP BY t.business_id, t.trip_id
    ), lines AS (
      SELECT trip_id, change_id, change, driver_id, before ->> 'status' AS was, after ->> 'status' AS becomes
      FROM trip_changes WHERE business_id = ${businessId}
    ), steps AS (
      SELECT trip_id, was, becomes, change_id,
             lag(becomes) OVER (PARTITION BY trip_id ORDER BY change_id) AS previous,
             last_value(becomes) OVER (PARTITION BY trip_id ORDER BY change_id
               ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS last
      FROM lines WHERE change IN ('created', 'status_changed')
    ), reported AS (
      SELECT event_type, (body::jsonb -> 'data' ->> 'trip_id')::bigint AS trip_id,
             body::jsonb -> 'data' ->> 'status' AS status
      FROM events WHERE business_id = ${businessId}
    ), reckoned AS (
      SELECT t.trip_id,
             (SELECT count(*) FROM reported WHERE reported.trip_id = t.trip_id AND event_type = 'trip.created') AS created,
             (SELECT count(*) FROM reported WHERE reported.trip_id = t.trip_id AND event_type = 'trip.updated') AS updated,
             (SELECT count(*) FROM reported WHERE reported.trip_id = t.trip_id AND event_type = 'trip.completed') AS completed,
             (SELECT count(*) FROM reported WHERE reported.trip_id = t.trip_id AND event_type = 'trip.cancelled') AS cancelled,
             (SELECT count(*) FROM steps WHERE steps.trip_id = t.trip_id AND was IS NOT NULL) AS moves,
             (SELECT count(*) FROM steps WHERE steps.trip_id = t.trip_id AND becomes = 'completed') AS completions,
             (SELECT count(*) FROM steps WHERE steps.trip_id = t.trip_id AND becomes = 'cancelled') AS cancellations
      FROM trips t WHERE t.business_id = ${businessId}
    ), endings AS (
      SELECT a.trip_id, a.driver_id,
             count(*) AS parts, count(*) FILTER (WHERE status = 'completed') AS completed,
             count(*) FILTER (WHERE status = 'cancelled') AS cancelled
      FROM assignments a WHERE business_id = ${businessId} GROUP BY a.trip_id, a.driver_id
    ), remembered AS (
      SELECT trip_id, driver_id,
             count(*) FILTER (WHERE change = 'driver_assigned') AS parts,
             count(*) FILTER (WHERE change = 'driver_status_changed' AND becomes = 'completed') AS completed,
             count(*) FILTER (WHERE change = 'driver_removed'
               OR change = 'driver_status_changed' AND becomes = 'cancelled') AS cancelled
      FROM lines WHERE driver_id IS NOT NULL GROUP BY trip_id, driver_id
    )
    SELECT 'status is derived' AS rule, trip_id AS at FROM crew
    WHERE status IN ('confirmed', 'in_progress') AND status <> CASE
      WHEN done > 0 AND waiting + driving = 0 THEN 'completed'
      WHEN driving > 0 OR done > 0 THEN 'in_progress' ELSE 'confirmed' END
    UNION ALL
    SELECT 'driver_status is derived', trip_id FROM crew
    WHERE driver_status <> CASE
      WHEN driving > 0 THEN 'en_route' WHEN waiting > 0 THEN 'assigned'
      WHEN done > 0 THEN 'completed' ELSE 'unassigned' END
    UNION ALL
    SELECT 'nothing is live on what has ended, is pending or is deleted', trip_id FROM crew
    WHERE waiting + driving > 0 AND (status NOT IN ('confirmed', 'in_progress') OR deleted_at IS NOT NULL)
    UNION ALL
    SELECT 'a token lives while its assignment does', assignment_id FROM assignments
    WHERE business_id = ${businessId} AND (token_hash IS NOT NULL) <> (status IN ('assigned', 'en_route'))
    UNION ALL
    SELECT 'the timeline is a chain', trip_id FROM steps WHERE was IS DISTINCT FROM previous
    UNION ALL
    SELECT 'the timeline ends where the trip stands', trip_id
    FROM steps JOIN trips t USING (trip_id) WHERE t.business_id = ${businessId} AND steps.last <> t.status
    UNION ALL
    SELECT 'what is terminal does not move', trip_id FROM steps WHERE was IN ('completed', 'cancelled')
    UNION ALL
    SELECT 'a trip is created once', trip_id FROM reckoned WHERE created <> 1
    UNION ALL
    SELECT 'a change of status has an event', trip_id FROM reckoned
    WHERE updated < moves OR completed <> completions OR cancelled <> cancellations
    UNION ALL
    SELECT 'an event describes a state that existed', trip_id FROM reported
    WHERE event_type = 'trip.completed' AND status <> 'completed' OR event_type = 'trip.cancelled' AND status <> 'cancelled'
    UNION ALL
    SELECT 'the timeline has each driver''s part', e.trip_id
    FROM endings e FULL JOIN remembered r USING (trip_id, driver_id)
    WHERE (e.parts, e.completed, e.cancelled) IS DISTINCT FROM (r.parts, r.completed, r.cancelled)
    UNION ALL
    SELECT 'an assignment has its trip''s window', a.assignment_id
    FROM assignments a JOIN trips t USING (business_id, trip_id)
    WHERE a.business_id = ${businessId} AND a.status IN ('assigned', 'en_route')
      AND (a.trip_date <> t.trip_date
        OR a.trip_ends_at <> t.trip_date + make_interval(mins => coalesce(t.duration_minutes, 60)))
    UNION ALL
    SELECT 'nothing open refers to what is gone', t.trip_id
    FROM trips t
    LEFT JOIN cars USING (business_id, car_id)
    LEFT JOIN customers USING (business_id, customer_id)
    LEFT JOIN assignments a ON a.business_id = t.business_id AND a.trip_id = t.trip_id
      AND a.status IN ('assigned', 'en_route')
    LEFT JOIN drivers d ON d.business_id = a.business_id AND d.driver_id = a.driver_id
    WHERE t.business_id = ${businessId} AND t.deleted_at IS NULL AND t.status NOT IN ('completed', 'cancelled')
      AND (cars.deleted_at IS NOT NULL OR customers.deleted_at IS NOT NULL OR d.deleted_at IS NOT NULL)
    UNION ALL
    SELECT 'the plan is kept to', b.business_id FROM businesses b JOIN plans p ON plan_id = subscription_plan_id
    WHERE b.business_id = ${businessId} AND (
      (SELECT count(*) FROM cars c WHERE c.business_id = ${businessId} AND active AND deleted_at IS NULL) > p.cars
      OR (SELECT count(*) FROM drivers d WHERE d.business_id = ${businessId} AND active AND deleted_at IS NULL)
        > p.drivers + (SELECT count(*) FROM driver_seats s WHERE s.business_id = ${businessId} AND ended_at IS NULL))`
  return rows.map(({ at, rule }) => `${rule} (${at})`)
})

/** Fails if an invariant does not hold. */
export const assertInvariants = Effect.fnUntraced(function* (businessId: number) {
  assert.deepStrictEqual(yield* violations(businessId), [])
})
