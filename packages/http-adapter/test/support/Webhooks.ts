/** Webhook endpoints and deliveries over HTTP. */
import { type ClaimedDelivery, DeliveryQueue } from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { business } from "./People.ts"
import { type Ask, record, records, type TestServer } from "./TestServer.ts"

/** Books a trip. */
export const book = (server: TestServer, credential: string) =>
  server.send("POST", "/trips", {
    credential,
    body: {
      trip_date: "2026-12-24T18:00:00Z",
      pickup_address: "Here",
      dropoff_address: "There",
      customer_name: "Ada"
    }
  })

/** A business with an endpoint, and functions that send requests about it. */
export const subscriber = Effect.fnUntraced(function* (
  server: TestServer,
  events: ReadonlyArray<string> = ["trip.created"]
) {
  const { businessId, key, token } = yield* business(server)
  const send = (method: string, path: string, body?: unknown, headers?: Ask["headers"]) =>
    server.send(method, path, {
      credential: key,
      ...(body === undefined ? {} : { body }),
      ...(headers === undefined ? {} : { headers })
    })
  const subscribe = send("POST", "/webhooks", { url: "https://receiver.example.com/hook", events })
  const { endpoint_id, secret } = record(yield* subscribe)
  const path = `/webhooks/${String(endpoint_id)}`
  return {
    businessId,
    key,
    token,
    send,
    subscribe,
    id: Number(endpoint_id),
    secret: String(secret),
    path,
    deliveries: Effect.map(send("GET", `${path}/deliveries`), records)
  }
})

/** Claims the deliveries that a dispatcher would send now. */
export const claims = DeliveryQueue.use((queue) =>
  Effect.map(queue.claim({ limit: 100, perEndpoint: 100 }), ({ claimed }) => claimed)
)

/** Records the results of attempts: acknowledged, or failed for the last time. */
export const settle = (held: ReadonlyArray<ClaimedDelivery>, acknowledged: boolean) =>
  DeliveryQueue.use((queue) =>
    queue.record(
      held.map((delivery) => ({
        delivery,
        startedAt: DateTime.makeUnsafe("2026-11-20T09:30:00Z"),
        durationMs: 12,
        acknowledged,
        responseStatus: acknowledged ? 204 : 500,
        error: acknowledged ? null : "http 500",
        retryIn: null
      }))
    )
  )

/** Claims the only due delivery. */
export const onlyClaim = Effect.gen(function* () {
  const [delivery, ...others] = yield* claims
  assert.isEmpty(others)
  return delivery ?? (yield* Effect.die("nothing to claim"))
})
