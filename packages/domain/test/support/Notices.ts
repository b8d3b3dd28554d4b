/** Trips whose notices are told, on the ports in memory. */
import { createHash, createHmac, randomBytes } from "node:crypto"
import {
  BusinessId,
  changedNoticeSettings,
  Cryptography,
  CustomerNoticeKind,
  defaultNoticeSettings,
  DriverId,
  type MessageChannel,
  NoticeLinks,
  NoticeSettingsChanges,
  NoticeSweep,
  PaymentPage,
  Tracking,
  TripWatch
} from "@livery/domain"
import { type Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { decoded } from "./Decoding.ts"
import { dispatch } from "./Dispatch.ts"

const businessId = BusinessId.make(1)

/** Computes on the calling thread, so that a step of the test's clock waits for no other thread. */
export const synchronousCryptography = Layer.succeed(Cryptography, {
  randomBytes: (count) => Effect.sync(() => new Uint8Array(randomBytes(count))),
  sha256: (text) => Effect.sync(() => createHash("sha256").update(text).digest("hex")),
  incrementalSha256: Effect.sync(() => {
    const digest = createHash("sha256")
    return {
      add: (piece: string | Uint8Array) => void digest.update(piece),
      digest: Effect.sync(() => digest.digest("hex"))
    }
  }),
  hmacSha256: (key, message) => Effect.sync(() => createHmac("sha256", key).update(message).digest("hex")),
  hmacSha1: (key, message) => Effect.sync(() => createHmac("sha1", key).update(message).digest("hex"))
})

/** All kinds for customers by these channels. */
const allKinds = (...channels: ReadonlyArray<MessageChannel>) =>
  Object.fromEntries(CustomerNoticeKind.literals.map((kind) => [kind, channels]))

/** A business with email credits, which tells by mail whatever `channels` names, and its running worker. */
export const telling = Effect.fnUntraced(function* (
  channels: object = { ...allKinds("mail"), reminder: [] }
) {
  yield* TestClock.setTime(Date.parse("2026-11-19T08:00:00Z"))
  const memory = yield* dispatch
  const { store } = memory
  store.businesses.change(businessId, { email_credits: 100_000, timezone: "Europe/Zurich" })

  const setNotices = (changes: object) => {
    const row = store.noticeSettings.get(businessId)
    const settings = changedNoticeSettings(
      row?.settings ?? defaultNoticeSettings,
      decoded(NoticeSettingsChanges, changes)
    )
    const { tells_customers = false, reminds = false } = row ?? {}
    store.noticeSettings.set(businessId, {
      gateway: null,
      ...row,
      settings,
      tells_customers:
        tells_customers || CustomerNoticeKind.literals.some((kind) => settings.channels[kind].length > 0),
      reminds: reminds || settings.channels.reminder.length > 0
    })
  }
  setNotices({ channels })

  const links = Layer.succeed(NoticeLinks, {
    track: (token: string) => `https://livery.example/track#${token}`,
    drive: "https://livery.example/drive",
    job: (tripId) => `https://livery.example/drive#job=${tripId}`,
    trip: (tripId) => `https://livery.example/app/trips/${tripId}`
  })
  const invoicePage = Layer.succeed(
    PaymentPage,
    (hash: string) => `https://livery.example/pay#invoice=${hash}`
  )
  const startWorker = Layer.build(
    NoticeSweep.layer.pipe(
      Layer.provide(Tracking.layer.pipe(Layer.provide(TripWatch.layer))),
      Layer.provide(Layer.mergeAll(links, invoicePage, synchronousCryptography)),
      Layer.provide(memory.layer)
    )
  )

  return {
    ...memory,
    setNotices,
    startWorker,
    /** Lets time pass, until everything that is due is told. */
    pass: Effect.fnUntraced(function* (duration: Duration.Input) {
      yield* TestClock.adjust(duration)
      // The worker polls. A settlement that began meanwhile ends without a further step of the clock.
      for (let steps = 0; steps < 3; steps++) {
        yield* Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
        yield* TestClock.adjust(0)
      }
    }),
    /** Gives a driver an email address. */
    withEmail: (id: number, email = `driver${id}@example.com`) =>
      store.drivers.change(DriverId.make(id), { email }),
    /** The messages that were posted since the last call: the address and the subject of each. */
    posted: () => {
      const messages = store.mail.where().map(({ mail_id, message }) => {
        store.mail.remove(mail_id)
        return message
      })
      return messages
    },
    /** The notices: kind, address and status of each. */
    notices: () =>
      store.notices
        .where()
        .map(({ address, kind, reason, status }) => [kind, address, reason ?? status].join(" "))
  }
})
