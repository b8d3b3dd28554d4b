/**
 * Tells what has changed about a trip:
 *
 *     change ──▶ mark ──▶ quiet time ──▶ settle: before ≠ now? ──▶ a notice and its message in the outbox
 *
 * `settle` locks the trip, so that a change during its notice waits, and takes the mark in the transaction that posts the messages.
 * So each burst of changes is told once, also by several nodes. Every kind and every channel goes this way.
 */
import { Context, DateTime, Effect, Layer, Option, Redacted } from "effect"
import { type Business, isSuspended } from "../business/Business.ts"
import { BusinessRepository } from "../business/BusinessRepository.ts"
import { makeCalendarUid } from "../business/CalendarUid.ts"
import { PlanRepository } from "../business/PlanRepository.ts"
import { CarRepository } from "../fleet/cars/CarRepository.ts"
import { DriverRepository } from "../fleet/drivers/DriverRepository.ts"
import { invalidField, NotFound } from "../kernel/Errors.ts"
import type { DriverId, TripId } from "../kernel/Ids.ts"
import type { Currency } from "../kernel/money/Currency.ts"
import * as Money from "../kernel/money/Money.ts"
import { traced } from "../kernel/TracedFunction.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { calendarFile, invitationType } from "../mail/CalendarFile.ts"
import type { MailAttachment, MailMessage, MessageChannel } from "../mail/MailMessage.ts"
import { MailOutbox } from "../mail/MailOutbox.ts"
import type { BusinessProfile } from "../settings/BusinessProfile.ts"
import { BusinessProfileRepository } from "../settings/BusinessProfileRepository.ts"
import { Tracking } from "../tracking/Tracking.ts"
import { isLive } from "../trips/trip/Assignment.ts"
import { maxQuietTimes } from "../trips/changes/NoticeMarks.ts"
import { type ToldTrip, toldTrip } from "../trips/changes/ToldTrip.ts"
import { pickupText } from "../trips/trip/Trip.ts"
import { TripRepository } from "../trips/trip/TripRepository.ts"
import { NoticeLinks } from "./NoticeLinks.ts"
import { type DueTrip, NoticeRepository } from "./NoticeRepository.ts"
import { NoticeSettingsRepository } from "./NoticeSettingsRepository.ts"
import { makeRecipients, type Reach, type Recipient } from "./Recipients.ts"
import { type NoticeIntent, noticeIntents } from "./rules/NoticeIntents.ts"
import { isForCustomers, type NoticeKind } from "./rules/NoticeKind.ts"
import {
  channelsFor,
  defaultNoticeSettings,
  type NoticeSettings,
  type NoticeValues,
  reminderReach
} from "./rules/NoticeSettings.ts"
import { noticeText, templateOf } from "./rules/NoticeText.ts"

/** What the notices of one settlement share. */
interface Telling {
  readonly business: Business
  readonly profile: BusinessProfile
  readonly settings: NoticeSettings
  readonly trip: ToldTrip | null
  readonly now: DateTime.Utc
  /** The addresses that were told already: two people may have the same. */
  readonly told: Set<string>
}

/** The kinds whose mail enters the trip in the calendar, or removes it. */
const calendarMethods: Readonly<Partial<Record<NoticeKind, "REQUEST" | "CANCEL">>> = {
  booked: "REQUEST",
  changed: "REQUEST",
  cancelled: "CANCEL",
  driver_new: "REQUEST",
  driver_changed: "REQUEST",
  driver_cancelled: "CANCEL"
}

/** The kinds with a link for the passenger to follow the trip. */
const trackedKinds: ReadonlySet<NoticeKind> = new Set(["on_the_way"])

export class NoticeTelling extends Context.Service<NoticeTelling>()("@livery/domain/NoticeTelling", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const plans = yield* PlanRepository
    const businesses = yield* BusinessRepository
    const profiles = yield* BusinessProfileRepository
    const trips = yield* TripRepository
    const cars = yield* CarRepository
    const drivers = yield* DriverRepository
    const tracking = yield* Tracking
    const outbox = yield* MailOutbox
    const notices = yield* NoticeRepository
    const settingsOf = yield* NoticeSettingsRepository
    const calendarUid = yield* makeCalendarUid
    const recipients = yield* makeRecipients
    const pages = yield* NoticeLinks

    const linkOf = Effect.fnUntraced(function* (business: Business, kind: NoticeKind, tripId: TripId) {
      if (pages === undefined) return ""
      if (!isForCustomers(kind)) return pages.drive
      if (!trackedKinds.has(kind)) return ""
      const token = yield* Effect.option(tracking.share(business, tripId))
      return Option.match(token, {
        onNone: () => "",
        onSome: (shared) => pages.track(Redacted.value(shared))
      })
    })

    const carText = Effect.fnUntraced(function* (business: Business, driver: ToldTrip["drivers"][number]) {
      if (driver.car_id === null) return ""
      const car = Option.getOrUndefined(yield* cars.find(business.business_id, driver.car_id))
      return car === undefined ? "" : [car.name, car.plate_number].filter((part) => part !== null).join(", ")
    })

    /** What the placeholders say of a trip, in the eyes of its customers or of its drivers. */
    const tripValues = Effect.fnUntraced(function* (
      { business, trip }: Telling,
      kind: NoticeKind,
      driverId: DriverId | null
    ) {
      if (trip === null) return {}
      const driver = trip.drivers.find(
        (one) => isLive(one) && (driverId === null || one.driver_id === driverId)
      )
      const record =
        driver === undefined || driverId !== null
          ? undefined
          : Option.getOrUndefined(yield* drivers.find(business.business_id, driver.driver_id))
      const car = driver === undefined ? "" : yield* carText(business, driver)
      const at = pickupText(DateTime.makeUnsafe(trip.trip_date), trip.pickup_timezone, business.timezone)
      const route = [trip.pickup_address, ...trip.stops, trip.dropoff_address].join(" → ")
      const people =
        driverId === null
          ? [record?.name, record?.phone, car]
          : [
              trip.customer.name,
              trip.customer.phone,
              trip.pickup_sign,
              trip.special_requirements,
              trip.notes,
              car
            ]
      const total =
        trip.total_minor === null || driverId !== null
          ? ""
          : `${Money.format({ minor: trip.total_minor, currency: trip.currency as Currency })} ${trip.currency}`
      return {
        reference: trip.reference,
        pickup_time: at,
        pickup_address: trip.pickup_address,
        dropoff_address: trip.dropoff_address,
        flight_number: trip.flight_number ?? "",
        driver_name: record?.name ?? driver?.name ?? "",
        driver_phone: record?.phone ?? "",
        car,
        total,
        details: [
          at,
          route,
          [trip.flight_number, driverId === null ? null : trip.terminal].filter(Boolean).join(" "),
          people.filter(Boolean).join(", "),
          kind === "done" ? total : ""
        ]
          .filter((line) => line !== "")
          .join("\n")
      }
    })

    const calendarOf = Effect.fnUntraced(function* (
      { business, now, profile, trip }: Telling,
      kind: NoticeKind,
      { email, name }: { readonly email: string; readonly name: string }
    ): Effect.fn.Return<ReadonlyArray<MailAttachment>> {
      const method = calendarMethods[kind]
      if (method === undefined || trip === null) return []
      const { business_email, business_name } = profile
      const content = calendarFile({
        events: [
          {
            invitation: {
              method,
              organizer: { name: business_name, email: business_email },
              attendee: { name: name === "" ? email : name, email }
            },
            uid: yield* calendarUid(business.business_id, trip.reference),
            status: method === "CANCEL" ? "cancelled" : "confirmed",
            summary: `${trip.pickup_address} – ${trip.dropoff_address} – ${business_name}`,
            description: null,
            location: trip.pickup_address,
            starts_at: DateTime.makeUnsafe(trip.trip_date),
            ends_at: DateTime.makeUnsafe(trip.ends_at),
            stamp: now
          }
        ]
      })
      return [{ file_name: `${trip.reference}.ics`, content_type: invitationType(method), content }]
    })

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
      const isLetter = channel === "mail" && party !== "driver"
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
      const message: MailMessage =
        channel === "mail"
          ? {
              business_id,
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
      const values = {
        ...(yield* tripValues(telling, kind, first.driverId)),
        link: trip === null ? "" : yield* linkOf(telling.business, kind, trip.trip_id),
        message
      }
      for (const { reach, recipient } of reached) yield* send(telling, kind, recipient, reach, values)
    })

    const tellIntent = Effect.fnUntraced(function* (telling: Telling, { driverId, kinds }: NoticeIntent) {
      const { business, profile, settings, trip } = telling
      if (trip === null) return false
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
            link: pages?.drive ?? "",
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
