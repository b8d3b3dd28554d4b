/**
 * `GET /metrics` for Prometheus: the counters of this process and the current backlogs of webhooks, of the event
 * feed and of emails. Like the probes, it is outside of the API's base path, limits and documentation. No metric contains a business,
 * an address or a secret. The same numbers are given to an exporter, if there is one.
 */
import { Effect, Metric, Option, Schedule } from "effect"
import { HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import {
  DeliveryQueue,
  EventPositions,
  MailOutbox,
  MetricsExport,
  NodeBacklogs,
  startDeliveryEnds,
  TripWatch
} from "@livery/domain"
import type { RequestMetrics } from "../http/observation/RequestMetrics.ts"
import type { PageHandler } from "../http/pipeline/RequestSteps.ts"
import { route } from "../http/pipeline/Routes.ts"
import { probe } from "@livery/contract"

const backlog = Metric.gauge("livery_webhook_backlog", {
  description:
    "Webhook deliveries that are due and not claimed, counted up to 100000; NaN if the database or the node does not respond"
})

const oldestDue = Metric.gauge("livery_webhook_oldest_due_seconds", {
  description: "The time since the oldest of them became due"
})

const feedLag = Metric.gauge("livery_event_feed_lag", {
  description: "Committed events without a position in the feed yet, counted up to 100000"
})

const feedLagSeconds = Metric.gauge("livery_event_feed_lag_seconds", {
  description: "The age of the oldest of them"
})

const mailWaiting = Metric.gauge("livery_mail_waiting", {
  description: "Emails that are not sent yet, counted up to 100000; NaN if the database does not respond"
})

const mailOldest = Metric.gauge("livery_mail_oldest_waiting_seconds", {
  description: "The time since the oldest of them was posted"
})

const followers = Metric.gauge("livery_trip_followers", {
  description: "Open streams that follow a trip"
})

/** The values while a database or a node does not respond. */
const unknownWaiting = {
  due: Number.NaN,
  oldestDueSeconds: Number.NaN,
  events: Number.NaN,
  oldestSeconds: Number.NaN
}
const unknownMail = { waiting: Number.NaN, oldestSeconds: Number.NaN }

/** What is read, or `unknown` if the database does not respond within two seconds. */
const orUnknown = <A>(reading: Effect.Effect<A>, unknown: A): Effect.Effect<A> =>
  reading.pipe(
    Effect.timeout("2 seconds"),
    Effect.catchCause((cause) => Effect.as(Effect.logDebug("the backlogs could not be read", cause), unknown))
  )

const metricsPath = "/metrics"

/** The route, for the table of routes. */
export const metricsRoute = route("GET", metricsPath, probe)

/**
 * Makes the handler of the route, with the counters of requests if given. It reads the backlogs at most every two seconds,
 * and waits at most two seconds for the database.
 */
export const makeMetricsPage = Effect.fnUntraced(function* (requests?: RequestMetrics) {
  const queue = yield* DeliveryQueue
  const positions = yield* EventPositions
  const outbox = yield* MailOutbox
  const watch = yield* TripWatch
  yield* startDeliveryEnds
  const nodes = yield* NodeBacklogs
  const known = new Map<string, typeof unknownWaiting>()
  /** The series of the database, or one of each node. One whose node has left the database stays unknown. */
  const series =
    nodes === undefined
      ? Effect.all([queue.backlog, positions.lag], { concurrency: 2 }).pipe(
          Effect.map(([due, lag]) => ({ ...due, ...lag })),
          (waiting) => orUnknown(waiting, unknownWaiting),
          Effect.map((waiting) => [{ labels: {}, waiting }])
        )
      : Effect.map(orUnknown(nodes, []), (found) => {
          for (const node of known.keys()) known.set(node, unknownWaiting)
          for (const { node, waiting } of found)
            known.set(
              node,
              Option.getOrElse(waiting, () => unknownWaiting)
            )
          return Array.from(known, ([node, waiting]) => ({ labels: { node }, waiting }))
        })
  const backlogs = yield* Effect.cachedWithTTL(
    Effect.all([series, orUnknown(outbox.backlog, unknownMail)], { concurrency: 2 }),
    "2 seconds"
  )
  const measure = Effect.gen(function* () {
    const [databases, mail] = yield* backlogs
    for (const { labels, waiting } of databases) {
      const set = (gauge: typeof backlog, value: number) =>
        Metric.update(Metric.withAttributes(gauge, labels), value)
      yield* set(backlog, waiting.due)
      yield* set(oldestDue, waiting.oldestDueSeconds)
      yield* set(feedLag, waiting.events)
      yield* set(feedLagSeconds, waiting.oldestSeconds)
    }
    yield* Metric.update(mailWaiting, mail.waiting)
    yield* Metric.update(mailOldest, mail.oldestSeconds)
    yield* Metric.update(followers, yield* watch.followers)
  })
  const exported = yield* MetricsExport
  if (exported !== undefined) {
    const { interval, sources } = exported
    if (requests !== undefined)
      yield* Effect.acquireRelease(
        Effect.sync(() => sources.add(requests.snapshots)),
        () => Effect.sync(() => sources.delete(requests.snapshots))
      )
    yield* Effect.forkScoped(Effect.repeat(measure, Schedule.spaced(interval)))
  }
  const page: PageHandler = () =>
    Effect.gen(function* () {
      yield* measure
      const others = yield* PrometheusMetrics.format()
      return HttpServerResponse.text(`${requests?.format() ?? ""}${others}`, {
        contentType: "text/plain; version=0.0.4; charset=utf-8"
      })
    })
  return page
})
