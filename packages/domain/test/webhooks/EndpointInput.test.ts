import { assert, it } from "@effect/vitest"
import { EndpointInput, EventType } from "@livery/domain"
import { decoded, issuesOf } from "../support/Decoding.ts"

const url = "https://example.com/hooks"

it("an endpoint takes an address and any of the specified events", () => {
  assert.deepStrictEqual(EventType.literals, [
    "trip.created",
    "trip.updated",
    "trip.completed",
    "trip.cancelled",
    "driver.assigned",
    "quote.accepted",
    "invoice.created",
    "invoice.updated",
    "invoice.paid",
    "payment.succeeded",
    "payment.reversed",
    "payment.failed"
  ])
  const input = { url, events: [...EventType.literals] }
  assert.deepStrictEqual(decoded(EndpointInput, { ...input, secret: "mine", status: "disabled" }), input)
})

const refused = [
  [{}, ["url required", "events required"]],
  [{ url: null, events: null }, ["url required", "events required"]],
  [{ url: "  ", events: [] }, ["url required", "events required"]],
  [{ url: 5, events: "trip.created" }, ["url invalid", "events invalid"]],
  [{ url, events: { 0: "trip.created" } }, ["events invalid"]],
  [
    { url, events: ["trip.created", "trip.exploded", 5, "*"] },
    ["events.1 unknown_value", "events.2 invalid", "events.3 unknown_value"]
  ],
  [{ url: `${url}/${"x".repeat(2048)}`, events: ["trip.created"] }, ["url too_long"]]
] as const

it.each(refused)("%j is refused", (input, issues) => {
  assert.deepStrictEqual(issuesOf(EndpointInput, input), [...issues])
})
