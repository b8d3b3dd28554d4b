import { assert, describe, it } from "@effect/vitest"
import {
  AddressPolicy,
  BusinessId,
  Cryptography,
  DriverId,
  Mailer,
  MailRefused,
  MailSender,
  NoticeChannels,
  NoticeId,
  NoticeRepository,
  type OutgoingRequest,
  OutgoingRequests,
  PlatformSettings,
  PushMessages,
  TextGateway,
  UserId,
  WorkNotifier
} from "@livery/domain"
import { DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { decoded } from "../support/Decoding.ts"
import { synchronousCryptography, telling } from "../support/Notices.ts"

const business = BusinessId.make(1)

const gateway = decoded(TextGateway, {
  url: "https://gateway.example.com/messages",
  method: "POST",
  headers: [],
  body: '{"to":"{{to}}","text":"{{text}}"}',
  body_type: "json",
  sender: "Livery",
  success: { path: "id", values: [] },
  reference_path: "id"
})

/** A telling business with a gateway, its worker, and a running sender. `answer` is what the gateway responds. */
const sending = Effect.fnUntraced(function* (channels: object) {
  const memory = yield* telling(channels)
  const requests: Array<OutgoingRequest> = []
  const pushed: Array<string> = []
  const given = { status: 200, body: '{"id":"SM1"}', push: "sent" as "sent" | "gone" }
  const row = memory.store.noticeSettings.get(business)
  if (row !== undefined)
    memory.store.noticeSettings.set(business, { ...row, gateway: { gateway, callbackToken: "lvx_1" } })
  memory.store.businesses.change(business, { country: "CH" })
  yield* memory.startWorker
  const Outside = Layer.mergeAll(
    Layer.succeed(
      OutgoingRequests,
      OutgoingRequests.of({
        send: (request) =>
          Effect.sync(() => {
            requests.push(request)
            return { status: given.status, body: given.body }
          })
      })
    ),
    Layer.succeed(AddressPolicy, AddressPolicy.of({ allows: () => true })),
    Layer.succeed(Mailer, Mailer.of({ send: () => Effect.fail(new MailRefused({ reason: "away" })) })),
    Layer.succeed(PushMessages, {
      publicKey: Effect.succeed("key"),
      send: (subscription: string) =>
        Effect.sync(() => {
          pushed.push(subscription)
          return given.push
        })
    })
  )
  yield* Layer.build(
    MailSender.layer.pipe(
      Layer.provide(NoticeChannels.layer),
      Layer.provide(Layer.merge(Outside, PlatformSettings.layer)),
      Layer.provideMerge(WorkNotifier.layer),
      Layer.provide(synchronousCryptography),
      Layer.provide(memory.layer)
    )
  )
  const run = <A>(effect: Effect.Effect<A, never, NoticeRepository>) => Effect.provide(effect, memory.layer)
  return {
    ...memory,
    requests,
    pushed,
    given,
    run,
    bodies: () => requests.splice(0).map(({ body }) => JSON.parse(String(body)) as object)
  }
})

const phone = { customer_phone: "044 668 18 00" }

describe("a text message", () => {
  it.effect(
    "is sent to the number in its canonical form, with its segments in the notice and its outcome in the timeline",
    () =>
      Effect.gen(function* () {
        const memory = yield* sending({ booked: ["text", "mail"] })
        yield* memory.create({ ...phone, customer_email: "zoe@example.com" })
        yield* memory.pass("3 minutes")
        assert.lengthOf(memory.requests, 1)
        assert.deepInclude(memory.bodies()[0], { to: "+41446681800" })
        const [notice] = memory.store.notices.where()
        assert.deepInclude(notice, { channel: "text", status: "sent", segments: 1, reference: "SM1" })
        const entry = memory.store.timeline.where().at(-1)
        assert.deepInclude(entry?.after, { kind: "booked", channel: "text", status: "sent" })
        const now = yield* DateTime.now
        yield* memory.run(NoticeRepository.use((it) => it.receipt(business, "SM1", "delivered", null, now)))
        assert.strictEqual(memory.store.notices.where()[0]?.status, "delivered")
      })
  )

  it.effect("goes to nobody who replied STOP; the next channel is used", () =>
    Effect.gen(function* () {
      const memory = yield* sending({ booked: ["text", "mail"] })
      const now = yield* DateTime.now
      const hash = yield* Effect.provide(
        Cryptography.use((it) => it.sha256("+41446681800")),
        synchronousCryptography
      )
      yield* memory.run(NoticeRepository.use((it) => it.setStopped(business, hash, true, now)))
      yield* memory.create({ ...phone, customer_email: "zoe@example.com" })
      yield* memory.pass("3 minutes")
      assert.deepStrictEqual(memory.requests, [])
      assert.strictEqual(memory.store.notices.where()[0]?.channel, "mail")
    })
  )

  it.effect("fails at once if the gateway refuses it, and after five attempts if the gateway is away", () =>
    Effect.gen(function* () {
      const memory = yield* sending({ booked: ["text"] })
      memory.given.status = 400
      yield* memory.create(phone)
      yield* memory.pass("3 minutes")
      assert.lengthOf(memory.bodies(), 1)
      assert.deepInclude(memory.store.notices.get(NoticeId.make(1)), {
        status: "failed",
        reason: "the gateway responded with 400"
      })
      memory.given.status = 503
      yield* memory.create(phone)
      for (let minute = 0; minute < 40; minute++) yield* memory.pass("1 minute")
      assert.lengthOf(memory.bodies(), 5)
      assert.deepInclude(memory.store.notices.get(NoticeId.make(2)), { status: "failed" })
      assert.deepStrictEqual(memory.store.mail.where(), [])
    })
  )
})

describe("a push message", () => {
  it.effect("is sent to each browser of the driver, and a subscription that has ended is removed", () =>
    Effect.gen(function* () {
      const memory = yield* sending({})
      memory.addDrivers(1, 11)
      const user_id = UserId.make(5)
      memory.store.drivers.change(DriverId.make(11), { user_id, email: "driver@example.com" })
      const updated_at = yield* DateTime.now
      for (const device_token of ["one", "two"])
        memory.store.devices.set(device_token, {
          device_token,
          platform: "web",
          device_name: null,
          user_id,
          updated_at
        })
      yield* memory.create()
      yield* memory.assign(1, [11])
      yield* memory.pass("3 minutes")
      assert.sameMembers(memory.pushed.splice(0), ["one", "two"])
      assert.deepInclude(memory.store.notices.where()[0], { channel: "push", status: "sent", address: null })
      memory.given.push = "gone"
      yield* memory.update(1, { notes: "Ring twice" })
      yield* memory.pass("3 minutes")
      assert.deepStrictEqual(memory.store.devices.where(), [])
      assert.strictEqual(memory.store.notices.where()[1]?.status, "failed")
      yield* memory.update(1, { notes: "Ring" })
      yield* memory.pass("3 minutes")
      assert.strictEqual(memory.store.notices.where()[2]?.channel, "mail")
      yield* TestClock.adjust(0)
    })
  )
})
