/** What a notice says of a trip: the values of its placeholders, its link, and its calendar file. */
import { DateTime, Effect, Option, Redacted } from "effect"
import type { Business } from "../business/Business.ts"
import { makeCalendarUid } from "../business/CalendarUid.ts"
import { InvoiceRepository } from "../billing/invoice/InvoiceRepository.ts"
import { PaymentPage } from "../billing/invoice/PaymentPage.ts"
import { CarRepository } from "../fleet/cars/CarRepository.ts"
import { DriverRepository } from "../fleet/drivers/DriverRepository.ts"
import type { DriverId, TripId } from "../kernel/Ids.ts"
import type { Currency } from "../kernel/money/Currency.ts"
import * as Money from "../kernel/money/Money.ts"
import { calendarFile, invitationType } from "../mail/CalendarFile.ts"
import type { MailAttachment } from "../mail/MailMessage.ts"
import type { BusinessProfile } from "../settings/BusinessProfile.ts"
import { Tracking } from "../tracking/Tracking.ts"
import type { ToldTrip } from "../trips/changes/ToldTrip.ts"
import { isLive } from "../trips/trip/Assignment.ts"
import { pickupText } from "../trips/trip/Trip.ts"
import { TripRepository } from "../trips/trip/TripRepository.ts"
import { NoticeLinks } from "./NoticeLinks.ts"
import { isForCustomers, type NoticeKind } from "./rules/NoticeKind.ts"
import type { NoticeSettings } from "./rules/NoticeSettings.ts"

/** What the notices of one settlement share. */
export interface Telling {
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

/** The pages that a notice links to, for the people whom invoices concern and for all others; empty if there is none. */
export interface NoticeLinkTexts {
  readonly payers: string
  readonly others: string
}

/** No page. */
export const noLinks: NoticeLinkTexts = { payers: "", others: "" }

/**
 * - `linksOf`: the pages that a notice links to: the jobs, the trip, the tracking page, or the invoice of a trip that has ended.
 * - `tripValues`: what the placeholders say of a trip, in the eyes of its customers or of one of its drivers.
 * - `calendarOf`: the calendar file of an email, if its kind has one.
 */
export const makeNoticeFacts = Effect.gen(function* () {
  const cars = yield* CarRepository
  const drivers = yield* DriverRepository
  const tracking = yield* Tracking
  const calendarUid = yield* makeCalendarUid
  const pages = yield* NoticeLinks
  const trips = yield* TripRepository
  const invoices = yield* InvoiceRepository
  const invoicePage = yield* PaymentPage

  const toAll = (link: string): NoticeLinkTexts => ({ payers: link, others: link })

  /** The page of an issued invoice, where it is paid or shown as paid. */
  const invoiceLink = Effect.fnUntraced(function* ({ business_id }: Business, tripId: TripId) {
    const trip = Option.getOrUndefined(yield* trips.find(business_id, tripId))
    if (invoicePage === undefined || trip === undefined || trip.invoice_id === null) return noLinks
    const invoice = Option.getOrUndefined(yield* invoices.find(business_id, trip.invoice_id))
    if (invoice === undefined || invoice.status === "draft" || invoice.status === "void") return noLinks
    return { payers: invoicePage(invoice.payment_hash), others: "" }
  })

  const linksOf = Effect.fnUntraced(function* (business: Business, kind: NoticeKind, tripId: TripId) {
    if (pages === undefined) return noLinks
    if (kind === "driver_declined") return toAll(pages.trip(tripId))
    if (!isForCustomers(kind)) return toAll(pages.job(tripId))
    if (kind === "done") return yield* invoiceLink(business, tripId)
    if (!trackedKinds.has(kind)) return noLinks
    const token = yield* Effect.option(tracking.share(business, tripId))
    return Option.match(token, {
      onNone: () => noLinks,
      onSome: (shared) => toAll(pages.track(Redacted.value(shared)))
    })
  })

  const carText = Effect.fnUntraced(function* (business: Business, driver: ToldTrip["drivers"][number]) {
    if (driver.car_id === null) return ""
    const car = Option.getOrUndefined(yield* cars.find(business.business_id, driver.car_id))
    return car === undefined ? "" : [car.name, car.plate_number].filter((part) => part !== null).join(", ")
  })

  const tripValues = Effect.fnUntraced(function* (
    { business, trip }: Telling,
    kind: NoticeKind,
    driverId: DriverId | null
  ) {
    if (trip === null) return {}
    const driver =
      kind === "driver_declined"
        ? trip.drivers.findLast((one) => one.driver_id === driverId)
        : trip.drivers.find((one) => isLive(one) && (driverId === null || one.driver_id === driverId))
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

  return { calendarOf, linksOf, tripValues }
})
