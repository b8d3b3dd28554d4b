import {
  type BusinessId,
  Endpoint,
  type EndpointId,
  EndpointRepository,
  maxEndpointsPerBusiness,
  type EventType,
  type PageRequest,
  retiredSecretHours,
  maxRetiredSecrets,
  tooManyEndpoints,
  traced
} from "@livery/domain"
import type { Layer } from "effect"
import { Effect, Option, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { columnsOf } from "../sql/rows/Columns.ts"
import { pagesOf } from "../sql/lists/Pages.ts"
import { rowsAs } from "../sql/rows/Rows.ts"
import { lockBusiness } from "../sql/statements/BusinessLock.ts"
import { endpointStatus } from "./StatusConditions.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const endpointsOf = rowsAs(Endpoint)
const secretsOf = rowsAs(Schema.Struct({ retired: Schema.Array(Schema.Unknown) }))
const pageOfEndpoints = pagesOf(Endpoint)

/** Endpoints in the table `webhook_endpoints`, except deleted ones. Times are the database's own. */
export const layer: Layer.Layer<EndpointRepository, never, SqlClient.SqlClient> = onPostgres(
  EndpointRepository,
  (sql) => {
    const columns = sql.literal(columnsOf(Endpoint))
    const liveEndpoint = (businessId: BusinessId, endpointId: EndpointId) =>
      sql`business_id = ${businessId} AND endpoint_id = ${endpointId} AND deleted_at IS NULL`
    const firstOf = (rows: ReadonlyArray<Endpoint>) => Option.fromUndefinedOr(rows[0])

    const insert = traced("EndpointRepositoryPg.insert")(
      function* (
        businessId: BusinessId,
        endpoint: {
          readonly url: string
          readonly events: ReadonlyArray<EventType>
          readonly sealedSecret: string
        }
      ) {
        yield* lockBusiness(sql, businessId)
        const [inserted] = yield* endpointsOf(sql`
          INSERT INTO webhook_endpoints (business_id, url, events, sealed_secret, created_at, updated_at)
          SELECT ${businessId}, ${endpoint.url}, ${endpoint.events}::text[], ${endpoint.sealedSecret}, now, now
          FROM clock_timestamp() AS now
          WHERE (SELECT count(*) FROM webhook_endpoints
            WHERE business_id = ${businessId} AND deleted_at IS NULL) < ${maxEndpointsPerBusiness}::int
          RETURNING ${columns}`)
        return inserted ?? (yield* tooManyEndpoints())
      },
      sql.withTransaction,
      Effect.catchTag("SqlError", Effect.die)
    )

    const list = traced("EndpointRepositoryPg.list")(function* (businessId: BusinessId, page: PageRequest) {
      return yield* pageOfEndpoints(sql, page, {
        columns,
        from: sql`webhook_endpoints`,
        where: sql`business_id = ${businessId} AND deleted_at IS NULL`,
        order: sql`endpoint_id`
      })
    })

    const find = traced("EndpointRepositoryPg.find")(function* (
      businessId: BusinessId,
      endpointId: EndpointId
    ) {
      return firstOf(
        yield* endpointsOf(
          sql`SELECT ${columns} FROM webhook_endpoints WHERE ${liveEndpoint(businessId, endpointId)}`
        )
      )
    })

    const lock = traced("EndpointRepositoryPg.lock")(function* (
      businessId: BusinessId,
      endpointId: EndpointId
    ) {
      return firstOf(
        yield* endpointsOf(sql`
        SELECT ${columns} FROM webhook_endpoints WHERE ${liveEndpoint(businessId, endpointId)} FOR NO KEY UPDATE`)
      )
    })

    const update = traced("EndpointRepositoryPg.update")(function* (
      businessId: BusinessId,
      endpointId: EndpointId,
      settings: Pick<Endpoint, "url" | "events" | "status">
    ) {
      const [endpoint] = yield* endpointsOf(sql`
      UPDATE webhook_endpoints
      SET url = ${settings.url}, events = ${settings.events}::text[], status = ${settings.status},
        updated_at = statement_timestamp()
      WHERE ${liveEndpoint(businessId, endpointId)}
      RETURNING ${columns}`)
      return (
        endpoint ?? (yield* Effect.die(new Error(`Endpoint ${endpointId} disappeared while it was locked`)))
      )
    })

    const replaceSecret = traced("EndpointRepositoryPg.replaceSecret")(
      function* (businessId: BusinessId, endpointId: EndpointId, sealedSecret: string) {
        const [secrets] = yield* secretsOf(sql`
          SELECT jsonb_build_array(jsonb_build_object(
              'sealed', sealed_secret, 'until', statement_timestamp() + make_interval(hours => ${retiredSecretHours}::int)
            )) || coalesce((
              SELECT jsonb_agg(s.secret ORDER BY s.nth)
              FROM jsonb_array_elements(retired_secrets) WITH ORDINALITY AS s (secret, nth)
              WHERE (s.secret ->> 'until')::timestamptz > statement_timestamp()
            ), '[]') AS retired
          FROM webhook_endpoints WHERE ${liveEndpoint(businessId, endpointId)} FOR NO KEY UPDATE`)
        if (secrets === undefined || secrets.retired.length > maxRetiredSecrets) return Option.none()
        return firstOf(
          yield* endpointsOf(sql`
            UPDATE webhook_endpoints
            SET sealed_secret = ${sealedSecret}, retired_secrets = ${JSON.stringify(secrets.retired)}::jsonb,
              updated_at = statement_timestamp()
            WHERE ${liveEndpoint(businessId, endpointId)}
            RETURNING ${columns}`)
        )
      },
      sql.withTransaction,
      Effect.orDie
    )

    const remove = traced("EndpointRepositoryPg.remove")(function* (
      businessId: BusinessId,
      endpointId: EndpointId
    ) {
      yield* sql`
      UPDATE webhook_endpoints
      SET status = ${sql.literal(endpointStatus.disabled)}, sealed_secret = '', retired_secrets = '[]', deleted_at = now, updated_at = now
      FROM statement_timestamp() AS now
      WHERE ${liveEndpoint(businessId, endpointId)}`
    }, Effect.orDie)

    return { insert, list, find, lock, update, replaceSecret, remove }
  }
)
