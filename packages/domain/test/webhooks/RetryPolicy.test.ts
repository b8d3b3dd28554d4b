import { assert, describe, it } from "@effect/vitest"
import { RetryPolicy } from "@livery/domain"
import { Option, Schema } from "effect"

const { maxRetryAfterSeconds, maxAttempts, leaseSecondsOf, waitAfter } = RetryPolicy
const minimumWaits = [60, 120, 240, 480, 960]

const Attempt = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 }))
const Chance = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1, exclusiveMaximum: true }))
const Seconds = Schema.Finite.check(Schema.isBetween({ minimum: -10_000, maximum: 1_000_000 }))

const wait = (...given: Parameters<typeof waitAfter>) => Option.getOrThrow(waitAfter(...given))

describe("waitAfter", () => {
  it("gives a delivery six attempts, 1, 2, 4, 8 and 16 minutes apart", () => {
    assert.strictEqual(maxAttempts, 6)
    assert.deepStrictEqual(
      [1, 2, 3, 4, 5].map((attempt) => wait(attempt, 0)),
      minimumWaits
    )
    for (const attempt of [6, 7, 100]) assert.isTrue(Option.isNone(waitAfter(attempt, 0)))
    assert.isTrue(Option.isNone(waitAfter(6, 0.5, 60)))
  })

  it.prop(
    "jitter is only added, and is at most a tenth of the minimum",
    [Attempt, Chance],
    ([attempt, random]) => {
      const minimum = minimumWaits[attempt - 1] ?? 0
      assert.isAtLeast(wait(attempt, random), minimum)
      assert.isAtMost(wait(attempt, random), minimum * 1.1)
      if (random > 1e-9) assert.isAbove(wait(attempt, random), minimum)
    }
  )

  it.prop(
    "Retry-After never shortens a wait, and lengthens it to 960 seconds at most",
    [Attempt, Chance, Seconds],
    ([attempt, random, retryAfter]) => {
      const plain = wait(attempt, random)
      const asked = wait(attempt, random, retryAfter)
      assert.isAtLeast(asked, plain)
      assert.isAtMost(asked, Math.max(plain, maxRetryAfterSeconds))
      assert.isAtLeast(asked, Math.min(retryAfter, 960))
    }
  )

  it("Retry-After applies if it is longer than the wait", () => {
    assert.strictEqual(wait(1, 0, 300), 300)
    assert.strictEqual(wait(1, 0, 30), 60)
    assert.strictEqual(wait(1, 0, 86_400), 960)
    assert.strictEqual(wait(2, 0, Number.POSITIVE_INFINITY), 960)
    assert.strictEqual(wait(5, 0.5, 960), 960 * 1.05)
    assert.strictEqual(wait(1, 0, -5), 60)
    assert.strictEqual(wait(3, 0, Number.NaN), 240)
  })
})

describe("leaseSecondsOf", () => {
  it("is 90 seconds for a first attempt, so that a killed dispatcher's work is sent again within two minutes", () => {
    assert.strictEqual(leaseSecondsOf(1), 90)
  })

  it("is never before the retry after a failure of that attempt, however late the attempt began", () => {
    minimumWaits.forEach((minimum, index) =>
      assert.isAbove(
        leaseSecondsOf(index + 1),
        minimum + RetryPolicy.startTimeoutSeconds + RetryPolicy.maxAttemptSeconds
      )
    )
    for (const attempt of [1, 2, 3, 4, 5, 6])
      assert.isAtLeast(leaseSecondsOf(attempt), RetryPolicy.minimumLeaseSeconds)
  })
})
