/**
 * The statement that reads the content of claimed deliveries: each event's body once, and each endpoint's address and
 * secrets once. An endpoint that has been disabled since has no row.
 * Older generations of events are read only for an event that the current one does not have.
 */
import type { SqlClient } from "effect/sql"
import { pgArray } from "../sql/statements/Parameters.ts"
import type { ClaimedRow } from "./ClaimRow.ts"
import { unpaddedBody } from "../events/EventInsertion.ts"
import { isEnabled } from "./StatusConditions.ts"

/** The key of an event, unique across businesses. */
export const eventKey = ({ business_id, event_id }: Pick<ClaimedRow, "business_id" | "event_id">) =>
  `${business_id}/${event_id}`

const distinct = (claimed: ReadonlyArray<ClaimedRow>, keyOf: (row: ClaimedRow) => unknown) => [
  ...new Map(claimed.map((row) => [keyOf(row), row])).values()
]

/** Returns rows of the kinds `body` and `endpoint` (`ClaimRow.ts`). */
export const contentStatement = (sql: SqlClient.SqlClient, claimed: ReadonlyArray<ClaimedRow>) => {
  const events = distinct(claimed, eventKey)
  const endpoints = distinct(claimed, ({ endpoint_id }) => endpoint_id)
  return sql<{ kind: string }>`
    SELECT 'body' AS kind, c.business_id, v.event_id, v.event_type, ${sql.literal(unpaddedBody("v.body"))} AS body, v.trace_parent,
      NULL::bigint AS endpoint_id, NULL AS url, NULL AS sealed_secret, NULL::json AS retired_secrets
    FROM unnest(
      ${pgArray(events.map(({ business_id }) => business_id))}::bigint[],
      ${pgArray(events.map(({ event_id }) => event_id))}::text[]
    ) AS c (business_id, event_id) CROSS JOIN LATERAL (
      SELECT v.event_id, v.event_type, v.body, v.trace_parent FROM events v
      WHERE v.business_id = c.business_id AND v.event_id = c.event_id
      UNION ALL
      SELECT v.event_id, v.event_type, v.body, v.trace_parent FROM event_history v
      WHERE v.business_id = c.business_id AND v.event_id = c.event_id LIMIT 1
    ) v
    UNION ALL
    SELECT 'endpoint', c.business_id, NULL, NULL, NULL, NULL, e.endpoint_id, e.url, e.sealed_secret, e.retired_secrets
    FROM unnest(
      ${pgArray(endpoints.map(({ business_id }) => business_id))}::bigint[],
      ${pgArray(endpoints.map(({ endpoint_id }) => endpoint_id))}::bigint[]
    ) AS c (business_id, endpoint_id) CROSS JOIN LATERAL (
      SELECT e.endpoint_id, e.url, e.sealed_secret, CASE WHEN e.retired_secrets = '[]' THEN '[]'::json ELSE (
        SELECT coalesce(json_agg(s.secret ->> 'sealed' ORDER BY s.nth), '[]')
        FROM jsonb_array_elements(e.retired_secrets) WITH ORDINALITY AS s (secret, nth)
        WHERE (s.secret ->> 'until')::timestamptz > clock_timestamp()
      ) END AS retired_secrets
      FROM webhook_endpoints e
      WHERE e.business_id = c.business_id AND e.endpoint_id = c.endpoint_id AND ${sql.literal(isEnabled)} LIMIT 1
    ) e`
}
