/** Links to iCalendar feeds, and the feeds (docs/api/calendars.md). */
import { Context, DateTime, Effect, Layer, Option, Redacted } from "effect"
import { makeAuditTrail } from "../audit/AuditTrail.ts"
import { type ActingBusiness, isSuspended } from "../business/Business.ts"
import { makeBusinessTokens } from "../business/BusinessTokens.ts"
import { makeCalendarUids } from "../business/CalendarUid.ts"
import { CurrentActor } from "../kernel/CurrentActor.ts"
import { NotFound } from "../kernel/Errors.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { traced } from "../kernel/TracedFunction.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { calendarFile } from "../mail/CalendarFile.ts"
import { calendarEvent } from "./CalendarEvents.ts"
import { type CalendarOwner, calendarPeriod } from "./CalendarLink.ts"
import { CalendarRepository } from "./CalendarRepository.ts"

/** The minutes after which calendars should read a feed again. Most read it less often. */
const refreshMinutes = 15

/** What the refusal names for an owner that does not exist. */
const resources = { office: "member", driver: "driver", customer: "customer" } as const

export class Calendars extends Context.Service<Calendars>()("@livery/domain/Calendars", {
  make: Effect.gen(function* () {
    const calendars = yield* CalendarRepository
    const cryptography = yield* Cryptography
    const transaction = yield* Transaction
    const { businessOfToken, newToken } = yield* makeBusinessTokens
    const uidsOf = yield* makeCalendarUids
    const writeAudit = yield* makeAuditTrail

    const audit = Effect.fnUntraced(function* (
      action: "created" | "deleted",
      { business_id }: ActingBusiness,
      { id, kind }: CalendarOwner
    ) {
      yield* writeAudit({
        actor: yield* CurrentActor,
        action: `calendar_link.${action}`,
        subject: `${resources[kind]}:${id}`,
        businessId: business_id
      })
    })

    return {
      /**
       * Creates the token of the owner's feed, which replaces the earlier one. `NotFound` if the business has no such
       * owner. The audit log names the author.
       */
      link: traced("Calendars.link")(function* (acting: ActingBusiness, owner: CalendarOwner) {
        const { token, tokenHash } = yield* newToken("calendar", acting.business_id)
        const now = yield* DateTime.now
        return yield* atomically(transaction, function* () {
          const isStored = yield* calendars.setLink(acting.business_id, owner, tokenHash, now)
          if (!isStored) return yield* new NotFound({ resource: resources[owner.kind] })
          yield* audit("created", acting, owner)
          return Redacted.make(token)
        })
      }),

      /** Removes the owner's token, so that the feed ends at once; whether there was one. `NotFound` without such an owner. */
      unlink: traced("Calendars.unlink")(function* (acting: ActingBusiness, owner: CalendarOwner) {
        return yield* atomically(transaction, function* () {
          const isRemoved = yield* calendars.removeLink(acting.business_id, owner)
          if (isRemoved) yield* audit("deleted", acting, owner)
          else if (!(yield* calendars.hasOwner(acting.business_id, owner)))
            return yield* new NotFound({ resource: resources[owner.kind] })
          return isRemoved
        })
      }),

      /**
       * The calendar file of a token. `NotFound` if the token was replaced or removed, its driver or customer is deleted,
       * its member was removed, or the business is suspended.
       */
      feed: traced("Calendars.feed")(function* (token: Redacted.Redacted) {
        const notFound = new NotFound({ resource: "calendar" })
        const text = Redacted.value(token)
        const businessId = yield* businessOfToken("calendar", text)
        if (Option.isNone(businessId)) return yield* notFound
        const link = yield* calendars.findLink(businessId.value, yield* cryptography.sha256(text))
        if (Option.isNone(link) || isSuspended(link.value.business)) return yield* notFound
        const { business, owner } = link.value
        const period = calendarPeriod(yield* DateTime.now)
        const entries = yield* calendars.entries(business.business_id, owner, period)
        const uidOf = yield* uidsOf(business.business_id)
        const events = yield* Effect.forEach(entries, (entry) =>
          Effect.map(uidOf(entry.reference), (uid) => ({
            ...calendarEvent(entry, owner.kind, business),
            uid
          }))
        )
        return calendarFile({ events, feed: { name: business.business_name, refreshMinutes } })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Calendars, Calendars.make)
}
