/** Reminders of invoices that are due (docs/api/invoices.md). */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { makeSpendEmailCredit } from "../../business/EmailCredits.ts"
import type { UsageLimitReached } from "../../kernel/Errors.ts"
import type { InvoiceId } from "../../kernel/Ids.ts"
import * as Money from "../../kernel/money/Money.ts"
import { Transaction } from "../../kernel/Transaction.ts"
import type { MailMessage } from "../../mail/MailMessage.ts"
import type { LetterWords } from "../../mail/words/LetterWords.ts"
import { letterWordsOf, sentence } from "../../mail/words/LetterWordsOf.ts"
import { MailOutbox } from "../../mail/MailOutbox.ts"
import { dueMinorOf, type Invoice } from "../invoice/Invoice.ts"
import { localeOf, recipientOf } from "../documents/InvoiceDescription.ts"
import { InvoiceFactsRepository } from "../invoice/InvoiceFactsRepository.ts"
import { InvoiceRepository } from "../invoice/InvoiceRepository.ts"
import { invoiceEntry } from "../invoice/InvoiceTimeline.ts"
import { InvoiceUnitOfWork } from "../invoice/InvoiceUnitOfWork.ts"
import { PaymentPage } from "../invoice/PaymentPage.ts"
import { reminderDue, remindedUpTo } from "../invoice/PaymentTerms.ts"
import { type RemindingBusiness, ReminderRepository } from "./ReminderRepository.ts"
import { traced } from "../../kernel/TracedFunction.ts"

const batchSize = 100

/** The email that reminds a customer of the amount due on an invoice. */
const reminderEmail = (
  invoice: Invoice,
  { business_email, business_id, business_name }: RemindingBusiness,
  to: string,
  page: string | undefined,
  words: LetterWords
): MailMessage => {
  const { currency, due_date, number } = invoice
  const amount = `${Money.format({ minor: dueMinorOf(invoice), currency })} ${currency}`
  const values = { number, amount, business_name, date: due_date ?? "", link: page ?? "" }
  return {
    business_id,
    letter: { kind: "reminder", reference: number },
    to,
    from_name: business_name,
    reply_to: business_email,
    subject: sentence(words.reminder, values),
    text: [
      sentence(words.dueSince, values),
      ...(page === undefined ? [] : ["", sentence(words.payOnline, values)]),
      "",
      words.alreadyPaid,
      "",
      business_name,
      ""
    ].join("\n")
  }
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
    const spendCredit = yield* makeSpendEmailCredit

    /** Locks the invoice and records its reminder. `None` if no reminder is due any more. */
    const lockAndRecord = Effect.fnUntraced(function* (
      { business_id, reminder_days, timezone }: RemindingBusiness,
      invoiceId: InvoiceId
    ) {
      const invoice = Option.getOrUndefined(yield* invoices.lock(business_id, invoiceId))
      if (invoice === undefined || invoice.due_date === null || dueMinorOf(invoice) === 0)
        return Option.none()
      const { due_date, invoice_id } = invoice
      const now = yield* DateTime.now
      const days = reminderDue(due_date, now, timezone, reminder_days)
      if (days === undefined) return Option.none()
      const isNew = yield* reminders.add({ business_id, invoice_id, due_date, days }, now)
      return isNew ? Option.some(invoice) : Option.none()
    })

    /** Sends the reminder of an invoice, and returns whether it was sent. */
    const remind = (
      business: RemindingBusiness,
      invoiceId: InvoiceId
    ): Effect.Effect<boolean, UsageLimitReached> =>
      transaction
        .run(
          Effect.gen(function* () {
            // The business is locked first (docs/lock-order.md). A failure gives the credit back.
            yield* spendCredit(business.business_id)
            const invoice = yield* Effect.fromOption(yield* lockAndRecord(business, invoiceId))
            const parties = yield* facts.of(invoice)
            const to = recipientOf(parties)
            if (to === null) return yield* Effect.fail("no address" as const)
            yield* unitOfWork.record(business, invoiceId, [invoiceEntry("reminded")])
            const words = letterWordsOf(localeOf(parties))
            const page = paymentPageOf?.(invoice.payment_hash)
            yield* outbox.post(reminderEmail(invoice, business, to, page, words))
            return true
          })
        )
        .pipe(
          Effect.catchIf(
            (error) => error === "no address",
            () => Effect.as(transaction.run(lockAndRecord(business, invoiceId)), false)
          ),
          Effect.catchTag("NoSuchElementError", () => Effect.succeed(false))
        )

    const send = traced("InvoiceReminders.send")(function* (business: RemindingBusiness) {
      let sent = 0
      for (const days of business.reminder_days.toSorted((one, other) => other - one)) {
        for (;;) {
          const dueBy = remindedUpTo(yield* DateTime.now, business.timezone, days)
          const due = yield* reminders.due(business.business_id, dueBy, days, batchSize)
          for (const invoiceId of due) if (yield* remind(business, invoiceId)) sent += 1
          if (due.length < batchSize) break
        }
      }
      return sent
    })

    return {
      /**
       * Sends the reminders of a business that are due now, and returns how many. Each reminder is sent once, also if
       * several nodes send: the email, its credit and the record of it are one transaction, under the lock of the
       * invoice. It stops when no email credit is left; the other reminders are sent once there are credits again. An
       * invoice whose customer has no address gets no reminder of that step, and no credit is spent.
       */
      send: (business: RemindingBusiness) =>
        Effect.catchTag(send(business), "UsageLimitReached", () =>
          Effect.as(
            Effect.logInfo("reminders of invoices wait for email credits", {
              business_id: business.business_id
            }),
            0
          )
        )
    }
  })
}) {
  static readonly layer = Layer.effect(InvoiceReminders, InvoiceReminders.make).pipe(
    Layer.provide(InvoiceUnitOfWork.layer)
  )
}
