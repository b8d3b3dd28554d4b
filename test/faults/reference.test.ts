import {
  type AttemptResult,
  BusinessId,
  ClaimSelection,
  type ClaimedDelivery,
  DeliveryQueue,
  DeliveryRepository,
  DeliverySchedule,
  EndpointId,
  EventLog,
  RetryPolicy,
  WorkNotifier
} from "@livery/domain"
import { Ports } from "@livery/persistence"
import { assert, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { TestDatabase } from "../support/TestDatabase.ts"
import { type Random, randomFrom } from "./simulation/Random.ts"
import { extent } from "./support/Extent.ts"

/** A delivery of the reference model, which the row must equal. */
interface Expected extends ClaimSelection.Queued {
  readonly deliveryId: number
}

const Row = Schema.Struct({
  deliveryId: Schema.Int,
  endpointId: EndpointId,
  status: Schema.Literals(["pending", "delivered", "failed"]),
  attempt: Schema.Int,
  isClaimed: Schema.Boolean,
  /** Seconds from now. */
  dueIn: Schema.NullOr(Schema.Finite)
})
const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Row))

const Adapters = Layer.mergeAll(Ports.DeliveryQueue, Ports.DeliveryRepository, Ports.EventLog).pipe(
  Layer.provideMerge(WorkNotifier.layer),
  Layer.provideMerge(TestDatabase.layer)
)

// The seconds by which times may differ: the model's clock stands still during a step, and the database's does not. No
// step ends so close to the time of a delivery.
const tolerance = 4

const limit = 100
const perEndpoint = 3
const perBusiness = 7
const perHost = 5

/** Makes a business with a few endpoints, in the database and in the model, and the random steps that change both. */
const makeComparison = Effect.fnUntraced(function* (random: Random) {
  const sql = yield* SqlClient.SqlClient
  const queue = yield* DeliveryQueue
  const deliveries = yield* DeliveryRepository
  const events = yield* EventLog
  const [business] = yield* sql<{ business_id: number }>`
    INSERT INTO businesses
      (business_name, business_email, vendor_slug, subscription_plan_id, created_at, updated_at)
    VALUES ('Ada Cars', 'ada@example.org', ${randomBytes(8).toString("hex")}, 1, now(), now())
    RETURNING business_id`
  const businessId = BusinessId.make(business?.business_id ?? 0)
  const endpointIds = (yield* sql<{ endpoint_id: number }>`
    INSERT INTO webhook_endpoints (business_id, url, events, sealed_secret, created_at, updated_at)
    SELECT ${businessId}, 'https://receiver' || n % 2 || '.example.org/', '{trip.created}', 'sealed', now(), now()
    FROM generate_series(1, ${random.whole(1, 4)}::int) n RETURNING endpoint_id`).map(({ endpoint_id }) =>
    EndpointId.make(endpoint_id)
  )
  const hostOf = (id: EndpointId) => `receiver${(endpointIds.indexOf(id) + 1) % 2}.example.org`
  const disabled = new Set<number>()
  const claimsSoFar: Array<ClaimedDelivery> = []
  let expected: ReadonlyArray<Expected> = []
  let now = 0
  let after = 0

  const rows = sql`
    SELECT delivery_id AS "deliveryId", endpoint_id AS "endpointId", status, attempt,
      claim_id IS NOT NULL AS "isClaimed",
      extract(epoch FROM next_attempt_at - clock_timestamp())::float8 AS "dueIn"
    FROM webhook_deliveries WHERE business_id = ${businessId} ORDER BY delivery_id`.pipe(
    Effect.flatMap(decodeRows)
  )
  // Deliveries that were claimed together have one claim id.
  const isOfClaim =
    ({ claimId, deliveryId }: ClaimedDelivery) =>
    (one: Expected) =>
      one.deliveryId === deliveryId && one.claimId === claimId
  const change = (claim: ClaimedDelivery, to: (delivery: Expected) => Expected) => {
    const isOfThis = isOfClaim(claim)
    expected = expected.map((delivery) => (isOfThis(delivery) ? to(delivery) : delivery))
  }

  const emit = Effect.gen(function* () {
    const eventId = `evt_${randomBytes(16).toString("hex")}`
    yield* events.record({ eventId, businessId, type: "trip.created", body: "{}" })
    const known = new Set(expected.map(({ deliveryId }) => deliveryId))
    const made = (yield* rows).filter(({ deliveryId }) => !known.has(deliveryId))
    assert.strictEqual(made.length, endpointIds.length - disabled.size)
    expected = [
      ...expected,
      ...made.map(({ deliveryId, endpointId }) => ({
        ...DeliverySchedule.created(now),
        businessId,
        deliveryId,
        endpointId
      }))
    ]
  })

  /** Moves the clocks of the model and of the rows. */
  const advance = Effect.fnUntraced(function* (seconds: number) {
    let step = seconds
    const isTooClose = () =>
      expected
        .flatMap((delivery) => delivery.nextAttemptAt ?? DeliverySchedule.expiresAt(delivery) ?? [])
        .some((time) => time > now && Math.abs(time - now - step) < tolerance)
    while (isTooClose()) step += 2 * tolerance
    yield* sql`UPDATE webhook_deliveries SET next_attempt_at = next_attempt_at - make_interval(secs => ${step}),
        cancelled_at = cancelled_at - make_interval(secs => ${step})
      WHERE business_id = ${businessId} AND (status = 'pending' OR claim_id IS NOT NULL)`
    now += step
  })

  /** Sets the times of the rows to those of the model, so that the time that earlier steps took has no effect. */
  const synchronize = Effect.suspend(() => {
    const waiting = expected.filter(({ nextAttemptAt }) => nextAttemptAt !== null)
    const ages = JSON.stringify(
      waiting.map(({ deliveryId, nextAttemptAt }) => [deliveryId, (nextAttemptAt ?? now) - now])
    )
    return sql`
      UPDATE webhook_deliveries d
      SET next_attempt_at = clock_timestamp() + make_interval(secs => (c.pair ->> 1)::float8)
      FROM jsonb_array_elements(${ages}::jsonb) AS c (pair)
      WHERE d.business_id = ${businessId} AND d.delivery_id = (c.pair ->> 0)::bigint`
  })

  const claim = Effect.gen(function* () {
    const limits = new Map(
      endpointIds.filter(() => random.chance(0.3)).map((id) => [id, random.whole(1, 6)] as const)
    )
    const bounds = { limit, perEndpoint, perBusiness, perHost, limits }
    const { claimed: claims, failed, unreported } = yield* queue.claim(bounds)
    const selection = ClaimSelection.select(expected, {
      ...bounds,
      now,
      after,
      endpointOf: (id) => ({ enabled: !disabled.has(id), host: hostOf(id) })
    })
    const byEndpoint = (deliveries: ReadonlyArray<{ readonly endpointId: number }>) =>
      endpointIds.map((id) => deliveries.filter(({ endpointId }) => endpointId === id).length)
    assert.deepStrictEqual(
      byEndpoint(claims),
      byEndpoint(selection.claimed),
      "the number of claims of each endpoint"
    )
    const served = claims.map(({ endpointId }) => endpointId)
    const wrapped = served.filter((id) => id <= after)
    after = Math.max(...(wrapped.length > 0 ? wrapped : [...served, served.length === 0 ? after : 0]))
    const claimed = new Map<number, string>(claims.map(({ claimId, deliveryId }) => [deliveryId, claimId]))
    // Deliveries that became due at the same moment may come in any order.
    const times = (deliveries: ReadonlyArray<Expected>) =>
      deliveries.map(({ nextAttemptAt }) => nextAttemptAt ?? 0).sort((one, other) => one - other)
    assert.deepStrictEqual(
      times(expected.filter(({ deliveryId }) => claimed.has(deliveryId))),
      times(selection.claimed),
      "the earliest first"
    )
    assert.strictEqual(failed, selection.failed.length, "each failed delivery is counted")
    const numbered = (attempts: ReadonlyArray<{ readonly deliveryId: number; readonly attempt: number }>) =>
      attempts.map(({ attempt, deliveryId }) => `${deliveryId} ${attempt}`).sort()
    assert.deepStrictEqual(
      numbered(unreported),
      numbered(
        [...selection.expired, ...selection.failed, ...selection.abandoned].filter(
          ({ claimId }) => claimId !== null
        )
      ),
      "the unreported attempts"
    )
    const failing = new Set(selection.failed)
    const expiring = new Set([...selection.expired, ...selection.abandoned])
    expected = expected.map((delivery) => {
      if (failing.has(delivery)) return DeliverySchedule.fail(delivery)
      if (expiring.has(delivery)) return DeliverySchedule.expire(delivery, now)
      const claimId = claimed.get(delivery.deliveryId)
      if (claimId === undefined) return delivery
      const next = DeliverySchedule.claim(delivery, { claimId, now })
      assert.notStrictEqual(next, delivery, "a delivery was claimed that may not be")
      return next
    })
    claimsSoFar.push(...claims)
  })

  /** Records the result of any claim so far: in any order, repeatedly, and also after the claim has ended. */
  const record = Effect.gen(function* () {
    const delivery = claimsSoFar[random.whole(0, claimsSoFar.length - 1)]
    if (delivery === undefined) return
    const acknowledged = random.chance(0.3)
    const retryIn = acknowledged || random.chance(0.1) ? null : random.pick([60, 132, 240, 480, 960])
    const result: AttemptResult = {
      delivery,
      startedAt: DateTime.makeUnsafe("2026-11-20T09:30:00Z"),
      durationMs: 12,
      acknowledged,
      responseStatus: acknowledged ? 200 : 503,
      error: acknowledged ? null : "http 503",
      retryIn
    }
    const verdicts = yield* queue.record([result])
    const { claimId } = delivery
    const found = expected.find(isOfClaim(delivery))
    change(delivery, (one) => DeliverySchedule.recordResult(one, { claimId, now, acknowledged, retryIn }))
    const verdict = (): string | undefined => {
      if (found === undefined) return "late"
      if (found.status !== "pending") return "cancelled"
      return expected.find(({ deliveryId }) => deliveryId === found.deliveryId)?.status
    }
    assert.strictEqual(verdicts.join(), verdict(), "the result is recorded")
  })

  const release = Effect.gen(function* () {
    const delivery = claimsSoFar[random.whole(0, claimsSoFar.length - 1)]
    if (delivery === undefined) return
    yield* queue.release([delivery])
    const { claimId } = delivery
    change(delivery, (one) => DeliverySchedule.release(one, { claimId, now }))
  })

  const setStatus = (endpointId: EndpointId, status: "enabled" | "disabled") =>
    sql`UPDATE webhook_endpoints SET status = ${status}
      WHERE business_id = ${businessId} AND endpoint_id = ${endpointId}`

  /** Disables an endpoint or enables a disabled one. In half the cases, disabling does not cancel its deliveries. */
  const toggleEndpoint = Effect.gen(function* () {
    const endpointId = endpointIds[random.whole(0, endpointIds.length - 1)]
    if (endpointId === undefined) return
    if (disabled.delete(endpointId)) {
      yield* setStatus(endpointId, "enabled")
      return
    }
    yield* setStatus(endpointId, "disabled")
    disabled.add(endpointId)
    if (random.chance(0.5)) return
    const { failed } = yield* deliveries.cancel(businessId, endpointId)
    const isPending = (one: Expected) => one.endpointId === endpointId && one.status === "pending"
    assert.strictEqual(failed, expected.filter(isPending).length, "failures are recorded")
    expected = expected.map((one) =>
      one.endpointId === endpointId ? DeliverySchedule.cancel(one, now) : one
    )
  })

  const verify = Effect.gen(function* () {
    const found = yield* rows
    const plain = (
      delivery: Pick<Expected, "deliveryId" | "endpointId" | "status" | "attempt">,
      isClaimed: boolean
    ) => [delivery.deliveryId, delivery.endpointId, delivery.status, delivery.attempt, isClaimed]
    assert.deepStrictEqual(
      found.map((row) => plain(row, row.isClaimed)),
      expected.map((delivery) => plain(delivery, delivery.claimId !== null))
    )
    for (const [index, { deliveryId, dueIn }] of found.entries()) {
      const time = expected[index]?.nextAttemptAt ?? null
      assert.strictEqual(dueIn === null, time === null)
      if (dueIn !== null && time !== null)
        assert.approximately(dueIn, time - now, tolerance / 2, `when delivery ${deliveryId} is due`)
    }
  })

  const passLease = Effect.suspend(() => advance(RetryPolicy.leaseSecondsOf(5)))
  // If dispatchers record nothing, claims expire until no attempts are left.
  const isSilent = random.chance(0.3)
  const steps = [
    emit,
    emit,
    claim,
    claim,
    isSilent ? claim : record,
    isSilent ? passLease : record,
    isSilent ? passLease : record,
    isSilent ? claim : release,
    toggleEndpoint,
    Effect.suspend(() => advance(random.pick([1, 20, 61, 91, 130, 500, RetryPolicy.leaseSecondsOf(5)]))),
    Effect.suspend(() => advance(random.pick([100, 250, 1_100])))
  ] as const
  const step = Effect.suspend(() => {
    const chosen = random.whole(0, steps.length - 1)
    // Disabled endpoints have few transitions, so disabling is rare.
    const next = chosen === 8 && random.chance(0.6) ? emit : (steps[chosen] ?? claim)
    return synchronize.pipe(Effect.andThen(Effect.asVoid(next)), Effect.andThen(verify))
  })
  return { step }
})

const seeds = Array.from({ length: extent(500, 20) }, (_, seed) => seed)

it.live(
  "the SQL of the queue changes rows as the domain's pure transitions do, in random sequences of steps",
  () =>
    Effect.gen(function* () {
      for (const seed of seeds) {
        const random = randomFrom(seed)
        const { step } = yield* makeComparison(random)
        for (let count = 1; count <= 60; count++)
          yield* step.pipe(
            Effect.catchDefect((cause) =>
              Effect.die(new Error(`Seed ${seed}, step ${count}: ${String(cause)}`, { cause }))
            )
          )
        yield* SqlClient.SqlClient.use((sql) => sql`TRUNCATE webhook_deliveries CASCADE`)
      }
    }).pipe(Effect.provide(Adapters)),
  600_000
)
