/** The PDF of an invoice, and sending it (docs/api/invoices.md). */
import { Context, DateTime, Effect, Equal, Layer, Option } from "effect"
import { ActingBusiness, isSuspended } from "../../business/Business.ts"
import { noEmailCredits, makeSpendEmailCredit } from "../../business/EmailCredits.ts"
import { BusinessRepository } from "../../business/BusinessRepository.ts"
import { makeBusinessTokens } from "../../business/BusinessTokens.ts"
import { Conflict, invalidField, orNotFound } from "../../kernel/Errors.ts"
import { earlierResult, oncePerRequest } from "../../kernel/idempotency/CurrentRequestParts.ts"
import type { InvoiceId } from "../../kernel/Ids.ts"
import * as Money from "../../kernel/money/Money.ts"
import { rfc3339 } from "../../kernel/time/WallClock.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import type { LetterWords } from "../../mail/words/LetterWords.ts"
import { letterWordsOf, sentence } from "../../mail/words/LetterWordsOf.ts"
import { namedCustomer } from "../../mail/MailMessage.ts"
import { MailOutbox } from "../../mail/MailOutbox.ts"
import { makeFirstView } from "../invoice/FirstView.ts"
import { dueMinorOf, type Invoice, isDraft, sealedAt } from "../invoice/Invoice.ts"
import { invoiceDocumentOf, localeOf, recipientOf } from "./InvoiceDescription.ts"
import { type InvoiceFacts, InvoiceFactsRepository } from "../invoice/InvoiceFactsRepository.ts"
import type { RenderedInvoice } from "./InvoiceRenderer.ts"
import { requireIssued } from "../invoice/InvoiceRules.ts"
import { InvoiceRepository } from "../invoice/InvoiceRepository.ts"
import {
  asSealed,
  type InvoiceSnapshot,
  type KeptPdf,
  type SealedInvoice,
  snapshotOf
} from "../invoice/InvoiceSnapshot.ts"
import { InvoiceSnapshotRepository } from "../invoice/InvoiceSnapshotRepository.ts"
import { InvoiceUnitOfWork } from "../invoice/InvoiceUnitOfWork.ts"
import { makeKeptPdfs } from "./KeptPdfs.ts"
import { makePdfDrawing } from "./PdfDrawing.ts"
import { makeSealedOf } from "./SealedState.ts"
import { PaymentPage } from "../invoice/PaymentPage.ts"
import { traced } from "../../kernel/TracedFunction.ts"
import type { InvoiceEmailInput, InvoiceEmailRecord } from "./InvoiceEmail.ts"
import { cannotShow } from "./MissingTexts.ts"

/** A PDF and the number of its invoice. */
export interface InvoicePdf extends RenderedInvoice {
  readonly number: string
}

/** What an email seals an invoice with: the snapshot from which the PDF was drawn, and its file. */
interface Sealing {
  readonly snapshot: InvoiceSnapshot
  readonly pdf: KeptPdf
}

/** The most times that an invoice is drawn, if it changes meanwhile each time. Then the request fails. */
const maxAttempts = 3

/** The part of a request that sends the email, for requests with an idempotency key. */
const emailPart = "email"

/** The subject and the text of the email of an invoice. */
const emailTextOf = (
  { currency, due_date, number, ...invoice }: Invoice,
  { business_name }: ActingBusiness,
  message: string | null,
  page: string | undefined,
  words: LetterWords
) => {
  const due = dueMinorOf(invoice)
  const amountOf = (minor: number) => `${Money.format({ minor, currency })} ${currency}`
  const values = { number, business_name, date: due_date ?? "", link: page ?? "" }
  const toPay = due_date === null ? words.due : words.dueOn
  const open = due > 0 ? sentence(toPay, { ...values, amount: amountOf(due) }) : words.nothingDue
  return {
    subject: sentence(words.invoice, values),
    text: [
      ...(message === null ? [] : [message, ""]),
      `${sentence(words.attached, { ...values, amount: amountOf(invoice.total_minor) })} ${open}`,
      ...(page === undefined || due === 0 ? [] : ["", sentence(words.payOnline, values)]),
      "",
      business_name,
      ""
    ].join("\n")
  }
}

/**
 * No transaction is open while a PDF is drawn.
 *
 * `NotFound` if the invoice is absent or another business's.
 */
export class InvoicePdfs extends Context.Service<InvoicePdfs>()("@livery/domain/InvoicePdfs", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const businesses = yield* BusinessRepository
    const invoices = yield* InvoiceRepository
    const { businessOfToken } = yield* makeBusinessTokens
    const factsRepository = yield* InvoiceFactsRepository
    const outbox = yield* MailOutbox
    const unitOfWork = yield* InvoiceUnitOfWork
    const paymentPageOf = yield* PaymentPage
    const spendCredit = yield* makeSpendEmailCredit

    const snapshots = yield* InvoiceSnapshotRepository
    const sealedOf = yield* makeSealedOf
    const kept = yield* makeKeptPdfs
    const firstView = yield* makeFirstView
    const draw = yield* makePdfDrawing

    const drawPdf = Effect.fnUntraced(function* (timezone: string, invoice: Invoice, facts: InvoiceFacts) {
      const document = invoiceDocumentOf(invoice, facts, {
        timezone,
        paymentUrl: paymentPageOf?.(invoice.payment_hash) ?? null,
        logo: yield* draw.logoOf(facts.seller, invoice)
      })
      return yield* draw.render(document, invoice)
    })

    /** The PDF of a sealed invoice: the kept one, or the one that is drawn from its snapshot and kept from then on. */
    const pdfOfSealed = Effect.fnUntraced(function* (
      invoice: Invoice,
      { kept_pdf, snapshot }: SealedInvoice,
      keepsMissing = false
    ) {
      const earlier = kept_pdf === null ? Option.none() : yield* kept.read(kept_pdf)
      if (Option.isSome(earlier)) return earlier.value
      const drawn = yield* drawPdf(snapshot.timezone, asSealed(invoice, snapshot), snapshot)
      // Once the font is installed, the PDF shows what it lacks now.
      if (drawn.missing_characters.length > 0 && !keepsMissing) return drawn
      return yield* kept.keep(invoice, drawn, kept_pdf)
    })

    /** Fails if the PDF of an invoice lacks characters, unless the request is confirmed. */
    const requireShown = (
      timezone: string,
      invoice: Invoice,
      facts: InvoiceFacts,
      { missing_characters }: RenderedInvoice,
      force: boolean
    ) =>
      force || missing_characters.length === 0
        ? Effect.void
        : Effect.fail(
            cannotShow(
              invoiceDocumentOf(invoice, facts, { timezone, paymentUrl: null, logo: null }),
              missing_characters
            )
          )

    const pdfOf = Effect.fnUntraced(function* (acting: ActingBusiness, invoice: Invoice) {
      const sealed = yield* sealedOf(invoice)
      const rendered = yield* Option.isSome(sealed)
        ? pdfOfSealed(invoice, sealed.value)
        : drawPdf(acting.timezone, invoice, yield* factsRepository.of(invoice))
      return { ...rendered, number: isDraft(invoice) ? "draft" : invoice.number }
    })

    /** Draws and writes the PDF with which an email seals an invoice. */
    const drawToSeal = Effect.fnUntraced(function* (
      acting: ActingBusiness,
      invoice: Invoice,
      force: boolean
    ) {
      const facts = yield* factsRepository.of(invoice)
      const rendered = yield* drawPdf(acting.timezone, invoice, facts)
      yield* requireShown(acting.timezone, invoice, facts, rendered, force)
      const snapshot = snapshotOf(invoice, facts, acting.timezone)
      return { rendered, sealing: { snapshot, pdf: yield* kept.write(rendered) } }
    })

    const requireInvoice = orNotFound("invoice")

    /** Sends the PDF of an invoice, and seals it with that PDF, unless the invoice has changed since it was drawn. */
    const sendUnlessChanged = (
      acting: ActingBusiness,
      before: Invoice,
      { bytes, missing_characters }: RenderedInvoice,
      sealing: Sealing | null,
      to: string,
      facts: InvoiceFacts,
      message: string | null
    ) =>
      oncePerRequest(
        emailPart,
        atomically(transaction, function* () {
          const email_credits = yield* spendCredit(acting.business_id)
          const locked = yield* unitOfWork.lock(acting, before.invoice_id)
          const { viewed_at } = before
          if (!Equal.equals({ ...locked, viewed_at }, before)) return yield* Effect.fail("changed" as const)
          const sent_at = yield* DateTime.now
          yield* unitOfWork.commit(
            acting,
            locked,
            sealedAt({ ...locked, sent_at, email_status: "queued", email_failed_at: null }, sent_at)
          )
          if (sealing !== null) {
            const { business_id, invoice_id } = before
            const sealed = yield* snapshots.find(business_id, invoice_id)
            // The business or the customer has changed since the PDF was drawn.
            if (!Option.exists(sealed, ({ snapshot }) => Equal.equals(snapshot, sealing.snapshot)))
              return yield* Effect.fail("changed" as const)
            yield* snapshots.keepPdf(business_id, invoice_id, sealing.pdf, null)
          }
          yield* outbox.post({
            business_id: acting.business_id,
            to,
            letter: { kind: "invoice", reference: before.number },
            names: namedCustomer(before.customer_id),
            from_name: acting.business_name,
            reply_to: facts.seller.business_email,
            ...emailTextOf(
              before,
              acting,
              message,
              paymentPageOf?.(before.payment_hash),
              letterWordsOf(localeOf(facts))
            ),
            attachments: [
              { file_name: `${before.number}.pdf`, content_type: "application/pdf", content: bytes }
            ]
          })
          return {
            email_status: "queued" as const,
            to,
            sent_at: rfc3339(sent_at),
            email_credits,
            missing_characters
          }
        })
      )

    return {
      /** The PDF of an invoice. A sealed invoice gives the same bytes for ever. `PdfUnavailable` if it cannot be drawn now. */
      pdf: traced("InvoicePdfs.pdf")(function* (acting: ActingBusiness, invoiceId: InvoiceId) {
        const invoice = yield* requireInvoice(yield* invoices.find(acting.business_id, invoiceId))
        return yield* pdfOf(acting, invoice)
      }),

      /** The same PDF for the holder of the invoice's hash. As the first view, it seals the invoice. */
      pdfOfLink: traced("InvoicePdfs.pdfOfLink")(function* (hash: string) {
        const businessId = yield* requireInvoice(yield* businessOfToken("invoice", hash))
        const invoice = yield* requireInvoice(yield* invoices.findByHash(businessId, hash))
        const business = yield* requireInvoice(
          Option.filter(yield* businesses.find(businessId), (found) => !isSuspended(found))
        )
        const acting = ActingBusiness.make(business)
        return yield* pdfOf(acting, yield* firstView(acting, invoice))
      }),

      /**
       * Sends the PDF, spends one email credit, sets `sent_at` and seals the invoice, in one transaction. `InvalidInput` (`to`) if
       * neither the request nor the customer has an address, and for texts that the PDF cannot show, unless `force` is true; `Conflict` for a void invoice, and for one that changed
       * during each of {@link maxAttempts} drawings; `UsageLimitReached` if no credit is left. Nothing is sent then.
       */
      email: traced("InvoicePdfs.email")(function* (
        acting: ActingBusiness,
        invoiceId: InvoiceId,
        { force, message, to }: InvoiceEmailInput
      ) {
        const sent = yield* earlierResult<InvoiceEmailRecord>(emailPart)
        if (Option.isSome(sent)) return sent.value
        for (let round = 0; round < maxAttempts; round++) {
          const invoice = yield* requireInvoice(yield* invoices.find(acting.business_id, invoiceId))
          if (invoice.status === "void")
            return yield* new Conflict({ reason: `Invoice ${invoice.number} is void, and is not sent` })
          yield* requireIssued(invoice)
          const facts = yield* factsRepository.of(invoice)
          const sealed = yield* sealedOf(invoice)
          const recipient = to ?? recipientOf(facts)
          if (recipient === null) return yield* invalidField("to", "required")
          // An early check, so that no PDF is drawn in vain. The transaction below checks the credit again.
          const business = yield* businesses.find(acting.business_id)
          if (Option.exists(business, ({ email_credits }) => email_credits === 0))
            return yield* noEmailCredits()
          const { rendered, sealing } = Option.isSome(sealed)
            ? { rendered: yield* pdfOfSealed(invoice, sealed.value, force), sealing: null }
            : yield* drawToSeal(acting, invoice, force)
          if (Option.isSome(sealed)) {
            const { snapshot } = sealed.value
            const { timezone } = snapshot
            yield* requireShown(timezone, asSealed(invoice, snapshot), snapshot, rendered, force)
          }
          const result = yield* sendUnlessChanged(
            acting,
            invoice,
            rendered,
            sealing,
            recipient,
            facts,
            message
          ).pipe(
            // Not after a fault: the commit may have kept the PDF.
            Effect.tapError(() => (sealing === null ? Effect.void : kept.remove(sealing.pdf))),
            Effect.asSome,
            Effect.catchIf(
              (error) => error === "changed",
              () => Effect.succeedNone
            )
          )
          if (Option.isSome(result)) return result.value
        }
        return yield* new Conflict({ reason: "The invoice is being changed; send it again" })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(InvoicePdfs, InvoicePdfs.make).pipe(
    Layer.provide(InvoiceUnitOfWork.layer)
  )
}
