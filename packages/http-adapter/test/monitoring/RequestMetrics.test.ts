import { assert, describe, it } from "vitest"
import { makeRequestMetrics } from "../../src/http/observation/RequestMetrics.ts"
import { requestState, defaultTraits } from "@livery/contract"

describe("the sum of the durations of requests", () => {
  it("never falls, also if the clock is set back during a request", () => {
    const metrics = makeRequestMetrics()
    const request = requestState("req_0123456789abcdef01234567", "GET", "/a", "/a", defaultTraits, 0)
    for (const millis of [1500, -3_600_000]) metrics.record(request, 200, millis)
    const series = metrics.format().split("\n")
    assert.include(series, 'livery_http_request_seconds_sum{method="GET",route="/a"} 1.5')
    assert.include(series, 'livery_http_request_seconds_count{method="GET",route="/a"} 2')
  })
})
