import {
  type BusinessId,
  Delivery,
  DeliveryId,
  DeliveryRepository,
  type DeliveryStatus,
  type DomainEvent,
  endpointDisabled,
  EndpointId,
  EventType,
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
import { execute, rowsAs } from "../sql/rows/Rows.ts"
import { recordedTime } from "./ClaimSteps.ts"
import { deliveryStatus, endpointStatus, isClaimed, isEnabled, isWaiting } from "./StatusConditions.ts"

const pages = rowsAs(Schema.Struct({ matches: Schema.Int, items: Schema.Array(Delivery) }))
const recordsOf = rowsAs(Schema.Struct({ endpoint_id: EndpointId, record: Delivery }))
const idsOf = rowsAs(Schema.Struct({ delivery_id: DeliveryId }))
const Sendable = Schema.Struct({ endpoint_id: EndpointId, event_id: Schema.String, event_type: EventType })
const sendableOf = rowsAs(Sendable)
const countsOf = rowsAs(Schema.Struct({ count: Schema.Int }))

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

    /** Inserts a delivery and wakes the dispatcher. Returns its id. */
    const insert = Effect.fnUntraced(function* (
      row: typeof Sendable.Type & { readonly business_id: BusinessId }
    ) {
      const [inserted] = yield* idsOf(sql`
        INSERT INTO webhook_deliveries ${sql.insert(row)} RETURNING delivery_id`)
      yield* sql.afterCommit(notifier.notify("deliveries"))
      return Option.map(Option.fromUndefinedOr(inserted), ({ delivery_id }) => delivery_id)
    })

    const sendAgain = traced("DeliveryRepositoryPg.sendAgain")(function* (
      businessId: BusinessId,
      deliveryId: DeliveryId
    ) {
      const [failed] = yield* sendableOf(sql`
        SELECT d.endpoint_id, d.event_id, d.event_type FROM (${delivery(businessId, deliveryId)}) d
        WHERE ${isFailed} AND d.endpoint_status = ${sql.literal(endpointStatus.enabled)} AND EXISTS (
          SELECT FROM event_history v WHERE v.business_id = ${businessId} AND v.event_id = d.event_id)`)
      return failed === undefined ? Option.none() : yield* insert({ business_id: businessId, ...failed })
    })

    const sendSample = traced("DeliveryRepositoryPg.sendSample")(function* (
      event: DomainEvent,
      endpointId: EndpointId
    ) {
      const { body, businessId, eventId, type } = event
      const enabled = yield* Effect.orDie(sql`
        SELECT e.endpoint_id FROM webhook_endpoints e
        WHERE e.business_id = ${businessId} AND e.endpoint_id = ${endpointId} AND ${sql.literal(isEnabled)}`)
      if (enabled.length === 0) return Option.none()
      const row = { business_id: businessId, event_id: eventId, event_type: type }
      yield* execute(sql`INSERT INTO events ${sql.insert({ ...row, body, sample: true })}`)
      return yield* insert({ ...row, endpoint_id: endpointId })
    })

    const cancel = traced("DeliveryRepositoryPg.cancel")(
      function* (businessId: BusinessId, endpointId: EndpointId) {
        const ofEndpoint = sql`d.business_id = ${businessId} AND d.endpoint_id = ${endpointId}`
        // The condition has both halves on claim_id because each has an index of its own. A row that is claimed or
        // released while the lock waits for it still satisfies it, and is cancelled.
        const pending = sql`
        ${ofEndpoint} AND ((${sql.literal(isWaiting)}) OR (${sql.literal(isClaimed)})) AND EXISTS (
          SELECT 1 FROM webhook_endpoints e
          WHERE e.business_id = ${businessId} AND e.endpoint_id = ${endpointId}
            AND e.status = ${sql.literal(endpointStatus.disabled)})`
        // The rows are locked in the order in which results are written, so that the two cannot deadlock. The statements are
        // planned anew each time, since a plan made for an empty table would scan all of it.
        const [locked] = yield* countsOf(
          sql`
        SELECT count(*)::int AS count FROM (
          SELECT d.delivery_id FROM webhook_deliveries d WHERE ${pending}
          ORDER BY d.delivery_id FOR NO KEY UPDATE) locked`.unprepared
        )
        const failed = locked?.count ?? 0
        if (failed > 0)
          yield* execute(
            sql`
          UPDATE webhook_deliveries d
          SET status = ${sql.literal(deliveryStatus.failed)}, next_attempt_at = NULL, last_error = ${endpointDisabled},
            cancelled_at = statement_timestamp()
          WHERE ${pending}`.unprepared
          )
        const [cancelled] = yield* countsOf(
          sql`
        SELECT count(*)::int AS count FROM webhook_deliveries d
        WHERE ${ofEndpoint} AND ${isFailed} AND d.claim_id IS NOT NULL
          AND d.cancelled_at > clock_timestamp() - make_interval(secs => ${RetryPolicy.lastStartSeconds})`
            .unprepared
        )
        return { failed, startable: cancelled?.count ?? 0 }
      },
      sql.withTransaction,
      Effect.orDie
    )

    return DeliveryRepository.of({ list, find, sendAgain, sendSample, cancel })
  })
)
