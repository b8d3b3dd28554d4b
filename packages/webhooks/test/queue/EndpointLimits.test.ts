import { assert, describe, it } from "@effect/vitest"
import { type AttemptResult, type ClaimedDelivery, EndpointId } from "@livery/domain"
import { DateTime } from "effect"
import { makeEndpointLimits } from "../../src/queue/EndpointLimits.ts"
import { makeMemoryQueue } from "../support/MemoryQueue.ts"

const memory = makeMemoryQueue()
memory.add()
const content = memory.stored[0]?.content
const resultOf = (endpointId: number, error: string | null, responseStatus: number | null): AttemptResult => {
  assert.isDefined(content)
  const delivery: ClaimedDelivery = {
    ...content,
    endpointId: EndpointId.make(endpointId),
    attempt: 1,
    claimId: "1"
  }
  return {
    delivery,
    startedAt: DateTime.makeUnsafe(0),
    durationMs: 1,
    acknowledged: error === null,
    responseStatus,
    error,
    retryIn: null
  }
}
const timeout = (endpointId = 1) => resultOf(endpointId, "timeout", null)
const response = (status: number) => resultOf(1, status < 300 ? null : `http ${status}`, status)

describe("the bound of an endpoint", () => {
  it("is halved by each timeout, down to the share that each endpoint has", () => {
    const { attempted, limits } = makeEndpointLimits(20)
    const seen = Array.from({ length: 5 }, () => {
      attempted(timeout())
      return limits.get(EndpointId.make(1))
    })
    assert.deepStrictEqual(seen, [10, 5, 2, 2, 2])
  })

  it("grows by one with each response, whatever its status, until it is whole", () => {
    const { attempted, limits } = makeEndpointLimits(6)
    attempted(timeout())
    attempted(response(500))
    assert.strictEqual(limits.get(EndpointId.make(1)), 4)
    attempted(response(204))
    attempted(response(204))
    assert.strictEqual(limits.size, 0)
    attempted(response(204))
    assert.strictEqual(limits.size, 0)
  })

  it("is not changed by failures without a response that take no time", () => {
    const { attempted, limits } = makeEndpointLimits(20)
    attempted(resultOf(1, "connection failed", null))
    assert.strictEqual(limits.size, 0)
    attempted(timeout())
    attempted(resultOf(1, "connection failed", null))
    assert.strictEqual(limits.get(EndpointId.make(1)), 10)
  })

  it("is never raised above the configured one", () => {
    const { attempted, limits } = makeEndpointLimits(1)
    attempted(timeout())
    assert.strictEqual(limits.get(EndpointId.make(1)), 1)
  })

  it("is kept for a thousand endpoints at most, those that timed out last", () => {
    const { attempted, limits } = makeEndpointLimits(20)
    for (let id = 1; id <= 1_500; id++) attempted(timeout(id))
    assert.strictEqual(limits.size, 1_000)
    assert.isFalse(limits.has(EndpointId.make(500)))
    assert.isTrue(limits.has(EndpointId.make(501)))
  })
})
