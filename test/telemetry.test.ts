import type { CreatedEndpointRecord } from "@livery/domain"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { type Account, signUp, trip } from "./support/Account.ts"
import { attribute, type Collector, collector, type OtlpMetric, type OtlpPoint } from "./support/Collector.ts"
import { type Installation, installation } from "./support/Installation.ts"
import type { Server } from "./support/Server.ts"

const isolated = {
  OTEL_BSP_SCHEDULE_DELAY: "50",
  OTEL_BLRP_SCHEDULE_DELAY: "50",
  OTEL_METRIC_EXPORT_INTERVAL: "50"
}

const eventually = <A>(condition: () => A) => vi.waitUntil(condition, { timeout: 20_000, interval: 10 })

const pointsOf = ({ gauge, histogram, sum }: OtlpMetric): ReadonlyArray<OtlpPoint> =>
  (sum ?? gauge ?? histogram)?.dataPoints ?? []

describe("metrics, log lines and rounds of workers are sent to the collector of OTEL_EXPORTER_OTLP_ENDPOINT", () => {
  let place: Installation
  let server: Server
  let account: Account
  let sink: Collector
  beforeAll(async () => {
    sink = await collector()
    place = await installation({
      settings: {
        ...isolated,
        OTEL_EXPORTER_OTLP_ENDPOINT: sink.address,
        OTEL_TRACES_SAMPLER: "parentbased_always_on"
      }
    })
    server = await place.serve()
    account = await signUp(place, server)
  })
  afterAll(async () => {
    await place.remove()
    await sink.close()
  })

  /** The last exported point of a metric with these attributes. */
  const point = (name: string, attributes: Readonly<Record<string, string>> = {}) =>
    sink
      .metrics()
      .filter((metric) => metric.name === name)
      .flatMap(pointsOf)
      .find((candidate) =>
        Object.entries(attributes).every(([key, value]) => attribute(candidate, key) === value)
      )

  it("exports the numbers that /metrics shows", async () => {
    for (let n = 0; n < 5; n++) await account.client.get("/trips")
    const route = { method: "GET", route: "/api/v1/trips" }
    await eventually(() => point("livery_http_requests_total", { ...route, status: "200" })?.asDouble === 5)
    const seconds = await eventually(() => {
      const found = point("livery_http_request_seconds", route)
      return found?.count === 5 ? found : undefined
    })
    assert.strictEqual(
      seconds.bucketCounts?.reduce((total, count) => total + count, 0),
      5
    )
    assert.strictEqual(seconds.explicitBounds?.at(-1), 10)
    const scraped = await (await fetch(`${server.address}/metrics`)).text()
    assert.include(scraped, 'livery_http_requests_total{method="GET",route="/api/v1/trips",status="200"} 5\n')
    assert.include(
      scraped,
      `livery_http_request_seconds_sum{method="GET",route="/api/v1/trips"} ${seconds.sum}\n`
    )
    const names = new Set([...scraped.matchAll(/^# TYPE (\w+) /gmu)].map(([, name]) => name))
    await eventually(() => {
      const exported = new Set(sink.metrics().map(({ name }) => name))
      return [...names].every((name) => exported.has(name ?? ""))
    })
    assert.isTrue(names.has("livery_webhook_backlog"))
  })

  it("exports the line of each request by its route, without its path, in the trace of the request", async () => {
    const read = await account.client.get("/trips/123456789")
    assert.strictEqual(read.status, 404)
    const id = read.headers.get("x-request-id")
    const line = await eventually(() =>
      sink
        .lines()
        .find((one) => attribute(one, "livery.request.id") === id && one.body.stringValue === "request")
    )
    assert.deepInclude(line, { severityNumber: 9, severityText: "Info" })
    assert.strictEqual(attribute(line, "http.route"), "/api/v1/trips/:id")
    assert.strictEqual(attribute(line, "http.request.method"), "GET")
    assert.strictEqual(attribute(line, "http.response.status_code"), 404)
    assert.strictEqual(attribute(line, "livery.business.id"), account.businessId)
    const [root] = await sink.traceOf(id ?? "", () => true)
    assert.strictEqual(line.traceId, root?.traceId)
    assert.isEmpty(sink.lines().filter((one) => JSON.stringify(one).includes("123456789")))
  })

  it("exports other lines with their level, their message and known fields, without texts of other servers", async () => {
    const endpoint = await account.client.post<CreatedEndpointRecord>("/webhooks", {
      url: "http://127.0.0.1:1/hook",
      events: ["trip.created"]
    })
    assert.strictEqual(endpoint.status, 201, endpoint.text)
    assert.strictEqual((await account.client.post("/trips", trip())).status, 201)
    const line = await eventually(() =>
      sink.lines().find((one) => one.body.stringValue === "A webhook attempt failed")
    )
    assert.deepInclude(line, { severityNumber: 13, severityText: "Warn" })
    assert.strictEqual(attribute(line, "livery.endpoint.id"), endpoint.body.data.endpoint_id)
    assert.strictEqual(attribute(line, "livery.delivery.status"), "pending")
    assert.isUndefined(attribute(line, "error"))
    assert.notInclude(JSON.stringify(line), "127.0.0.1")
  })

  it("has the statements of workers below the span of their round", async () => {
    for (const name of [
      "worker.claim_deliveries",
      "worker.record_results",
      "worker.assign_positions",
      "worker.send_mail"
    ]) {
      const [round, statement] = await eventually(() => {
        const rounds = sink.spans().filter((span) => span.name === name)
        const below = new Set(rounds.map(({ traceId }) => traceId))
        const statement = sink
          .spans()
          .find((span) => below.has(span.traceId) && attribute(span, "db.query.text") !== undefined)
        const round = rounds.find(({ traceId }) => traceId === statement?.traceId)
        return round && statement ? ([round, statement] as const) : undefined
      })
      assert.strictEqual(round.kind, 1)
      assert.isUndefined(round.parentSpanId)
      assert.strictEqual(attribute(statement, "db.system.name"), "postgresql")
    }
  })
})

it("a signal whose exporter is none is not sent, and one has an address of its own", async () => {
  const [all, own] = [await collector(), await collector()]
  const place = await installation({
    settings: {
      ...isolated,
      OTEL_EXPORTER_OTLP_ENDPOINT: all.address,
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${own.address}/own`,
      OTEL_LOGS_EXPORTER: "none",
      OTEL_TRACES_SAMPLER: "always_on"
    }
  })
  try {
    const server = await place.serve()
    const { client } = await signUp(place, server)
    assert.strictEqual((await client.get("/trips")).status, 200)
    await eventually(() => all.received.length > 0 && own.received.length > 1)
    assert.deepInclude(await server.stop(), { code: 0 })
    assert.deepStrictEqual(new Set(all.received.map(({ path }) => path)), new Set(["/v1/traces"]))
    assert.deepStrictEqual(new Set(own.received.map(({ path }) => path)), new Set(["/own"]))
  } finally {
    await place.remove()
    await Promise.all([all.close(), own.close()])
  }
})
