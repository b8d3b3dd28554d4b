import type { CreatedEndpointRecord, TripRecord } from "@livery/domain"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { type Account, signUp, trip } from "./support/Account.ts"
import { clientOf } from "./support/Client.ts"
import { attribute, type Collector, collector, type OtlpSpan } from "./support/Collector.ts"
import { type Installation, installation } from "./support/Installation.ts"
import { type Receiver, receiver } from "./support/Receiver.ts"
import type { Server } from "./support/Server.ts"

const caller = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" }
const traceparent = (flags: string) => `00-${caller.traceId}-${caller.spanId}-${flags}`

/** The line of a request in the log of a server. */
const lineOf = (server: Server, requestId: string) =>
  server.program
    .stderr()
    .split("\n")
    .filter((line) => line.includes(requestId) && line.includes('"message":"request"'))
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)[0]

describe("traces are sent to the collector of OTEL_EXPORTER_OTLP_ENDPOINT", () => {
  let place: Installation
  let server: Server
  let account: Account
  let traces: Collector
  let hook: Receiver
  beforeAll(async () => {
    traces = await collector()
    hook = await receiver()
    place = await installation({
      settings: {
        OTEL_EXPORTER_OTLP_ENDPOINT: traces.address,
        OTEL_EXPORTER_OTLP_HEADERS: "x-collector-key=let%20me%20in",
        OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
        OTEL_SERVICE_NAME: "cars",
        OTEL_TRACES_SAMPLER: "parentbased_always_on",
        OTEL_BSP_SCHEDULE_DELAY: "50",
        OTEL_BLRP_SCHEDULE_DELAY: "50",
        OTEL_METRIC_EXPORT_INTERVAL: "50"
      }
    })
    server = await place.serve()
    account = await signUp(place, server)
  })
  afterAll(async () => {
    await place.remove()
    await Promise.all([traces.close(), hook.close()])
  })

  const isAttempt = ({ name }: OtlpSpan) => name === "webhook.attempt"

  it("has the request, the use case, its statements and the delivery of its event in one trace", async () => {
    const endpoint = await account.client.post<CreatedEndpointRecord>("/webhooks", {
      url: hook.url,
      events: ["trip.created"]
    })
    assert.strictEqual(endpoint.status, 201, endpoint.text)
    const made = await clientOf(server.api, {
      Authorization: `Bearer ${account.apiKey}`,
      traceparent: traceparent("01")
    }).post<TripRecord>("/trips", trip())
    assert.strictEqual(made.status, 201, made.text)
    const requestId = made.headers.get("x-request-id") ?? ""
    const spans = await traces.traceOf(requestId, isAttempt)

    const request = spans.find((span) => attribute(span, "livery.request.id") === requestId)
    assert.isDefined(request)
    assert.deepInclude(request, {
      name: "POST /api/v1/trips",
      kind: 2,
      traceId: caller.traceId,
      parentSpanId: caller.spanId
    })
    assert.strictEqual(attribute(request, "http.route"), "/api/v1/trips")
    assert.strictEqual(attribute(request, "http.request.method"), "POST")
    assert.strictEqual(attribute(request, "http.response.status_code"), 201)
    assert.strictEqual(attribute(request, "livery.business.id"), account.businessId)

    const useCase = spans.find(({ name }) => name === "Trips.create")
    assert.isDefined(useCase)
    assert.strictEqual(useCase.parentSpanId, request.spanId)

    const byId = new Map(spans.map((span) => [span.spanId, span]))
    const isBelow = (span: OtlpSpan, ancestor: string): boolean =>
      span.parentSpanId === ancestor ||
      (span.parentSpanId !== undefined &&
        isBelow(byId.get(span.parentSpanId) ?? { ...span, parentSpanId: "" }, ancestor))
    const statements = spans.filter((span) => attribute(span, "db.query.text") !== undefined)
    const insertion = statements.find(({ name }) => name === "INSERT trips")
    assert.isDefined(insertion, statements.map(({ name }) => name).join())
    assert.isTrue(isBelow(insertion, useCase.spanId))
    assert.strictEqual(attribute(insertion, "db.system.name"), "postgresql")
    for (const span of spans) assert.isTrue(span === request || isBelow(span, request.spanId), span.name)

    const attempt = spans.find(isAttempt)
    assert.isDefined(attempt)
    assert.strictEqual(attempt.kind, 3)
    const notice = await hook.notice(({ event }) => event.type === "trip.created")
    assert.strictEqual(attribute(attempt, "livery.event.id"), notice.event.id)
    assert.strictEqual(attribute(attempt, "livery.endpoint.id"), endpoint.body.data.endpoint_id)
    assert.strictEqual(attribute(attempt, "livery.delivery.attempt"), 1)
    assert.strictEqual(attribute(attempt, "http.response.status_code"), 204)

    assert.strictEqual(lineOf(server, requestId)?.["trace_id"], caller.traceId)
  })

  it("has no personal data and no secret", async () => {
    const anyone = clientOf(server.api)
    const email = "secret.person@cars.example"
    await anyone.post("/auth/register", {
      name: "Zelda Quist",
      email,
      password: "a long password",
      business_name: "Q"
    })
    const wrong = await anyone.post("/auth/login", { email: account.email, password: "another password" })
    const taken = await account.client.post("/customers", { name: "Zelda Quist", email })
    assert.strictEqual(taken.status, 201, taken.text)
    const again = await account.client.post("/customers", { name: "Zelda Quist", email })
    assert.strictEqual(again.status, 409, again.text)
    const lost = await clientOf(server.api).get("/driver/trip?token=drv_1_abcdefgh")
    for (const { headers } of [wrong, again, lost]) {
      const id = headers.get("x-request-id") ?? ""
      await traces.traceOf(id, () => true)
      await vi.waitUntil(() => traces.lines().some((line) => attribute(line, "livery.request.id") === id))
    }
    const sent = traces.received.map(({ raw }) => raw).join("\n")
    for (const secret of [
      "Zelda",
      "Quist",
      email,
      account.email,
      account.apiKey,
      account.apiKey.slice(4),
      account.accessToken,
      account.password,
      "another password",
      "drv_1_abcdefgh",
      "Ada Lovelace",
      "Grand Hotel",
      hook.url,
      place.environment["LIVERY_SECRET"] ?? "no secret is set",
      'stacktrace","value":{"stringValue":"Error'
    ])
      assert.notInclude(sent, secret)
  })

  it("names its service, and sends the configured headers", async () => {
    for (const signal of ["/v1/traces", "/v1/metrics", "/v1/logs"]) {
      const first = traces.received.find(({ path }) => path === signal)
      assert.isDefined(first, signal)
      assert.strictEqual(first.headers["x-collector-key"], "let me in")
      assert.include(first.raw, '"cars"')
      assert.include(first.raw, '"deployment.environment.name"')
    }
  })

  it("follows the sampling of the caller, and traces no health check", async () => {
    const unsampled = await clientOf(server.api, {
      Authorization: `Bearer ${account.apiKey}`,
      traceparent: traceparent("00")
    }).get("/trips")
    const health = await clientOf(server.address).get("/health/live")
    const sampled = await account.client.get("/trips")
    await traces.traceOf(sampled.headers.get("x-request-id") ?? "", () => true)
    for (const { headers } of [unsampled, health]) {
      const id = headers.get("x-request-id") ?? ""
      assert.isUndefined(traces.spans().find((span) => attribute(span, "livery.request.id") === id))
      assert.notProperty(lineOf(server, id) ?? {}, "trace_id")
    }
  })
})

describe("without the collector", () => {
  it("a collector that never responds delays and fails no request, and the server stops in time", async () => {
    const hanging = await collector(() => undefined)
    const place = await installation({
      settings: {
        OTEL_EXPORTER_OTLP_ENDPOINT: hanging.address,
        OTEL_TRACES_SAMPLER: "always_on",
        OTEL_BSP_SCHEDULE_DELAY: "50",
        OTEL_BLRP_SCHEDULE_DELAY: "50",
        OTEL_METRIC_EXPORT_INTERVAL: "50"
      }
    })
    try {
      const server = await place.serve()
      const { client } = await signUp(place, server)
      for (let n = 0; n < 300; n++) {
        const read = await client.get("/trips")
        assert.strictEqual(read.status, 200, read.text)
      }
      // Each request has several spans, and a batch 512: no more than the limit of batches are under way.
      for (const signal of ["/v1/traces", "/v1/logs"]) {
        const received = hanging.received.filter(({ path }) => path === signal)
        assert.isAtMost(received.length, 4, signal)
        assert.isAtLeast(received.length, 1, signal)
      }
      assert.deepInclude(await server.stop(), { code: 0 })
    } finally {
      await place.remove()
      await hanging.close()
    }
  })

  it("an address without a collector is a warning in the log", async () => {
    const place = await installation({
      settings: {
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1",
        OTEL_TRACES_SAMPLER: "always_on",
        OTEL_BSP_SCHEDULE_DELAY: "50",
        OTEL_BLRP_SCHEDULE_DELAY: "50",
        OTEL_METRIC_EXPORT_INTERVAL: "50"
      }
    })
    try {
      const server = await place.serve()
      const { client } = await signUp(place, server)
      assert.strictEqual((await client.get("/trips")).status, 200)
      for (const signal of ["Traces", "Metrics", "Log lines"])
        await vi.waitUntil(() => server.program.stderr().includes(`${signal} could not be exported`), {
          timeout: 20_000
        })
      assert.strictEqual((await client.get("/trips")).status, 200)
      assert.deepInclude(await server.stop(), { code: 0 })
    } finally {
      await place.remove()
    }
  })
})
