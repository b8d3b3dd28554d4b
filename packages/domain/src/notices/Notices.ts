/** The settings of notices, and what was told (docs/api/notices.md). */
import { Context, DateTime, Effect, Equal, Layer, Option, type Schema } from "effect"
import { makeAuditTrail } from "../audit/AuditTrail.ts"
import type { ActingBusiness } from "../business/Business.ts"
import { CustomerRepository } from "../customers/CustomerRepository.ts"
import { CurrentActor } from "../kernel/CurrentActor.ts"
import { type NotFound, orNotFound } from "../kernel/Errors.ts"
import type { CustomerId, DriverId, TripId } from "../kernel/Ids.ts"
import { mapPage, type PageRequest } from "../kernel/Page.ts"
import { type Precondition, unconditional } from "../kernel/Precondition.ts"
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

export class Notices extends Context.Service<Notices>()("@livery/domain/Notices", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const notices = yield* NoticeRepository
    const settings = yield* NoticeSettingsRepository
    const profiles = yield* BusinessProfileRepository
    const customers = yield* CustomerRepository
    const trips = yield* TripRepository
    const telling = yield* NoticeTelling
    const push = yield* PushMessages
    const writeAudit = yield* makeAuditTrail

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
