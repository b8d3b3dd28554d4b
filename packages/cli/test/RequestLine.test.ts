import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { requestLine } from "../src/observation/RequestLine.ts"

const Entry = Schema.Struct({
  level: Schema.Literals(["debug", "info"]),
  at: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4e12 })),
  requestId: Schema.Literal("req_0123456789abcdef01234567"),
  method: Schema.String,
  path: Schema.String,
  route: Schema.UndefinedOr(Schema.String),
  status: Schema.Int,
  durationMillis: Schema.Int,
  userId: Schema.UndefinedOr(Schema.Int),
  businessId: Schema.UndefinedOr(Schema.Int),
  traceId: Schema.UndefinedOr(Schema.Literal("4bf92f3577b34da6a3ce929d0e0e4736"))
})

it.prop("a request's line is the JSON of its fields, whatever its path holds", [Entry], ([entry]) => {
  const { at, businessId, durationMillis, level, method, path, requestId, status, traceId, userId } = entry
  assert.strictEqual(
    requestLine(entry),
    JSON.stringify({
      time: new Date(at).toISOString(),
      level,
      message: "request",
      request_id: requestId,
      method,
      path,
      status,
      duration_ms: durationMillis,
      user_id: userId,
      business_id: businessId,
      trace_id: traceId
    })
  )
})

it("a line that would break out of its quotes is escaped", () => {
  const entry = {
    level: "info",
    at: 0,
    requestId: "req_0123456789abcdef01234567",
    method: "GET",
    path: '/","status":200,"x":"\n\\é\u2028',
    status: 404,
    durationMillis: 1,
    route: undefined,
    userId: undefined,
    businessId: undefined,
    traceId: undefined
  } as const
  assert.deepInclude(JSON.parse(requestLine(entry)), { path: entry.path, status: 404 })
})
