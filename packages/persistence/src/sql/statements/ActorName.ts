/** The names of the authors of timelines. */
import { business } from "./ForBusiness.ts"

/** The SQL of the name of the author of an entry `e`: see `TimelineEntry`. */
export const nameOfActor = `
  CASE split_part(e.actor, ':', 1)
    WHEN 'user' THEN (SELECT u.name FROM users u WHERE u.user_id = split_part(e.actor, ':', 2)::bigint)
    WHEN 'driver' THEN (
      SELECT d.name FROM drivers d
      WHERE d.business_id = ${business} AND d.driver_id = split_part(e.actor, ':', 2)::bigint)
    WHEN 'api_key' THEN (
      SELECT u.name FROM api_keys k JOIN users u ON u.user_id = k.created_by
      WHERE k.business_id = ${business} AND k.masked_key = split_part(e.actor, ':', 2) LIMIT 1)
  END`
