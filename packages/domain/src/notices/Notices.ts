/** The settings of notices, and what was told (docs/api/notices.md). */
import { Context, DateTime, Effect, Equal, Layer, Option, Redacted, type Schema } from "effect"
import { makeAuditTrail } from "../audit/AuditTrail.ts"
import type { ActingBusiness } from "../business/Business.ts"
import { makeBusinessTokens } from "../business/BusinessTokens.ts"
import { CustomerRepository } from "../customers/CustomerRepository.ts"
import { CurrentActor } from "../kernel/CurrentActor.ts"
import { InvalidInput, NotFound, orNotFound } from "../kernel/Errors.ts"
import { canonicalPhone, countryOf } from "../kernel/fields/PhoneNumber.ts"
import type { CustomerId, DriverId, TripId } from "../kernel/Ids.ts"
import { mapPage, type PageRequest } from "../kernel/Page.ts"
import { type Precondition, unconditional } from "../kernel/Precondition.ts"
import { AddressPolicy } from "../kernel/security/AddressPolicy.ts"
import { equalInConstantTime } from "../kernel/security/ConstantTime.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { traced } from "../kernel/TracedFunction.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { BusinessProfileRepository } from "../settings/BusinessProfileRepository.ts"
import { TripRepository } from "../trips/trip/TripRepository.ts"
import type { DriverMessageInput, NoticePreview, NoticePreviewInput } from "./NoticeInput.ts"
import { noticeRecord } from "./Notice.ts"
import { NoticeRepository } from "./NoticeRepository.ts"
import { NoticeSettingsRepository } from "./NoticeSettingsRepository.ts"
import { NoticeTelling } from "./NoticeTelling.ts"
import { PushMessages } from "./push/PushMessages.ts"
import {
  changedNoticeSettings,
  defaultNoticeSettings,
  noNoticePreferences,
  type NoticePreferences,
  type NoticeSettings,
  type NoticeSettingsChanges,
  noticeLanguageOf
} from "./rules/NoticeSettings.ts"
import { noticeText, templateOf } from "./rules/NoticeText.ts"
import { segmentsOf } from "./rules/Segments.ts"
import { CallbackAddress } from "./texts/CallbackAddress.ts"
import { gatewayCallback, gatewayRequest } from "./texts/GatewayMessages.ts"
import { type StoredTextGatewayRecord, type TextGateway, textGatewayRecord } from "./texts/TextGateway.ts"

const sampleValues = (business_name: string, example: string, message: string) => ({
  business_name,
  recipient_name: "Zoë Keller",
  reference: "TR-4F7K2Q9",
  pickup_time: example,
  pickup_address: "Bahnhofplatz 1",
  dropoff_address: "Flughafen, Terminal 2",
  flight_number: "LX 318",
  driver_name: "Ada Moser",
  driver_phone: "+41 44 668 18 00",
  car: "Mercedes S 500, ZH 123 456",
  total: "129.50 CHF",
  link: "https://livery.example/track#lvt_sample",
  details: `${example}\nBahnhofplatz 1 → Flughafen, Terminal 2\nLX 318\nAda Moser, +41 44 668 18 00, Mercedes S 500, ZH 123 456`,
  message
})

const addressAdvice =
  "The address of a gateway begins with https://, its host is public, and it has no user name, no password and no fragment. " +
  "For development, the setting WEBHOOKS_ALLOW_INSECURE permits http:// and private hosts"

export class Notices extends Context.Service<Notices>()("@livery/domain/Notices", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const notices = yield* NoticeRepository
    const settings = yield* NoticeSettingsRepository
    const profiles = yield* BusinessProfileRepository
    const customers = yield* CustomerRepository
    const trips = yield* TripRepository
    const telling = yield* NoticeTelling
    const addresses = yield* AddressPolicy
    const cryptography = yield* Cryptography
    const push = yield* PushMessages
    const callbackAddress = yield* CallbackAddress
    const writeAudit = yield* makeAuditTrail
    const { businessOfToken, newToken } = yield* makeBusinessTokens

    const profileOf = ({ business_id }: Pick<ActingBusiness, "business_id">) =>
      Effect.flatMap(profiles.find(business_id), orNotFound("business"))

    const settingsOf = (found: Option.Option<NoticeSettings>) =>
      Option.getOrElse(found, () => defaultNoticeSettings)

    const audited = Effect.fnUntraced(function* (
      { business_id: businessId }: ActingBusiness,
      action: string,
      before: Schema.Json | null,
      after: Schema.Json | null
    ) {
      yield* writeAudit({
        actor: yield* CurrentActor,
        action,
        subject: `business:${businessId}`,
        businessId,
        before,
        after
      })
    })

    const putGateway = Effect.fnUntraced(function* (acting: ActingBusiness, gateway: TextGateway | null) {
      const before = Option.getOrNull(yield* settings.gateway(acting.business_id))
      const { token } = yield* newToken("texts", acting.business_id)
      const stored = gateway && { gateway, callbackToken: token }
      yield* settings.putGateway(acting.business_id, stored, yield* DateTime.now)
      yield* audited(
        acting,
        "business.text_gateway_changed",
        before && textGatewayRecord(before.gateway),
        gateway && textGatewayRecord(gateway)
      )
      return token
    })

    /** The customer, who must be one of the business. */
    const requireCustomer = ({ business_id }: ActingBusiness, customerId: CustomerId) =>
      Effect.flatMap(customers.find(business_id, customerId), orNotFound("customer"))

    return {
      /** The settings of the business. */
      read: traced("Notices.read")(function* ({ business_id }: ActingBusiness) {
        return settingsOf(yield* settings.find(business_id))
      }),

      /** Changes the settings, and writes the change to the audit log. */
      update: traced("Notices.update")(function* (
        acting: ActingBusiness,
        changes: NoticeSettingsChanges,
        precondition: Precondition<NoticeSettings> = unconditional
      ) {
        return yield* atomically(transaction, function* () {
          const current = settingsOf(yield* settings.lock(acting.business_id))
          yield* precondition(current)
          const changed = changedNoticeSettings(current, changes)
          if (Equal.equals(changed, current)) return current
          yield* settings.put(acting.business_id, changed, yield* DateTime.now)
          yield* audited(acting, "business.notices_changed", { ...current }, { ...changed })
          return changed
        })
      }),

      /** A template with the facts of a sample, and the segments of its short text. The default words if none is given. */
      preview: traced("Notices.preview")(function* (
        acting: ActingBusiness,
        { kind, language, template }: NoticePreviewInput
      ): Effect.fn.Return<NoticePreview, NotFound> {
        const { business_name, locale } = yield* profileOf(acting)
        const stored = settingsOf(yield* settings.find(acting.business_id))
        const chosen = language ?? noticeLanguageOf(locale)
        const own = template === undefined ? undefined : { kind, language: chosen, ...template }
        const values = sampleValues(business_name, "2026-12-24 18:30", "12:00 → 12:30")
        const { short, subject, text } = noticeText(own ?? templateOf(stored.templates, kind, chosen), values)
        return { kind, language: chosen, subject, text, short, ...segmentsOf(short) }
      }),

      /** The gateway for text messages, without its secrets; null if there is none. */
      readGateway: traced("Notices.readGateway")(function* ({ business_id }: ActingBusiness) {
        const stored = yield* settings.gateway(business_id)
        return Option.getOrNull(Option.map(stored, ({ gateway }) => textGatewayRecord(gateway)))
      }),

      /** Stores the gateway; `InvalidInput` for an address that may not be called. Its callbacks get a new address. */
      putGateway: traced("Notices.putGateway")(function* (acting: ActingBusiness, gateway: TextGateway) {
        const sample = {
          to: "+41446681800",
          to_digits: "41446681800",
          text: "x",
          sender: gateway.sender,
          id: "x"
        }
        const { url } = gatewayRequest(gateway, { ...sample, callback_url: "x" })
        if (!addresses.allows(url))
          return yield* new InvalidInput({
            issues: [{ field: "url", issue: "invalid" }],
            advice: addressAdvice
          })
        const token = yield* transaction.run(putGateway(acting, gateway))
        const callback_url = gateway.callbacks === null ? null : (callbackAddress?.(token) ?? null)
        return { ...textGatewayRecord(gateway), callback_url } satisfies StoredTextGatewayRecord
      }),

      /** Removes the gateway; whether there was one. */
      removeGateway: traced("Notices.removeGateway")(function* (acting: ActingBusiness) {
        return yield* atomically(transaction, function* () {
          const deleted = Option.isSome(yield* settings.gateway(acting.business_id))
          if (deleted) yield* putGateway(acting, null)
          return { deleted }
        })
      }),

      /**
       * Takes a callback of a gateway: a receipt, or the wish of the owner of a number to get no more text messages. `NotFound` for
       * a token that is not the present one. Callbacks that say nothing are ignored.
       */
      callback: traced("Notices.callback")(function* (token: Redacted.Redacted, document: unknown) {
        const text = Redacted.value(token)
        const businessId = Option.getOrUndefined(yield* businessOfToken("texts", text))
        const stored =
          businessId === undefined ? undefined : Option.getOrUndefined(yield* settings.gateway(businessId))
        if (
          businessId === undefined ||
          stored === undefined ||
          !equalInConstantTime(stored.callbackToken, text)
        )
          return yield* new NotFound({ resource: "gateway" })
        const now = yield* DateTime.now
        const said = gatewayCallback(stored.gateway, document)
        if (said.type === "receipt")
          yield* transaction.run(
            notices.receipt(
              businessId,
              said.reference,
              said.status,
              said.status === "failed" ? said.word : null,
              now
            )
          )
        if (said.type === "stop" || said.type === "start") {
          const profile = yield* profileOf({ business_id: businessId }).pipe(Effect.orDie)
          const number = canonicalPhone(said.from, countryOf(profile))
          if (number !== undefined)
            yield* notices.setStopped(
              businessId,
              yield* cryptography.sha256(number),
              said.type === "stop",
              now
            )
        }
        return { received: true }
      }),

      /** What a customer wants. */
      readPreferences: traced("Notices.readPreferences")(function* (
        acting: ActingBusiness,
        customerId: CustomerId
      ) {
        yield* requireCustomer(acting, customerId)
        return Option.getOrElse(
          yield* settings.preferences(acting.business_id, customerId),
          () => noNoticePreferences
        )
      }),

      /** Replaces what a customer wants. */
      putPreferences: traced("Notices.putPreferences")(function* (
        acting: ActingBusiness,
        customerId: CustomerId,
        preferences: NoticePreferences,
        precondition: Precondition<NoticePreferences> = unconditional
      ) {
        return yield* atomically(transaction, function* () {
          yield* Effect.flatMap(customers.lock(acting.business_id, customerId), orNotFound("customer"))
          const current = yield* settings.preferences(acting.business_id, customerId)
          yield* precondition(Option.getOrElse(current, () => noNoticePreferences))
          yield* settings.putPreferences(acting.business_id, customerId, preferences, yield* DateTime.now)
          return preferences
        })
      }),

      /** The notices of a trip, the oldest first. */
      ofTrip: traced("Notices.ofTrip")(function* (acting: ActingBusiness, tripId: TripId, page: PageRequest) {
        yield* Effect.flatMap(trips.find(acting.business_id, tripId), orNotFound("trip"))
        return mapPage(yield* notices.ofTrip(acting.business_id, tripId, page), noticeRecord)
      }),

      /** Sends a driver a message of the office. `NotFound` if the business has no such driver, `InvalidInput` if it
       * has no such trip. */
      message: traced("Notices.message")(function* (
        acting: ActingBusiness,
        driverId: DriverId,
        { text, trip_id }: DriverMessageInput
      ) {
        return noticeRecord(yield* telling.message(acting, driverId, trip_id ?? null, text))
      }),

      /** The key by which a browser subscribes to push messages; null if the installation sends none. */
      pushKey: Effect.map(push?.publicKey ?? Effect.succeed(null), (public_key) => ({ public_key }))
    }
  })
}) {
  static readonly layer = Layer.effect(Notices, Notices.make).pipe(Layer.provide(NoticeTelling.layer))
}
