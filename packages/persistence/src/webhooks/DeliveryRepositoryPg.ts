import {
  type BusinessId,
  Delivery,
  DeliveryId,
  DeliveryRepository,
  type DeliveryStatus,
  type DomainEvent,
  endpointDisabled,
  EndpointId,
  maxCount,
  offsetOf,
  type PageRequest,
  RetryPolicy,
  traced,
  WorkNotifier
} from "@livery/domain"
import { Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { pageOf } from "../sql/lists/Pages.ts"
import { literalCount, rowsOfPage } from "../sql/lists/PageLimits.ts"
import { rowsAs } from "../sql/rows/Rows.ts"
import { recordedTime } from "./ClaimSteps.ts"
import { deliveryStatus, endpointStatus, isClaimed, isEnabled, isWaiting } from "./StatusConditions.ts"

const pages = rowsAs(Schema.Struct({ matches: Schema.Int, items: Schema.Array(Delivery) }))
const recordsOf = rowsAs(Schema.Struct({ endpoint_id: EndpointId, record: Delivery }))
const idsOf = rowsAs(Schema.Struct({ delivery_id: DeliveryId }))
const countsOf = rowsAs(Schema.Struct({ failed: Schema.Int, startable: Schema.Int }))

/**
 * Deliveries in the table `webhook_deliveries` and its older generations, each with its attempts. While an attempt is under
 * way, a record counts it and shows `next_attempt_at` as null.
 */
export const layer: Layer.Layer<DeliveryRepository, never, SqlClient.SqlClient | WorkNotifier> = Layer.effect(
  DeliveryRepository,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const notifier = yield* WorkNotifier
    const time = sql.literal(recordedTime)
    const isFailed = sql.literal(`d.status = ${deliveryStatus.failed}`)

    /** The records of some deliveries. */
    const recordsFrom = (deliveries: Statement.Fragment) => sql`
      SELECT d.endpoint_id, d.delivery_id, d.event_id, d.event_type, d.status, d.attempt,
        CASE WHEN d.claim_id IS NULL THEN to_char(d.next_attempt_at AT TIME ZONE 'UTC', ${time})
          END AS next_attempt_at,
        d.last_error, d.response_status,
        to_char(d.created_at AT TIME ZONE 'UTC', ${time}) AS created_at,
        d.attempts
      FROM (${deliveries}) d`

    /**
     * One delivery of a business, looked up at each of its endpoints, since the primary key leads with the endpoint.
     */
    const delivery = (businessId: BusinessId, deliveryId: DeliveryId) => sql`
      SELECT d.*, e.status AS endpoint_status FROM webhook_endpoints e CROSS JOIN LATERAL (
        SELECT * FROM webhook_delivery_history d
        WHERE d.business_id = ${businessId} AND d.endpoint_id = e.endpoint_id AND d.delivery_id = ${deliveryId} LIMIT 1
      ) d
      WHERE e.business_id = ${businessId} AND e.deleted_at IS NULL`

    const list = traced("DeliveryRepositoryPg.list")(function* (
      businessId: BusinessId,
      endpointId: EndpointId,
      status: DeliveryStatus | undefined,
      page: PageRequest
    ) {
      const ofEndpoint = sql`d.business_id = ${businessId} AND d.endpoint_id = ${endpointId}`
      const upTo = (count: Statement.Fragment) => sql`LIMIT ${count} OFFSET ${offsetOf(page)}`
      const range = upTo(sql`${page.perPage + 1}`)
      const pageFrom = (matches: Statement.Fragment, deliveries: Statement.Fragment) => sql`
        SELECT ${matches} AS matches, (
          SELECT coalesce(json_agg(item ORDER BY item.delivery_id DESC), '[]')
          FROM (${recordsFrom(deliveries)}) item) AS items`
      const inOrder = (condition: Statement.Fragment, part: Statement.Fragment = range) => sql`
        (SELECT * FROM webhook_delivery_history d WHERE ${condition} ORDER BY d.delivery_id DESC ${part})`
      const listed = () => {
        const wanted = sql`${ofEndpoint} AND ${sql.literal(status === undefined ? "true" : `d.status = ${deliveryStatus[status]}`)}`
        const counted = sql`(SELECT count(*)::int FROM (
          SELECT FROM webhook_delivery_history d WHERE ${wanted} LIMIT ${maxCount + 1}) counted)`
        return pageFrom(counted, inOrder(wanted, rowsOfPage(sql, page, false)))
      }
      // No index has the pending ones in the order of the list, but few deliveries are pending, and the indexes of the
      // queue have them. If more than the largest total are, most of the latest deliveries are pending.
      const pending = () => {
        const ofIndex = (condition: string) => sql`
          (SELECT d.delivery_id FROM webhook_deliveries d WHERE ${ofEndpoint} AND ${sql.literal(condition)}
           ORDER BY d.next_attempt_at LIMIT ${literalCount(sql, maxCount + 1)})`
        const found = sql`(SELECT count(*)::int FROM pending)`
        return sql`
          WITH pending AS MATERIALIZED (${ofIndex(isWaiting)} UNION ALL ${ofIndex(isClaimed)})
          ${pageFrom(
            found,
            sql`
              (SELECT d.* FROM (
                SELECT delivery_id FROM pending WHERE ${found} <= ${literalCount(sql, maxCount)}
                ORDER BY delivery_id DESC ${range}) p
              CROSS JOIN LATERAL (
                SELECT * FROM webhook_delivery_history d WHERE ${ofEndpoint} AND d.delivery_id = p.delivery_id LIMIT 1) d)
              UNION ALL
              ${inOrder(
                sql`${ofEndpoint} AND d.status = ${sql.literal(deliveryStatus.pending)}`,
                // With a limit of 0 the branch is not started. With a condition, PostgreSQL could start processes for it.
                upTo(
                  sql`CASE WHEN ${found} > ${literalCount(sql, maxCount)} THEN ${page.perPage + 1} ELSE 0 END`
                )
              )}`
          )}`
      }
      const [row] = yield* pages(status === "pending" ? pending() : listed())
      return pageOf(page, row?.items ?? [], row?.matches ?? 0)
    })

    const find = traced("DeliveryRepositoryPg.find")(function* (
      businessId: BusinessId,
      deliveryId: DeliveryId
    ) {
      const [row] = yield* recordsOf(sql`
        SELECT item.endpoint_id, to_json(item) AS record
        FROM (${recordsFrom(delivery(businessId, deliveryId))}) item`)
      return Option.map(Option.fromUndefinedOr(row), ({ endpoint_id, record }) => ({
        endpointId: endpoint_id,
        record
      }))
    })

    /** Wakes the dispatcher for an inserted delivery, if there is one. */
    const notifyInserted = Effect.fnUntraced(function* (
      inserted: ReadonlyArray<{ readonly delivery_id: DeliveryId }>
    ) {
      const [delivery] = inserted
      if (delivery === undefined) return Option.none()
      yield* sql.afterCommit(notifier.notify("deliveries"))
      return Option.some(delivery.delivery_id)
    })

    const sendAgain = traced("DeliveryRepositoryPg.sendAgain")(function* (
      businessId: BusinessId,
      deliveryId: DeliveryId
    ) {
      return yield* notifyInserted(
        yield* idsOf(sql`
          INSERT INTO webhook_deliveries (business_id, endpoint_id, event_id, event_type)
          SELECT d.business_id, d.endpoint_id, d.event_id, d.event_type FROM (${delivery(businessId, deliveryId)}) d
          WHERE ${isFailed} AND d.endpoint_status = ${sql.literal(endpointStatus.enabled)} AND EXISTS (
            SELECT FROM event_history v WHERE v.business_id = ${businessId} AND v.event_id = d.event_id)
          RETURNING delivery_id`)
      )
    })

    const sendSample = traced("DeliveryRepositoryPg.sendSample")(function* (
      event: DomainEvent,
      endpointId: EndpointId
    ) {
      return yield* notifyInserted(
        yield* idsOf(sql`
          WITH sample AS (
            INSERT INTO events (business_id, event_id, event_type, body, sample)
            SELECT e.business_id, ${event.eventId}, ${event.type}, ${event.body}, true FROM webhook_endpoints e
            WHERE e.business_id = ${event.businessId} AND e.endpoint_id = ${endpointId} AND ${sql.literal(isEnabled)}
            RETURNING business_id, event_id, event_type
          )
          INSERT INTO webhook_deliveries (business_id, endpoint_id, event_id, event_type)
          SELECT business_id, ${endpointId}::bigint, event_id, event_type FROM sample
          RETURNING delivery_id`)
      )
    })

    const cancel = traced("DeliveryRepositoryPg.cancel")(function* (
      businessId: BusinessId,
      endpointId: EndpointId
    ) {
      // The condition has both halves on claim_id because each has an index of its own. A row that is claimed or
      // released while this waits for its lock still satisfies it, and is cancelled. The rows are locked in the order
      // in which results are written, so that the two cannot deadlock. The statement is planned anew each time, since a
      // plan made for an empty table would scan all of it.
      const [counted] = yield* countsOf(
        sql`
        WITH pending AS MATERIALIZED (
          SELECT d.delivery_id FROM webhook_deliveries d
          WHERE d.business_id = ${businessId} AND d.endpoint_id = ${endpointId} AND (
              (${sql.literal(isWaiting)}) OR (${sql.literal(isClaimed)})
            ) AND EXISTS (
              SELECT 1 FROM webhook_endpoints e
              WHERE e.business_id = ${businessId} AND e.endpoint_id = ${endpointId}
                AND e.status = ${sql.literal(endpointStatus.disabled)}
            )
          ORDER BY d.delivery_id FOR NO KEY UPDATE
        ),
        cancelled AS (
          UPDATE webhook_deliveries d
          SET status = ${sql.literal(deliveryStatus.failed)}, next_attempt_at = NULL, last_error = ${endpointDisabled},
            cancelled_at = statement_timestamp()
          FROM pending
          WHERE d.business_id = ${businessId} AND d.endpoint_id = ${endpointId} AND d.delivery_id = pending.delivery_id
            AND d.status = ${sql.literal(deliveryStatus.pending)}
          RETURNING d.claim_id
        )
        SELECT (SELECT count(*)::int FROM cancelled) AS failed, (
          (SELECT count(claim_id) FROM cancelled) + (
            SELECT count(*) FROM webhook_deliveries d
            WHERE d.business_id = ${businessId} AND d.endpoint_id = ${endpointId} AND ${isFailed}
              AND d.claim_id IS NOT NULL
              AND d.cancelled_at > clock_timestamp() - make_interval(secs => ${RetryPolicy.lastStartSeconds})
          )
        )::int AS startable`.unprepared
      )
      return counted ?? { failed: 0, startable: 0 }
    })

    return DeliveryRepository.of({ list, find, sendAgain, sendSample, cancel })
  })
)
