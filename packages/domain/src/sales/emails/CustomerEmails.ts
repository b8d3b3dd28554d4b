/** Emails to customers about quotes and bookings. Each costs one email credit of the business (docs/api/sales.md). */
import { DateTime, Effect, Option } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { BusinessRepository } from "../../business/BusinessRepository.ts"
import { makeCalendarUid } from "../../business/CalendarUid.ts"
import { noEmailCredits } from "../../business/EmailCredits.ts"
import { PlanRepository } from "../../business/PlanRepository.ts"
import { CustomerRepository } from "../../customers/CustomerRepository.ts"
import type { UsageLimitReached } from "../../kernel/Errors.ts"
import { hasLink } from "../../kernel/fields/Name.ts"
import { type BusinessId, CustomerId, TripId } from "../../kernel/Ids.ts"
import type { Currency } from "../../kernel/money/Currency.ts"
import * as Money from "../../kernel/money/Money.ts"
import { instantOf } from "../../kernel/time/WallClock.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import { calendarFile, invitationType } from "../../mail/CalendarFile.ts"
import { makeMailLimits } from "../../mail/MailLimits.ts"
import { type MailAttachment, namedCustomer } from "../../mail/MailMessage.ts"
import { MailOutbox } from "../../mail/MailOutbox.ts"
import { NoticeRepository } from "../../notices/NoticeRepository.ts"
import { BusinessProfileRepository } from "../../settings/BusinessProfileRepository.ts"
import { type CustomerEmailKind, emailText } from "../../settings/EmailWording.ts"
import { pickupText } from "../../trips/trip/Trip.ts"

/**
 * The data of a record that an email shows. Times are RFC 3339, amounts in major units. `timezone` is the zone of the place where
 * it starts; without one, the business's. The language of the customer, if it has one, is the language of the default wording.
 */
export interface EmailData {
  readonly reference: string
  readonly customer_id: number | null
  readonly customer_name: string | null
  readonly description: string
  readonly total_amount: number | null
  readonly currency: string
  readonly starts_at?: string
  readonly ends_at?: string
  readonly timezone?: string
  readonly location?: string | null
  /** The trip that the email is about, whose notices name the email. */
  readonly trip_id?: number | null
  readonly link?: string
  /** Whether the customer got no calendar file that this email could take back, because it was never confirmed. */
  readonly neverConfirmed?: boolean
}

/**
 * The email about a step that returns an `A`. `recipientOf` gives the customer's address, or null: then no email is sent.
 * `about` gives the data that the email shows. `isRequired` is false for a step of the customer, which succeeds even if no
 * email can be sent.
 */
export interface CustomerEmail<A> {
  readonly kind: CustomerEmailKind
  readonly isRequired: boolean
  readonly recipientOf: (result: A) => string | null
  readonly about: (result: A) => EmailData
}

/** A text of a visitor in one line; undefined if mail programs would show a part of it as a link. */
const withoutLink = (text: string): string | undefined =>
  hasLink(text) ? undefined : text.replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")

/**
 * The data of an email that a visitor of the booking page causes. The business has not read the visitor's texts, and the
 * address may belong to another person. So a text must not carry a message: it is shown in one line, and left out if it
 * contains a link.
 */
export const visitorEmailData = (
  data: EmailData,
  { isDescriptionOfVisitor }: { readonly isDescriptionOfVisitor: boolean }
): EmailData => ({
  ...data,
  customer_name: withoutLink(data.customer_name ?? "") ?? "customer",
  description: isDescriptionOfVisitor ? (withoutLink(data.description) ?? data.reference) : data.description,
  location: withoutLink(data.location ?? "") ?? null
})

const withoutEmail = "; with `email: false`, the step is taken without an email"

const totalText = (total: number | null, currency: string) =>
  total === null
    ? ""
    : `${Option.match(Money.fromMajor(total, currency as Currency), { onNone: () => String(total), onSome: Money.format })} ${currency}`

/** The notices that an email takes the place of. */
const noticeOf: Readonly<Partial<Record<CustomerEmailKind, "booked" | "cancelled">>> = {
  booking_confirmed: "booked",
  booking_cancelled: "cancelled"
}

const methodOf: Readonly<Partial<Record<CustomerEmailKind, "REQUEST" | "CANCEL">>> = {
  booking_confirmed: "REQUEST",
  booking_cancelled: "CANCEL"
}

/** The calendar file of a confirmed or cancelled booking; none for another email, without both times, or if it was never confirmed. */
const calendarAttachments = (
  {
    kind,
    stamp,
    timezone,
    uid,
    ...parties
  }: {
    readonly kind: CustomerEmailKind
    readonly stamp: DateTime.Utc
    readonly timezone: string
    readonly uid: string
    readonly organizer: { readonly name: string; readonly email: string }
    readonly to: string
  },
  { customer_name, description, ends_at, location = null, neverConfirmed, reference, starts_at }: EmailData
): ReadonlyArray<MailAttachment> => {
  const method = methodOf[kind]
  if (method === undefined || neverConfirmed === true) return []
  if (starts_at === undefined || ends_at === undefined) return []
  const { organizer, to } = parties
  const content = calendarFile({
    events: [
      {
        uid,
        invitation: { method, organizer, attendee: { name: customer_name ?? to, email: to } },
        status: method === "CANCEL" ? "cancelled" : "confirmed",
        summary: `${description} – ${organizer.name}`,
        description: null,
        location,
        starts_at: instantOf(starts_at, timezone),
        ends_at: instantOf(ends_at, timezone),
        stamp
      }
    ]
  })
  return [{ file_name: `${reference}.ics`, content_type: invitationType(method), content }]
}

/** The words that the texts of an email insert. Times are on the clock of the place. `timezone` is the business's. */
const insertedWords = (
  {
    currency,
    customer_name,
    description,
    link,
    reference,
    starts_at,
    timezone: zone,
    total_amount
  }: EmailData,
  businessName: string,
  timezone: string
) => ({
  business_name: businessName,
  customer_name: customer_name ?? "",
  reference,
  description,
  starts_at:
    starts_at === undefined ? "" : pickupText(instantOf(starts_at, timezone), zone ?? null, timezone),
  total: totalText(total_amount, currency),
  link: link ?? ""
})

/**
 * Makes the function that runs a step and queues its email in one transaction. The result of the step has the customer's
 * address, so that the email goes to the present one. The credit is spent in that transaction, so that two concurrent
 * steps never share one. Without a credit, the step fails with `UsageLimitReached` and changes nothing. A step of the
 * customer succeeds without an email then, and also if the recipient has reached the limit of emails in an hour.
 */
export const makeCustomerEmails = Effect.gen(function* () {
  const transaction = yield* Transaction
  const plans = yield* PlanRepository
  const businesses = yield* BusinessRepository
  const profiles = yield* BusinessProfileRepository
  const customers = yield* CustomerRepository
  const outbox = yield* MailOutbox
  const limits = yield* makeMailLimits
  const calendarUid = yield* makeCalendarUid
  const notices = yield* NoticeRepository

  const languageOf = (businessId: BusinessId, customerId: number | null) =>
    customerId === null
      ? Effect.succeed(null)
      : Effect.map(customers.find(businessId, CustomerId.make(customerId)), (found) =>
          Option.match(found, { onNone: () => null, onSome: ({ language }) => language })
        )

  /** Enters the email among the notices of its trip, so that it is not told again. */
  const storeNotice = Effect.fnUntraced(function* (
    businessId: BusinessId,
    email: CustomerEmailKind,
    address: string,
    { trip_id }: EmailData,
    now: DateTime.Utc
  ) {
    const kind = noticeOf[email]
    if (kind === undefined || trip_id === undefined || trip_id === null) return undefined
    return yield* notices.insert(
      businessId,
      {
        trip_id: TripId.make(trip_id),
        kind,
        party: "passenger",
        driver_id: null,
        channel: "mail",
        address,
        status: "queued",
        reason: null,
        segments: null
      },
      now
    )
  })

  const post = Effect.fnUntraced(function* (
    acting: ActingBusiness,
    kind: CustomerEmailKind,
    to: string,
    about: EmailData
  ) {
    const profile = Option.getOrUndefined(yield* profiles.find(acting.business_id))
    if (profile === undefined) return
    const { business_id, timezone } = acting
    const { business_email, business_name, email_wording, locale } = profile
    const language = yield* languageOf(business_id, about.customer_id)
    const stamp = yield* DateTime.now
    const uid = yield* calendarUid(business_id, about.reference)
    const notice = yield* storeNotice(business_id, kind, to, about, stamp)
    yield* outbox.post({
      business_id,
      ...(notice === undefined ? {} : { notice_id: notice.notice_id }),
      letter: { kind, reference: about.reference },
      names: [
        ...namedCustomer(about.customer_id === null ? null : CustomerId.make(about.customer_id)),
        ...(typeof about.trip_id === "number" ? [{ trip_id: TripId.make(about.trip_id) }] : [])
      ],
      to,
      from_name: business_name,
      reply_to: business_email,
      ...emailText(kind, email_wording, insertedWords(about, business_name, timezone), language ?? locale),
      attachments: calendarAttachments(
        { kind, stamp, timezone, uid, to, organizer: { name: business_name, email: business_email } },
        about
      )
    })
  })

  return <A, E>(
    acting: ActingBusiness,
    { about, isRequired, kind, recipientOf }: CustomerEmail<A>,
    step: Effect.Effect<A, E>
  ): Effect.Effect<A, E | UsageLimitReached> =>
    atomically(transaction, function* () {
      // Before the rows that the step locks, because the credit is taken from the business (docs/lock-order.md).
      yield* plans.lock(acting.business_id)
      // Errors of the step precede that of a missing credit.
      const result = yield* step
      const to = recipientOf(result)
      if (to === null) return result
      // A stranger who names an address must not be able to fill its mailbox.
      if (!isRequired && (yield* limits.countRecipient("booking", to)) > 0) return result
      const credit = yield* businesses.takeEmailCredit(acting.business_id)
      if (Option.isSome(credit)) yield* post(acting, kind, to, about(result))
      else if (isRequired) return yield* noEmailCredits(withoutEmail)
      return result
    })
})
