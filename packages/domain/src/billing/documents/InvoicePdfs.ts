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
import { MailOutbox } from "../../mail/MailOutbox.ts"
import { dueMinorOf, type Invoice } from "../invoice/Invoice.ts"
import { invoiceDocumentOf, recipientOf } from "./InvoiceDescription.ts"
import { type InvoiceFacts, InvoiceFactsRepository } from "../invoice/InvoiceFactsRepository.ts"
import type { RenderedInvoice } from "./InvoiceRenderer.ts"
import { InvoiceRepository } from "../invoice/InvoiceRepository.ts"
import { InvoiceUnitOfWork } from "../invoice/InvoiceUnitOfWork.ts"
import { makePdfDrawing } from "./PdfDrawing.ts"
import { PaymentPage } from "../invoice/PaymentPage.ts"
import { traced } from "../../kernel/TracedFunction.ts"
import type { InvoiceEmailInput, InvoiceEmailRecord } from "./InvoiceEmail.ts"

/** A PDF and the number of its invoice. */
export interface InvoicePdf extends RenderedInvoice {
  readonly number: string
}

/** The most times that an invoice is drawn, if it changes meanwhile each time. Then the request fails. */
const maxAttempts = 3

/** The part of a request that sends the email, for requests with an idempotency key. */
const emailPart = "email"

/** The text of the email of an invoice. */
const emailTextOf = (
  { currency, due_date, number, ...invoice }: Invoice,
  { business_name }: ActingBusiness,
  message: string | null,
  page: string | undefined
) => {
  const due = dueMinorOf({ ...invoice })
  const amount = `${Money.format({ minor: invoice.total_minor, currency })} ${currency}`
  const open = due > 0 ? `${Money.format({ minor: due, currency })} ${currency} is due` : "Nothing is due"
  const until = due > 0 && due_date !== null ? ` on ${due_date}` : ""
  return [
    ...(message === null ? [] : [message, ""]),
    `Invoice ${number} of ${amount} is attached. ${open}${until}.`,
    ...(page === undefined || due === 0 ? [] : ["", `Pay online: ${page}`]),
    "",
    business_name,
    ""
  ].join("\n")
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

    const draw = yield* makePdfDrawing

    const drawPdf = Effect.fnUntraced(function* (
      acting: ActingBusiness,
      invoice: Invoice,
      facts: InvoiceFacts
    ) {
      const document = invoiceDocumentOf(invoice, facts, {
        timezone: acting.timezone,
        paymentUrl: paymentPageOf?.(invoice.payment_hash) ?? null,
        logo: yield* draw.logoOf(facts.seller, invoice)
      })
      return yield* draw.render(document, invoice)
    })

    const requireInvoice = orNotFound("invoice")

    /** Sends the PDF of an invoice unless the invoice has changed since it was drawn. */
    const sendUnlessChanged = (
      acting: ActingBusiness,
      before: Invoice,
      { bytes, missing_characters }: RenderedInvoice,
      to: string,
      replyTo: string,
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
          yield* unitOfWork.commit(acting, locked, { ...locked, sent_at })
          yield* outbox.post({
            business_id: acting.business_id,
            to,
            reply_to: replyTo,
            subject: `Invoice ${before.number} from ${acting.business_name}`,
            text: emailTextOf(before, acting, message, paymentPageOf?.(before.payment_hash)),
            attachments: [
              { file_name: `${before.number}.pdf`, content_type: "application/pdf", content: bytes }
            ]
          })
          return { sent: true, to, sent_at: rfc3339(sent_at), email_credits, missing_characters }
        })
      )

    return {
      /** The PDF of an invoice; the same invoice gives the same bytes. `PdfUnavailable` if it cannot be drawn now. */
      pdf: traced("InvoicePdfs.pdf")(function* (acting: ActingBusiness, invoiceId: InvoiceId) {
        const invoice = yield* requireInvoice(yield* invoices.find(acting.business_id, invoiceId))
        const rendered = yield* drawPdf(acting, invoice, yield* factsRepository.of(invoice))
        return { ...rendered, number: invoice.number }
      }),

      /** The same PDF for the holder of the invoice's hash. */
      pdfOfLink: traced("InvoicePdfs.pdfOfLink")(function* (hash: string) {
        const businessId = yield* requireInvoice(yield* businessOfToken("invoice", hash))
        const invoice = yield* requireInvoice(yield* invoices.findByHash(businessId, hash))
        const business = yield* requireInvoice(
          Option.filter(yield* businesses.find(businessId), (found) => !isSuspended(found))
        )
        const acting = ActingBusiness.make(business)
        const rendered = yield* drawPdf(acting, invoice, yield* factsRepository.of(invoice))
        return { ...rendered, number: invoice.number }
      }),

      /**
       * Sends the PDF, spends one email credit and sets `sent_at`, in one transaction. `InvalidInput` (`to`) if
       * neither the request nor the customer has an address; `Conflict` for a void invoice, and for one that changed
       * during each of {@link maxAttempts} drawings; `UsageLimitReached` if no credit is left. Nothing is sent then.
       */
      email: traced("InvoicePdfs.email")(function* (
        acting: ActingBusiness,
        invoiceId: InvoiceId,
        { message, to }: InvoiceEmailInput
      ) {
        const sent = yield* earlierResult<InvoiceEmailRecord>(emailPart)
        if (Option.isSome(sent)) return sent.value
        for (let round = 0; round < maxAttempts; round++) {
          const invoice = yield* requireInvoice(yield* invoices.find(acting.business_id, invoiceId))
          if (invoice.status === "void")
            return yield* new Conflict({ reason: `Invoice ${invoice.number} is void, and is not sent` })
          const facts = yield* factsRepository.of(invoice)
          const recipient = to ?? recipientOf(facts)
          if (recipient === null) return yield* invalidField("to", "required")
          // An early check, so that no PDF is drawn in vain. The transaction below checks the credit again.
          const business = yield* businesses.find(acting.business_id)
          if (Option.exists(business, ({ email_credits }) => email_credits === 0))
            return yield* noEmailCredits()
          const rendered = yield* drawPdf(acting, invoice, facts)
          const result = yield* sendUnlessChanged(
            acting,
            invoice,
            rendered,
            recipient,
            facts.seller.business_email,
            message
          ).pipe(
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
