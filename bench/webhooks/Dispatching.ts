/** Livery's webhooks on a database of the benchmark, as `livery serve` composes them, and rows to work on. */
import { SecretBox, WorkNotifier } from "@livery/domain"
import { AesSecretBox, NodeCryptography, SecretKeys } from "@livery/integrations"
import { migrate, migrations, PgClient, Ports } from "@livery/persistence"
import { WebhookDispatcher, WebhookSender } from "@livery/webhooks"
import { Effect, Layer, Redacted } from "effect"
import { ask } from "./Cluster.ts"

/** How many endpoints there are, all at one receiver. */
const endpointCount = 50

const secrets = AesSecretBox.layer.pipe(
  Layer.provide(SecretKeys.layer(Redacted.make("the secret of a benchmark, 32 characters or more"))),
  Layer.orDie
)

/** The queue and the event log, with the notifier between them. */
export const queues = (url: string) =>
  Layer.mergeAll(Ports.DeliveryQueue, Ports.EventLog).pipe(
    Layer.provideMerge(WorkNotifier.layer),
    Layer.provideMerge(PgClient.layer({ url: Redacted.make(url) })),
    Layer.orDie
  )

/** A dispatcher with its defaults. */
export const dispatcher = WebhookDispatcher.layer().pipe(
  Layer.provide([WebhookSender.layer({ allowInsecure: true }), secrets, NodeCryptography.layer])
)

/** Brings the tables up to date. */
export const prepare = (url: string): Promise<void> =>
  Effect.runPromise(
    migrate(migrations).pipe(
      Effect.provide(PgClient.layer({ url: Redacted.make(url) }).pipe(Layer.orDie)),
      Effect.orDie,
      Effect.asVoid
    )
  )

/** Replaces all businesses by {@link endpointCount} of them with an endpoint each. Returns their ids. */
export const makeBusinesses = async (url: string, receiver: string): Promise<ReadonlyArray<number>> => {
  const sealed = await Effect.runPromise(
    SecretBox.use(({ seal }) => seal("whsec_bench")).pipe(Effect.provide(secrets))
  )
  const rows = await ask(
    url,
    // The triggers of the ledger and of the audit log refuse a TRUNCATE, also without rows.
    "set session_replication_role = replica",
    "truncate businesses cascade",
    "reset session_replication_role",
    `insert into businesses
       (business_name, business_email, vendor_slug, subscription_plan_id, created_at, updated_at)
     select 'Bench', 'bench@example.org', 'bench-' || n, 1, now(), now()
     from generate_series(1, ${endpointCount}) n`,
    `insert into webhook_endpoints (business_id, url, events, sealed_secret, created_at, updated_at)
     select business_id, '${receiver}', '{trip.created}', '${sealed}', now(), now() from businesses
     returning business_id::float8 as business`
  )
  return rows.map(({ business }) => Number(business))
}

/** Writes events with one delivery each, evenly over the endpoints, in one statement. */
export const fill = (url: string, deliveries: number) =>
  ask(
    url,
    `with made as (
       insert into events (business_id, event_id, event_type, body)
       select business_id, 'evt_' || business_id || '_' || n, 'trip.created',
         json_build_object('id', 'evt_' || business_id || '_' || n, 'type', 'trip.created',
           'data', json_build_object('notes', repeat('x', 600)))::text
       from generate_series(1, ${deliveries / endpointCount}) n, businesses
       returning business_id, event_id
     )
     insert into webhook_deliveries (business_id, endpoint_id, event_id, event_type)
     select business_id, endpoint_id, event_id, 'trip.created' from made join webhook_endpoints using (business_id)`
  )
