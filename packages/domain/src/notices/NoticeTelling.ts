/**
 * Tells what has changed about a trip:
 *
 *     change ──▶ mark ──▶ quiet time ──▶ settle: before ≠ now? ──▶ a notice and its message in the outbox
 *
 * `settle` locks the trip, so that a change during its notice waits, and takes the mark in the transaction that posts the messages.
 * So each burst of changes is told once, also by several nodes. Every kind and every channel goes this way.
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { isSuspended } from "../business/Business.ts"
import { BusinessRepository } from "../business/BusinessRepository.ts"
import { PlanRepository } from "../business/PlanRepository.ts"
import { invalidField, NotFound } from "../kernel/Errors.ts"
import type { DriverId, TripId } from "../kernel/Ids.ts"
import { traced } from "../kernel/TracedFunction.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import {
  type MailMessage,
  type MessageChannel,
  type NamedRecord,
  namedCustomer
} from "../mail/MailMessage.ts"
import { MailOutbox } from "../mail/MailOutbox.ts"
import { BusinessProfileRepository } from "../settings/BusinessProfileRepository.ts"
import { maxQuietTimes } from "../trips/changes/QuietTime.ts"
import { type ToldTrip, toldTrip } from "../trips/changes/ToldTrip.ts"
import { TripRepository } from "../trips/trip/TripRepository.ts"
import { makeNoticeFacts, noLinks, type Telling } from "./NoticeFacts.ts"
import { NoticeLinks } from "./NoticeLinks.ts"
import { type DueTrip, NoticeRepository } from "./NoticeRepository.ts"
import { NoticeSettingsRepository } from "./NoticeSettingsRepository.ts"
import { makeRecipients, type Reach, type Recipient } from "./Recipients.ts"
import { type NoticeIntent, noticeIntents } from "./rules/NoticeIntents.ts"
import { isForCustomers, type NoticeKind } from "./rules/NoticeKind.ts"
import {
  channelsFor,
  defaultNoticeSettings,
  type NoticeValues,
  reminderReach
} from "./rules/NoticeSettings.ts"
import { noticeText, templateOf } from "./rules/NoticeText.ts"

/** The records whose persons a notice of a trip may name. */
const namesOf = (trip: ToldTrip | null): ReadonlyArray<NamedRecord> =>
  trip === null
    ? []
    : [
        { trip_id: trip.trip_id },
        ...namedCustomer(trip.customer_id),
        ...trip.drivers.map(({ driver_id }) => ({ driver_id }))
      ]

export class NoticeTelling extends Context.Service<NoticeTelling>()("@livery/domain/NoticeTelling", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const plans = yield* PlanRepository
    const businesses = yield* BusinessRepository
    const profiles = yield* BusinessProfileRepository
    const trips = yield* TripRepository
    const outbox = yield* MailOutbox
    const notices = yield* NoticeRepository
    const settingsOf = yield* NoticeSettingsRepository
    const recipients = yield* makeRecipients
    const { calendarOf, linksOf, tripValues } = yield* makeNoticeFacts
    const pages = yield* NoticeLinks

    /** Whether the email of the step itself has told it within the burst: see `CustomerEmails`. */
    const isTold = (
      { business, now, settings }: Telling,
      kind: NoticeKind,
      trip_id: TripId,
      address: string
    ) =>
      kind === "booked" || kind === "cancelled"
        ? notices.hasNotice(
            { business_id: business.business_id, trip_id },
            kind,
            DateTime.subtract(now, { minutes: settings.quiet_minutes * maxQuietTimes + 1 }),
            address
          )
        : Effect.succeed(false)

    /** Stores the notice and posts its message. `values` are those that are the same for all people. */
    const send = Effect.fnUntraced(function* (
      telling: Telling,
      kind: NoticeKind,
      recipient: Recipient,
      reach: Reach | undefined,
      values: Partial<NoticeValues>
    ) {
      const { business, now, profile, settings, told, trip } = telling
      const { business_id } = business
      const { driverId: driver_id, party } = recipient
      const notice = { trip_id: trip?.trip_id ?? null, kind, party, driver_id, segments: null }
      if (reach === undefined) {
        const skipped = { channel: null, address: null, status: "skipped", reason: "no_address" } as const
        return yield* notices.insert(business_id, { ...notice, ...skipped }, now)
      }
      const { channel, to } = reach
      // A driver's record has the addresses.
      const address = party === "driver" ? null : reach.address
      const key = `${channel} ${to}`
      if (told.has(key)) return undefined
      told.add(key)
      const isLetter = channel === "mail" && isForCustomers(kind)
      if (isLetter && trip !== null && (yield* isTold(telling, kind, trip.trip_id, to))) return undefined
      if (isLetter && Option.isNone(yield* businesses.takeEmailCredit(business_id))) {
        const skipped = { status: "skipped", reason: "no_email_credits" } as const
        return yield* notices.insert(business_id, { ...notice, channel, address, ...skipped }, now)
      }
      const queued = { channel, address, status: "queued", reason: null } as const
      const queuedNotice = yield* notices.insert(business_id, { ...notice, ...queued }, now)
      const { notice_id } = queuedNotice
      const text = noticeText(templateOf(settings.templates, kind, recipient.language), {
        business_name: profile.business_name,
        recipient_name: recipient.name,
        reference: "",
        pickup_time: "",
        pickup_address: "",
        dropoff_address: "",
        flight_number: "",
        driver_name: "",
        driver_phone: "",
        car: "",
        total: "",
        link: "",
        details: "",
        message: "",
        ...values
      })
      const names = [...namesOf(trip), ...(driver_id === null ? [] : [{ driver_id }])]
      const message: MailMessage =
        channel === "mail"
          ? {
              business_id,
              names,
              notice_id,
              ...(isLetter && trip !== null
                ? { letter: { kind: "notice" as const, reference: trip.reference } }
                : {}),
              to,
              from_name: profile.business_name,
              reply_to: profile.business_email,
              subject: text.subject,
              text: text.text,
              html: text.html,
              attachments: yield* calendarOf(telling, kind, { email: to, name: recipient.name })
            }
          : {
              business_id,
              names,
              notice_id,
              channel,
              to,
              subject: text.subject,
              text: text.short,
              ...(values.link === undefined || values.link === "" ? {} : { link: values.link })
            }
      yield* outbox.post(message)
      return queuedNotice
    })

    /** Tells the people whom a channel reaches; if it reaches none, one notice says so. */
    const tellAll = Effect.fnUntraced(function* (
      telling: Telling,
      kind: NoticeKind,
      people: ReadonlyArray<Recipient>,
      channels: ReadonlyArray<MessageChannel>,
      message = ""
    ) {
      const reached: Array<{ readonly recipient: Recipient; readonly reach: Reach }> = []
      for (const recipient of people) {
        const reach = yield* recipients.reach(telling.profile, recipient, channels)
        if (reach !== undefined) reached.push({ recipient, reach })
      }
      const [first] = people
      if (first === undefined) return
      if (reached.length === 0) {
        yield* send(telling, kind, first, undefined, {})
        return
      }
      const { trip } = telling
      const values = { ...(yield* tripValues(telling, kind, first.driverId)), message }
      const links = trip === null ? noLinks : yield* linksOf(telling.business, kind, trip.trip_id)
      for (const { reach, recipient } of reached) {
        const link = recipient.isPayer ? links.payers : links.others
        yield* send(telling, kind, recipient, reach, { ...values, link })
      }
    })

    const tellIntent = Effect.fnUntraced(function* (telling: Telling, { driverId, kinds }: NoticeIntent) {
      const { business, profile, settings, trip } = telling
      if (trip === null) return false
      if (driverId !== null && kinds.includes("driver_declined")) {
        const channels = channelsFor("driver_declined", settings)
        const reason = trip.drivers.findLast((one) => one.driver_id === driverId)?.declined ?? ""
        const office = recipients.officeOf(profile, driverId)
        if (channels.length > 0) yield* tellAll(telling, "driver_declined", [office], channels, reason)
        return channels.length > 0
      }
      const { people, preferences } =
        driverId === null
          ? yield* recipients.customersOf(business, profile, trip)
          : {
              people: [(yield* recipients.driverOf(business, profile, driverId)) ?? []].flat(),
              preferences: undefined
            }
      const on = kinds.flatMap((kind) => {
        const channels = channelsFor(kind, settings, preferences)
        return channels.length === 0 ? [] : [{ kind, channels }]
      })
      const [first] = on
      if (first === undefined) return false
      yield* tellAll(telling, first.kind, people, first.channels)
      return true
    })

    /** What a business tells with; undefined if it is suspended. Locks the business for its email credits. */
    const begin = Effect.fnUntraced(function* ({ business_id }: Pick<DueTrip, "business_id">) {
      yield* plans.lock(business_id)
      const business = Option.getOrUndefined(yield* businesses.find(business_id))
      const profile = Option.getOrUndefined(yield* profiles.find(business_id))
      if (business === undefined || profile === undefined || isSuspended(business)) return undefined
      const settings = Option.getOrElse(yield* settingsOf.find(business_id), () => defaultNoticeSettings)
      return { business, profile, settings, now: yield* DateTime.now, told: new Set<string>() }
    })

    return {
      /** Tells the burst of changes of a trip whose mark is due. Whether there was one. */
      settle: traced("NoticeTelling.settle")(function* (due: DueTrip) {
        return yield* atomically(transaction, function* () {
          const begun = yield* begin(due)
          const found = Option.getOrUndefined(yield* trips.lock(due.business_id, due.trip_id))
          const mark = yield* notices.take(due, begun?.now ?? (yield* DateTime.now))
          if (Option.isNone(mark)) return false
          const { before } = mark.value
          const after = found === undefined ? before && { ...before, is_deleted: true } : toldTrip(found)
          if (begun === undefined || after === null) return true
          const { now } = begun
          for (const intent of noticeIntents(before, after, now))
            yield* tellIntent({ ...begun, trip: after }, intent)
          return true
        })
      }),

      /** Tells the reminder of a trip if it is due and was not told. Whether it was. */
      remind: traced("NoticeTelling.remind")(function* (due: DueTrip) {
        return yield* atomically(transaction, function* () {
          const begun = yield* begin(due)
          const found = Option.getOrUndefined(yield* trips.lock(due.business_id, due.trip_id))
          if (begun === undefined || found?.status !== "confirmed") return false
          const { now, settings } = begun
          const since = DateTime.subtract(found.trip_date, { minutes: settings.reminder_minutes })
          if (
            now.epochMilliseconds < since.epochMilliseconds ||
            now.epochMilliseconds >= found.trip_date.epochMilliseconds
          )
            return false
          const recent = DateTime.subtract(found.trip_date, {
            minutes: settings.reminder_minutes * reminderReach
          })
          if (yield* notices.hasNotice(due, "reminder", recent)) return false
          const trip = toldTrip(found)
          const isOn = yield* tellIntent({ ...begun, trip }, { driverId: null, kinds: ["reminder"] })
          // Kept, so that the trip is not looked at again every minute.
          if (!isOn)
            yield* notices.insert(
              due.business_id,
              {
                trip_id: trip.trip_id,
                kind: "reminder",
                party: "passenger",
                driver_id: null,
                channel: null,
                address: null,
                status: "skipped",
                reason: "switched_off",
                segments: null
              },
              now
            )
          return isOn
        })
      }),

      /** Sends a driver a message of the office, about a trip or not. `NotFound` without such a driver,
       * `InvalidInput` without such a trip. */
      message: traced("NoticeTelling.message")(function* (
        { business_id }: Pick<DueTrip, "business_id">,
        driverId: DriverId,
        tripId: TripId | null,
        message: string
      ) {
        return yield* atomically(transaction, function* () {
          const begun = yield* begin({ business_id })
          if (begun === undefined) return yield* new NotFound({ resource: "driver" })
          const driver = yield* recipients.driverOf(begun.business, begun.profile, driverId)
          const found =
            tripId === null ? undefined : Option.getOrUndefined(yield* trips.find(business_id, tripId))
          if (driver === undefined) return yield* new NotFound({ resource: "driver" })
          if (tripId !== null && found === undefined) return yield* invalidField("trip_id", "not_found")
          const channels = channelsFor("driver_message", begun.settings)
          const reach = yield* recipients.reach(begun.profile, driver, channels)
          const telling: Telling = { ...begun, trip: found === undefined ? null : toldTrip(found) }
          const values = {
            ...(yield* tripValues(telling, "driver_message", driverId)),
            link: (tripId === null ? pages?.drive : pages?.job(tripId)) ?? "",
            message
          }
          // Only a second message to the same address is none, and this is the first one.
          return yield* Effect.orDie(
            Effect.fromNullishOr(yield* send(telling, "driver_message", driver, reach, values))
          )
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(NoticeTelling, NoticeTelling.make)
}
