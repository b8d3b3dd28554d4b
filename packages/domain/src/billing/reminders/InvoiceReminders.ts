/** Reminders of invoices that are due, level by level (docs/api/invoices.md). */
import { Context, DateTime, Effect, Layer } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { makeSpendEmailCredit } from "../../business/EmailCredits.ts"
import {
  ConfirmationRequired,
  Conflict,
  invalidField,
  orNotFound,
  type UsageLimitReached
} from "../../kernel/Errors.ts"
import type { InvoiceId } from "../../kernel/Ids.ts"
import { toMajor } from "../../kernel/money/Money.ts"
import { dayCount } from "../../kernel/time/Day.ts"
import { endOfDay, localDay, rfc3339 } from "../../kernel/time/WallClock.ts"
import { traced } from "../../kernel/TracedFunction.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import { namedCustomer } from "../../mail/MailMessage.ts"
import { MailOutbox } from "../../mail/MailOutbox.ts"
import { letterWordsOf, sentence } from "../../mail/words/LetterWordsOf.ts"
import { makeLockCustomer } from "../../trips/trip/CustomerReference.ts"
import { localeOf, recipientOf } from "../documents/InvoiceDescription.ts"
import { dueMinorOf, type Invoice, nameOfInvoice } from "../invoice/Invoice.ts"
import { InvoiceFactsRepository } from "../invoice/InvoiceFactsRepository.ts"
import { InvoiceRepository } from "../invoice/InvoiceRepository.ts"
import { invoiceEntry } from "../invoice/InvoiceTimeline.ts"
import { InvoiceUnitOfWork } from "../invoice/InvoiceUnitOfWork.ts"
import { PaymentPage } from "../invoice/PaymentPage.ts"
import { isLevelDue, levelDays, remindedUpTo } from "../invoice/PaymentTerms.ts"
import { type DunningLevel, feeMinorOf } from "./Dunning.ts"
import { makeChargeFee } from "./ReminderFees.ts"
import type { ReminderInput, ReminderPreview, ReminderPreviewInput, ReminderRecord } from "./ReminderInput.ts"
import { reminderText } from "./ReminderLetter.ts"
import {
  type DueInvoice,
  type DueQuery,
  type RemindingBusiness,
  ReminderRepository
} from "./ReminderRepository.ts"

const batchSize = 100

/** A level and its place, from 1. The first reminder of a business without levels has no settings. */
interface Step {
  readonly level: number
  readonly settings: DunningLevel | undefined
  readonly charges: boolean
}

export class InvoiceReminders extends Context.Service<InvoiceReminders>()("@livery/domain/InvoiceReminders", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const invoices = yield* InvoiceRepository
    const facts = yield* InvoiceFactsRepository
    const reminders = yield* ReminderRepository
    const outbox = yield* MailOutbox
    const paymentPageOf = yield* PaymentPage
    const unitOfWork = yield* InvoiceUnitOfWork
    const lockCustomer = yield* makeLockCustomer
    const chargeFee = yield* makeChargeFee
    const spendCredit = yield* makeSpendEmailCredit

    /**
     * Sends a reminder of an invoice, and charges its fee, in the open transaction. `choose` gives the step for the locked
     * invoice, or fails. The credit locks the business before the other records (docs/lock-order.md), so that two nodes send one letter.
     */
    const remindOf = Effect.fnUntraced(function* <E>(
      business: RemindingBusiness,
      invoiceId: InvoiceId,
      recipient: string | null,
      choose: (invoice: Invoice) => Effect.Effect<Step, E>
    ) {
      const { business_email, business_id, business_name, currency, timezone } = business
      const { customer_id } = yield* orNotFound("invoice")(yield* invoices.find(business_id, invoiceId))
      yield* spendCredit(business_id)
      yield* lockCustomer(business, customer_id)
      const invoice = yield* unitOfWork.lock(business, invoiceId)
      const { charges, level, settings } = yield* choose(invoice)
      const parties = yield* facts.of(invoice)
      const to = recipient ?? recipientOf(parties)
      if (to === null) return yield* invalidField("to", "required")
      const locale = localeOf(parties)
      const now = yield* DateTime.now
      const { invoice_id, number } = invoice
      const isCharged = charges && invoice.currency === currency && invoice.customer_id !== null
      const feeMinor = isCharged && settings !== undefined ? feeMinorOf(settings, currency) : 0
      const description = sentence(letterWordsOf(locale).reminderFee, { number, level: String(level) })
      const fee = feeMinor === 0 ? null : yield* chargeFee(business, invoice, feeMinor, description)
      yield* unitOfWork.commit(business, invoice, {
        ...invoice,
        reminder_level: Math.max(level, invoice.reminder_level),
        last_reminder_at: now,
        reminder_fees_minor: invoice.reminder_fees_minor + feeMinor
      })
      yield* unitOfWork.record(business, invoiceId, [
        invoiceEntry("reminded", {
          level,
          fee: toMajor({ minor: feeMinor, currency: invoice.currency }),
          fee_invoice_id: fee?.invoice_id ?? null
        })
      ])
      const due_date = invoice.due_date ?? invoice.issued_on
      if (settings !== undefined)
        yield* reminders.add({ business_id, invoice_id, due_date, days: settings.days }, now)
      const due_minor = dueMinorOf(invoice)
      const letter = reminderText(
        settings ?? {},
        {
          business_name,
          customer_name: parties.buyer?.name ?? parties.trips[0]?.customer_name ?? "",
          number,
          level,
          currency: invoice.currency,
          due_minor,
          due_date,
          days_overdue: Math.max(0, dayCount(due_date, localDay(now, timezone)) - 1),
          link: paymentPageOf?.(invoice.payment_hash) ?? null,
          fee:
            fee === null
              ? null
              : { number: fee.number, minor: feeMinor, link: paymentPageOf?.(fee.payment_hash) ?? null },
          total_minor: due_minor + (yield* reminders.openFees(business_id, invoice_id))
        },
        locale
      )
      yield* outbox.post({
        business_id,
        letter: { kind: "reminder", reference: number },
        names: namedCustomer(invoice.customer_id),
        to,
        from_name: business_name,
        reply_to: business_email,
        ...letter
      })
      return {
        invoice_id,
        level,
        email_status: "queued" as const,
        to,
        sent_at: rfc3339(now),
        fee: toMajor({ minor: feeMinor, currency: invoice.currency }),
        fee_invoice_id: fee?.invoice_id ?? null
      } satisfies ReminderRecord
    })

    /** The next level of an invoice for the sweeper. It fails if that level is not due yet, or if nothing is due on the invoice. */
    const dueStep = (business: RemindingBusiness) => (invoice: Invoice) =>
      Effect.gen(function* () {
        const { levels } = business.dunning
        const settings = levels[invoice.reminder_level]
        const isDue =
          settings !== undefined &&
          invoice.due_date !== null &&
          invoice.fee_of_invoice_id === null &&
          dueMinorOf(invoice) > 0 &&
          isLevelDue(
            { ...invoice, due_date: invoice.due_date },
            levelDays(levels, invoice.reminder_level),
            yield* DateTime.now,
            business.timezone
          )
        return isDue
          ? { level: invoice.reminder_level + 1, settings, charges: true }
          : yield* Effect.fail("not due" as const)
      })

    /** Sends the reminder of an invoice, and returns whether it was sent. An invoice without an address gets none. */
    const remindIfDue = (
      business: RemindingBusiness,
      invoiceId: InvoiceId
    ): Effect.Effect<boolean, UsageLimitReached> =>
      transaction.run(remindOf(business, invoiceId, null, dueStep(business))).pipe(
        Effect.as(true),
        Effect.catchTags({
          InvalidInput: () => Effect.succeed(false),
          NotFound: () => Effect.succeed(false)
        }),
        Effect.catchIf(
          (error) => error === "not due",
          () => Effect.succeed(false)
        )
      )

    const dueQuery = Effect.fnUntraced(function* (
      { dunning, timezone }: RemindingBusiness,
      reached: number
    ): Effect.fn.Return<DueQuery> {
      const { after, wait } = levelDays(dunning.levels, reached)
      const now = yield* DateTime.now
      return {
        reached,
        dueBy: remindedUpTo(now, timezone, after),
        remindedBefore: endOfDay(remindedUpTo(now, timezone, wait), timezone)
      }
    })

    const send = traced("InvoiceReminders.send")(function* (business: RemindingBusiness) {
      let sent = 0
      for (const reached of business.dunning.levels.keys()) {
        let after: DueInvoice | null = null
        for (;;) {
          const due: ReadonlyArray<DueInvoice> = yield* reminders.due(
            business.business_id,
            yield* dueQuery(business, reached),
            after,
            batchSize
          )
          for (const { invoice_id } of due) if (yield* remindIfDue(business, invoice_id)) sent += 1
          after = due.at(-1) ?? null
          if (due.length < batchSize) break
        }
      }
      return sent
    })

    /**
     * The next level of an invoice by hand: after the last one, the last one again without a fee. A second reminder on one day must
     * be confirmed, since two people, or two clicks, would climb two levels and charge two fees.
     */
    const stepByHand = (business: RemindingBusiness, { fee, force }: ReminderInput) =>
      Effect.fnUntraced(function* (invoice: Invoice) {
        const name = nameOfInvoice(invoice)
        const refuse = (reason: string) => Effect.fail(new Conflict({ reason: `${name} ${reason}` }))
        const {
          due_date,
          fee_of_invoice_id,
          invoice_id,
          last_reminder_at,
          number,
          reminder_level,
          sealed_at
        } = invoice
        const today = localDay(yield* DateTime.now, business.timezone)
        if (sealed_at === null) return yield* refuse("was not issued")
        if (fee_of_invoice_id !== null) return yield* refuse("is the fee of a reminder")
        if (dueMinorOf(invoice) === 0) return yield* refuse("has nothing due")
        if (due_date !== null && due_date >= today)
          return yield* refuse(`is not overdue: it is due on ${due_date}`)
        if (!force && last_reminder_at !== null && localDay(last_reminder_at, business.timezone) === today)
          return yield* new ConfirmationRequired({
            reason: `The customer was reminded of ${name} today`,
            atStake: [{ type: "invoice", invoice_id, number }]
          })
        const { levels } = business.dunning
        const level = Math.min(reminder_level + 1, Math.max(1, levels.length))
        return { level, settings: levels[level - 1], charges: fee && level > reminder_level }
      })

    return {
      /**
       * Sends the reminders of a business that are due now, and returns how many. An invoice climbs one level at a time, and
       * waits on each level for the days between it and the next one. Each reminder is sent once, also if several nodes send: the
       * email, its credit, its fee and the level are one transaction, under the lock of the business and the invoice. It
       * stops when no email credit is left; the other reminders are sent once there are credits again. An invoice
       * whose customer has no address stays on its level.
       */
      send: (business: RemindingBusiness) =>
        Effect.catchTag(send(business), "UsageLimitReached", () =>
          Effect.as(
            Effect.logInfo("reminders of invoices wait for email credits", {
              business_id: business.business_id
            }),
            0
          )
        ),

      /**
       * Sends the reminder of the next level by hand, with its fee unless `fee` is false, for one email credit. `NotFound` if the
       * invoice is absent or another business's; `Conflict` if it was not issued, is a fee, has nothing due, or is not overdue;
       * `ConfirmationRequired` without `force` if it was reminded of on the same day;
       * `InvalidInput` (`to`) without an address; `UsageLimitReached` without a credit. Nothing changes then.
       */
      remind: traced("InvoiceReminders.remind")(function* (
        acting: ActingBusiness,
        invoiceId: InvoiceId,
        input: ReminderInput
      ) {
        return yield* atomically(transaction, function* () {
          const business = { ...acting, ...(yield* reminders.settingsOf(acting.business_id)) }
          return yield* remindOf(business, invoiceId, input.to, stepByHand(business, input))
        })
      }),

      /** The letter of an invoice that is an example: in a wording, or without one in Livery's words of the language. */
      preview: traced("InvoiceReminders.preview")(
        ({ business_name, currency }: ActingBusiness, { language, wording }: ReminderPreviewInput) => {
          const example = {
            business_name,
            customer_name: "Ada Lovelace",
            number: "INV-000042",
            level: 2,
            currency: currency,
            due_minor: 12_000,
            due_date: "2026-11-01",
            days_overdue: 14,
            link: paymentPageOf?.("example") ?? null,
            fee: { number: "INV-000057", minor: 500, link: null },
            total_minor: 12_500
          }
          const wordings = wording === undefined ? {} : { [language]: wording }
          return Effect.succeed<ReminderPreview>(reminderText({ wordings }, example, language))
        }
      )
    }
  })
}) {
  static readonly layer = Layer.effect(InvoiceReminders, InvoiceReminders.make).pipe(
    Layer.provide(InvoiceUnitOfWork.layer)
  )
}
