import { assert, describe, expect, it } from "@effect/vitest"
import { spanOfTraceParent } from "@livery/domain"

const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
const span = "00f067aa0ba902b7"

describe("traceparent", () => {
  it("names a trace, a span and whether the caller samples it", () => {
    expect(spanOfTraceParent(`00-${trace}-${span}-01`)).toMatchObject({
      traceId: trace,
      spanId: span,
      sampled: true
    })
    expect(spanOfTraceParent(`00-${trace}-${span}-00`)).toMatchObject({ sampled: false })
    // A later version may add fields.
    expect(spanOfTraceParent(`cc-${trace}-${span}-01-more`)).toMatchObject({ traceId: trace })
  })

  it("is ignored if it is malformed", () => {
    for (const header of [
      undefined,
      null,
      "",
      "nonsense",
      `ff-${trace}-${span}-01`,
      `00-${"0".repeat(32)}-${span}-01`,
      `00-${trace}-${"0".repeat(16)}-01`,
      `00-${trace.toUpperCase()}-${span}-01`,
      `00-${trace}-${span}-0`,
      `00-${trace}-${span}-01${"-x".repeat(300)}`
    ])
      assert.isUndefined(spanOfTraceParent(header), String(header))
  })
})
