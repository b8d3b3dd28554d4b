/** Hands over text messages by the gateway of the business and push messages to the browsers of a driver, and notes the outcome. */
import { Effect, Layer, Option } from "effect"
import { DeviceRepository } from "../identity/devices/DeviceRepository.ts"
import type { UserId } from "../kernel/Ids.ts"
import { MailRefused } from "../mail/Mailer.ts"
import type { MailMessage, MailStamp } from "../mail/MailMessage.ts"
import { type Handover, MessageChannels, MessageUndeliverable } from "../mail/MessageChannels.ts"
import { NoticeRepository } from "./NoticeRepository.ts"
import { NoticeSettingsRepository } from "./NoticeSettingsRepository.ts"
import { PushMessages } from "./push/PushMessages.ts"
import { segmentsOf } from "./rules/Segments.ts"
import { makeTextSending } from "./texts/TextSending.ts"

/** The channels of this installation. */
export const layer = Layer.effect(
  MessageChannels,
  Effect.gen(function* () {
    const settings = yield* NoticeSettingsRepository
    const notices = yield* NoticeRepository
    const devices = yield* DeviceRepository
    const push = yield* PushMessages
    const sendThrough = yield* makeTextSending

    const sendText = Effect.fnUntraced(function* (
      { business_id, text, to }: MailMessage,
      stamp: MailStamp
    ): Effect.fn.Return<Handover, MailRefused | MessageUndeliverable> {
      const stored =
        business_id === undefined ? undefined : Option.getOrUndefined(yield* settings.gateway(business_id))
      if (stored === undefined)
        return yield* new MessageUndeliverable({ reason: "the business has no gateway" })
      const { answer } = yield* sendThrough(stored, to, text, stamp.id)
      if (answer.taken) return { reference: answer.reference, segments: segmentsOf(text).segments }
      return yield* answer.isFinal
        ? new MessageUndeliverable({ reason: answer.reason })
        : new MailRefused({ reason: answer.reason })
    })

    /** To each browser of the user. A subscription that has ended is removed. One that took the message is enough. */
    const sendPush = Effect.fnUntraced(function* ({
      link,
      subject,
      text,
      to
    }: MailMessage): Effect.fn.Return<Handover, MailRefused | MessageUndeliverable> {
      const userId = Number(to) as UserId
      if (push === undefined)
        return yield* new MessageUndeliverable({ reason: "the installation sends no push messages" })
      const browsers = (yield* devices.list(userId)).filter(({ platform }) => platform === "web")
      let refused: MailRefused | undefined
      let isSent = false
      for (const { device_token } of browsers) {
        const result = yield* Effect.result(
          push.send(device_token, { title: subject, body: text, url: link ?? null })
        )
        if (result._tag === "Failure") refused = result.failure
        else if (result.success === "sent") isSent = true
        else yield* devices.remove(userId, device_token)
      }
      if (isSent) return { reference: null, segments: null }
      return yield* refused ?? new MessageUndeliverable({ reason: "no browser takes push messages any more" })
    })

    return MessageChannels.of({
      send: (message, stamp) => (message.channel === "text" ? sendText(message, stamp) : sendPush(message)),
      note: (businessId, noticeId, outcome) => Effect.asVoid(notices.note(businessId, noticeId, outcome))
    })
  })
)
