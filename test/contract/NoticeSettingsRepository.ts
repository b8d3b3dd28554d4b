/** The contract of `NoticeSettingsRepository`. */
import {
  defaultNoticeSettings,
  type NoticeSettings,
  NoticeSettingsRepository,
  TextGateway
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { contract } from "./Contract.ts"
import { newBusiness, newCustomer, now } from "./Given.ts"

const gateway = Schema.decodeUnknownSync(TextGateway)({
  url: "https://gateway.example.com/",
  method: "POST",
  headers: [{ name: "authorization", value: "secret" }],
  body: "{{text}}",
  body_type: "text",
  sender: "Livery",
  success: { path: null, values: [] }
})

const settings: NoticeSettings = {
  ...defaultNoticeSettings,
  channels: { ...defaultNoticeSettings.channels, booked: ["text", "mail"] },
  quiet_minutes: 5,
  templates: [{ kind: "booked", language: "de", subject: "S", text: "T", short: "K" }]
}

export const noticeSettingsRepository = contract("how a business tells", (it) => {
  it.effect("keeps the settings of each business", () =>
    Effect.gen(function* () {
      const repository = yield* NoticeSettingsRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      assert.isTrue(Option.isNone(yield* repository.find(business)))
      yield* repository.put(business, defaultNoticeSettings, now)
      yield* repository.put(business, settings, now)
      assert.deepStrictEqual(yield* repository.find(business), Option.some(settings))
      const locked = yield* repository.lock(business)
      assert.deepStrictEqual(locked, Option.some(settings))
      // The version of a record is a hash of its text, in which the fields have the same order each time.
      assert.deepStrictEqual(Option.map(locked, Object.keys), Option.some(Object.keys(settings)))
      assert.isTrue(Option.isNone(yield* repository.find(other)))
    })
  )

  it.effect("keeps a gateway with its secrets, beside the settings, until it is removed", () =>
    Effect.gen(function* () {
      const repository = yield* NoticeSettingsRepository
      const business = yield* newBusiness
      const stored = { gateway, callbackToken: "lvx_1" }
      yield* repository.putGateway(business, stored, now)
      assert.isTrue(Option.isNone(yield* repository.find(business)))
      yield* repository.put(business, settings, now)
      assert.deepStrictEqual(yield* repository.gateway(business), Option.some(stored))
      yield* repository.putGateway(business, null, now)
      assert.isTrue(Option.isNone(yield* repository.gateway(business)))
      assert.isTrue(Option.isSome(yield* repository.find(business)))
    })
  )

  it.effect("keeps what a customer wants", () =>
    Effect.gen(function* () {
      const repository = yield* NoticeSettingsRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const customer = yield* newCustomer(business)
      const wanted = { kinds: ["booked" as const, "reminder" as const], channels: null }
      assert.isTrue(Option.isNone(yield* repository.preferences(business, customer)))
      yield* repository.putPreferences(business, customer, { kinds: null, channels: ["text"] }, now)
      yield* repository.putPreferences(business, customer, wanted, now)
      assert.deepStrictEqual(yield* repository.preferences(business, customer), Option.some(wanted))
      assert.isTrue(Option.isNone(yield* repository.preferences(other, customer)))
      yield* repository.put(business, settings, now)
      assert.deepStrictEqual(yield* repository.find(business), Option.some(settings))
    })
  )
})
