import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { DeviceInput } from "../../../src/identity/devices/Device.ts"
import { AssignmentReport } from "../../../src/trips/trip/Assignment.ts"
import { TripInput } from "../../../src/trips/trip/TripInput.ts"
import { EndpointChanges } from "../../../src/webhooks/Endpoint.ts"

const trip = {
  trip_date: "2026-12-24T18:00:00Z",
  pickup_address: "Here",
  dropoff_address: "There",
  customer_name: "Ada"
}

it.effect("a listed word is trimmed, as any other text is", () =>
  Effect.gen(function* () {
    const report = yield* Schema.decodeEffect(AssignmentReport)({
      status: " en_route",
      milestone: "no_show\n"
    })
    assert.deepStrictEqual([report.status, report.milestone], ["en_route", "no_show"])
    const booked = yield* Schema.decodeEffect(TripInput)({ ...trip, trip_type: " hourly " })
    assert.strictEqual(booked.trip_type, "hourly")
    const device = yield* Schema.decodeEffect(DeviceInput)({ platform: " ios ", device_token: "abc" })
    assert.strictEqual(device.platform, "ios")
    assert.deepStrictEqual(
      yield* Schema.decodeEffect(EndpointChanges)({
        url: " https://example.org/ ",
        status: "disabled "
      }),
      { url: "https://example.org/", status: "disabled" }
    )
  })
)
