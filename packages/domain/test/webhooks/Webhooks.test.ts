import { assert, describe, it } from "@effect/vitest"
import {
  Conflict,
  type EndpointChanges,
  type EndpointId,
  EndpointInput,
  type EndpointRecord,
  faultOf,
  maxRetiredSecrets,
  type Precondition,
  Unavailable
} from "@livery/domain"
import { Clock, Effect, Fiber, Metric } from "effect"
import { TestClock } from "effect/testing"
import { decoded } from "../support/Decoding.ts"
import { webhookPorts } from "../support/WebhookPorts.ts"
import { business } from "../support/People.ts"

const input = (url: string, events: ReadonlyArray<string> = ["trip.created"]) =>
  decoded(EndpointInput, { url, events })

const prepared = Effect.gen(function* () {
  const all = yield* webhookPorts
  const { webhooks } = all
  const created = yield* webhooks((it) => it.subscribe(business(1), input("https://example.com/hooks")))
  const id = created.endpoint_id as EndpointId
  return {
    ...all,
    created,
    id,
    get: (of = 1) => webhooks((it) => it.get(business(of), id)),
    update: (changes: EndpointChanges, precondition?: Precondition<EndpointRecord>, of = 1) =>
      webhooks((it) => it.update(business(of), id, changes, precondition)),
    replaceSecret: (of = 1) => webhooks((it) => it.replaceSecret(business(of), id)),
    remove: (precondition?: Precondition<EndpointRecord>, of = 1) =>
      webhooks((it) => it.remove(business(of), id, precondition))
  }
})

const stale: Precondition<EndpointRecord> = () => Effect.fail(new Conflict({ reason: "stale" }))

describe("subscribe", () => {
  it.effect("returns an enabled endpoint with its secret, which is stored encrypted", () =>
    Effect.gen(function* () {
      const { endpoints, webhooks } = yield* webhookPorts
      const subscribe = (url: string, events?: ReadonlyArray<string>) =>
        webhooks((it) => it.subscribe(business(1), input(url, events)))
      const created = yield* subscribe(" https://example.com/hooks ", [
        "trip.created",
        "invoice.paid",
        "trip.created"
      ])
      assert.match(created.secret, /^whsec_[\w-]{43}$/u)
      assert.deepStrictEqual(created, {
        endpoint_id: 1,
        url: "https://example.com/hooks",
        events: ["trip.created", "invoice.paid"],
        status: "enabled",
        allowed_transitions: ["disabled"],
        created_at: "1970-01-01T00:00:00Z",
        updated_at: "1970-01-01T00:00:00Z",
        secret: created.secret
      })
      assert.strictEqual(endpoints()[0]?.sealedSecret, `sealed ${created.secret}`)
      assert.notStrictEqual((yield* subscribe("https://example.com/hooks")).secret, created.secret)
    })
  )

  it.effect("the refusal of an address says which addresses may be called", () =>
    Effect.gen(function* () {
      const { update, webhooks } = yield* prepared
      const url = "http://example.com/"
      for (const refused of [webhooks((it) => it.subscribe(business(1), input(url))), update({ url })])
        assert.strictEqual(
          (yield* Effect.flip(refused)).message,
          "The input is not valid: url invalid. The address of a webhook begins with https://, its host is public, " +
            "its port is not one of email or SSH, and it has no user name, no password and no fragment. For development, the " +
            "setting WEBHOOKS_ALLOW_INSECURE permits http:// and private hosts"
        )
    })
  )

  it.effect("refuses an address that may not be called, and stores nothing", () =>
    Effect.gen(function* () {
      const { endpoints, webhooks } = yield* webhookPorts
      const refusal = yield* Effect.flip(
        webhooks((it) => it.subscribe(business(1), input("http://169.254.169.254/")))
      )
      assert.deepInclude(refusal, { _tag: "InvalidInput", issues: [{ field: "url", issue: "invalid" }] })
      assert.isEmpty(endpoints())
    })
  )
})

describe("update", () => {
  it.effect("changes only the given fields", () =>
    Effect.gen(function* () {
      const { created, get, update } = yield* prepared
      const { secret: _, ...before } = created
      const moved = yield* update({ url: " https://example.org/ " })
      assert.deepStrictEqual(moved, { ...before, url: "https://example.org/" })
      const listening = yield* update({ events: ["invoice.paid", "trip.updated", "invoice.paid"] })
      assert.deepStrictEqual(listening, { ...moved, events: ["invoice.paid", "trip.updated"] })
      assert.deepStrictEqual(yield* update({ status: "disabled" }), {
        ...listening,
        status: "disabled",
        allowed_transitions: ["enabled"]
      })
      assert.deepStrictEqual(yield* update({ status: "enabled" }), listening)
      assert.deepStrictEqual(yield* get(), listening)
    })
  )

  it.effect("a change to the same values is not written", () =>
    Effect.gen(function* () {
      const { calls, created, update } = yield* prepared
      yield* update({ url: created.url, events: created.events, status: "enabled" })
      assert.notInclude(calls.join(), "update")
    })
  )

  it.effect("refuses an address that may not be called, and changes nothing", () =>
    Effect.gen(function* () {
      const { calls, update } = yield* prepared
      assert.strictEqual((yield* Effect.flip(update({ url: "http://10.0.0.1/" })))._tag, "InvalidInput")
      assert.isEmpty(calls)
    })
  )

  it.effect("checks its precondition on the locked record, and changes nothing if that is stale", () =>
    Effect.gen(function* () {
      const { calls, get, update } = yield* prepared
      const before = yield* get()
      const seen: Array<EndpointRecord> = []
      yield* update({ status: "enabled" }, (current) => Effect.sync(() => void seen.push(current)))
      assert.deepStrictEqual(seen, [before])
      assert.strictEqual((yield* Effect.flip(update({ status: "disabled" }, stale)))._tag, "Conflict")
      assert.deepStrictEqual(yield* get(), before)
      assert.deepStrictEqual(calls, ["lock inside", "lock inside"])
    })
  )
})

describe("disabling and deleting", () => {
  for (const [what, act] of [
    ["disabling", "update"],
    ["deleting", "remove"]
  ] as const)
    it.effect(`${what} fails pending deliveries in the same transaction, and again after the commit`, () =>
      Effect.gen(function* () {
        const { calls, remove, update } = yield* prepared
        yield* act === "update" ? update({ status: "disabled" }) : remove()
        assert.deepStrictEqual(calls, ["lock inside", `${act} inside`, "cancel inside", "cancel outside"])
      })
    )

  it.effect("failed deliveries are counted, also ones that were inserted concurrently", () =>
    Effect.gen(function* () {
      const { failing, remove, startable, update } = yield* prepared
      failing.push(12, 3, 0, 2)
      startable.push(1, 1, 0)
      const disabling = yield* Effect.forkChild(update({ status: "disabled" }))
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(disabling)
      yield* remove()
      const [ends, ...others] = yield* Metric.snapshot
      assert.isEmpty(others)
      assert.deepInclude(ends, { id: "livery_webhook_deliveries_total", attributes: { outcome: "failed" } })
      assert.deepInclude(ends?.state, { count: 17 })
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()))
  )

  it.effect("the response waits until attempts under way are recorded", () =>
    Effect.gen(function* () {
      const { get, startable, update } = yield* prepared
      startable.push(2, 2, 2, 1, 0)
      const disabling = yield* Effect.forkChild(update({ status: "disabled" }))
      yield* TestClock.adjust("250 millis")
      assert.isUndefined(disabling.pollUnsafe())
      // Other callers see the endpoint as disabled already.
      assert.strictEqual((yield* get()).status, "disabled")
      yield* TestClock.adjust("100 millis")
      assert.strictEqual((yield* Fiber.join(disabling)).status, "disabled")
      assert.strictEqual(yield* Clock.currentTimeMillis, 350)
    })
  )

  for (const [what, act] of [
    ["disabling", "update"],
    ["deleting", "remove"]
  ] as const)
    it.effect(`a fault of the database after ${what} does not say that nothing was changed`, () =>
      Effect.gen(function* () {
        const { faults, remove, update } = yield* prepared
        const outage = new Unavailable({ reason: "The database is not reachable", retryAfterSeconds: 5 })
        const change = Effect.asVoid(act === "update" ? update({ status: "disabled" }) : remove())
        const faultOfChange = Effect.map(Effect.flip(Effect.sandbox(change)), (cause) => faultOf(cause)?._tag)
        faults.push(outage)
        assert.strictEqual(yield* faultOfChange, "Unavailable")
        faults.push(undefined, outage)
        assert.strictEqual(yield* faultOfChange, "OutcomeUnknown")
      })
    )

  it.effect("disabling a disabled endpoint waits too, for a caller that lost the response", () =>
    Effect.gen(function* () {
      const { calls, startable, update } = yield* prepared
      yield* update({ status: "disabled" })
      calls.length = 0
      startable.push(0, 1)
      const again = yield* Effect.forkChild(update({ status: "disabled" }))
      yield* TestClock.adjust("50 millis")
      assert.isUndefined(again.pollUnsafe())
      yield* TestClock.adjust("100 millis")
      yield* Fiber.join(again)
      assert.deepStrictEqual(calls, ["lock inside", "cancel inside", "cancel outside", "cancel outside"])
    })
  )

  it.effect("a deleted endpoint is absent from then on; the response has its last state", () =>
    Effect.gen(function* () {
      const { get, remove, replaceSecret, update } = yield* prepared
      const before = yield* get()
      assert.strictEqual((yield* Effect.flip(remove(stale)))._tag, "Conflict")
      assert.deepStrictEqual(yield* remove(), before)
      for (const gone of [get(), update({ status: "enabled" }), replaceSecret(), remove()])
        assert.strictEqual((yield* Effect.flip(Effect.asVoid(gone)))._tag, "NotFound")
    })
  )
})

it.effect("a new secret is shown once and stored encrypted; too many replacements are a conflict", () =>
  Effect.gen(function* () {
    const { created, endpoints, replaceSecret } = yield* prepared
    const fresh = yield* replaceSecret()
    assert.match(fresh.secret, /^whsec_[\w-]{43}$/u)
    assert.notStrictEqual(fresh.secret, created.secret)
    assert.strictEqual(endpoints()[0]?.sealedSecret, `sealed ${fresh.secret}`)
    yield* Effect.replicateEffect(replaceSecret(), maxRetiredSecrets - 1)
    assert.strictEqual((yield* Effect.flip(replaceSecret()))._tag, "Conflict")
  })
)

it.effect("another business's endpoint is absent for every use case", () =>
  Effect.gen(function* () {
    const { calls, get, remove, replaceSecret, update } = yield* prepared
    const tries = [
      get(2),
      update({ status: "disabled" }, undefined, 2),
      replaceSecret(2),
      remove(undefined, 2)
    ]
    for (const attempt of tries) {
      const refusal = yield* Effect.flip(Effect.asVoid(attempt))
      assert.deepStrictEqual([refusal._tag, refusal.message], ["NotFound", "No such webhook endpoint"])
    }
    assert.deepStrictEqual([...new Set(calls)], ["lock inside"])
  })
)
