/** The statements of customers: read, as a file, and by email (docs/api/payments.md). */
import { Context, DateTime, Effect, Layer, Option, Stream } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { makeSpendEmailCredit } from "../business/EmailCredits.ts"
import { invalidField, orNotFound, refuseIssues } from "../kernel/Errors.ts"
import { oncePerRequest } from "../kernel/idempotency/CurrentRequestParts.ts"
import type { CustomerId } from "../kernel/Ids.ts"
import * as Money from "../kernel/money/Money.ts"
import { dayCountIssues } from "../kernel/time/DayRange.ts"
import { rfc3339 } from "../kernel/time/WallClock.ts"
import { traced } from "../kernel/TracedFunction.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { namedCustomer } from "../mail/MailMessage.ts"
import { MailOutbox } from "../mail/MailOutbox.ts"
import { letterWordsOf, sentence } from "../mail/words/LetterWordsOf.ts"
import { TripReferences } from "../trips/trip/TripReferences.ts"
import { makeBooks } from "./accounting/Books.ts"
import { statementCsv } from "./accounting/StatementCsv.ts"
import { localeOf } from "./documents/InvoiceDescription.ts"
import { makePdfDrawing } from "./documents/PdfDrawing.ts"
import { statementDocumentOf } from "./documents/StatementDocument.ts"
import type { StatementEmailInput } from "./documents/StatementEmail.ts"
import { InvoiceFactsRepository } from "./invoice/InvoiceFactsRepository.ts"
import {
  makeStatement,
  type StatementAccount,
  type CustomerStatementQuery,
  statementRecord
} from "./ledger/Statement.ts"

/** The most days of a statement: ten years. */
const mostDays = 3660

/** The first day of the books. */
const firstDay = "1970-01-01"

const balanceText = (accounts: ReadonlyArray<StatementAccount>) =>
  accounts
    .map(({ closing_minor, currency }) => `${Money.format({ minor: closing_minor, currency })} ${currency}`)
    .join(", ")

/** `NotFound` if the customer is absent or another business's; `InvalidInput` if the days are in the wrong order or too many. */
export class CustomerStatements extends Context.Service<CustomerStatements>()(
  "@livery/domain/CustomerStatements",
  {
    make: Effect.gen(function* () {
      const transaction = yield* Transaction
      const references = yield* TripReferences
      const facts = yield* InvoiceFactsRepository
      const outbox = yield* MailOutbox
      const books = yield* makeBooks
      const draw = yield* makePdfDrawing
      const spendCredit = yield* makeSpendEmailCredit

      const accountsOf = Effect.fnUntraced(function* (
        { business_id, currency, timezone }: ActingBusiness,
        customerId: CustomerId,
        query: CustomerStatementQuery
      ) {
        yield* refuseIssues(dayCountIssues(query, mostDays, "to"))
        yield* orNotFound("customer")(yield* references.lockCustomer(business_id, customerId))
        const statement = makeStatement(query.from, timezone, currency)
        const types = ["invoice", "void", "credit_note", "payment"] as const
        const days = { from: firstDay, to: query.to, timezone }
        yield* Stream.runForEach(books(business_id, types, days, customerId), (entry) =>
          Effect.sync(() => statement.add(entry))
        )
        return statement.result()
      })

      const drawn = Effect.fnUntraced(function* (
        acting: ActingBusiness,
        customerId: CustomerId,
        query: CustomerStatementQuery
      ) {
        const accounts = yield* accountsOf(acting, customerId, query)
        const parties = yield* facts.partiesOf(acting.business_id, customerId)
        const buyer = yield* orNotFound("customer")(Option.fromNullOr(parties.buyer))
        const logo = yield* draw.logoOf(parties.seller, acting)
        const document = statementDocumentOf(query, accounts, { seller: parties.seller, buyer }, logo)
        const { bytes } = yield* draw.renderStatement(document, acting)
        return { accounts, buyer, bytes, seller: parties.seller }
      })

      return {
        /** The statement of some days, by currency. */
        read: traced("CustomerStatements.read")(function* (
          acting: ActingBusiness,
          customerId: CustomerId,
          query: CustomerStatementQuery
        ) {
          return statementRecord(customerId, query, yield* accountsOf(acting, customerId, query))
        }),

        /** The same as separated values. */
        csv: traced("CustomerStatements.csv")(function* (
          acting: ActingBusiness,
          customerId: CustomerId,
          query: CustomerStatementQuery
        ) {
          return statementCsv(yield* accountsOf(acting, customerId, query), query)
        }),

        /** The same as a PDF in the customer's language. `PdfUnavailable` if it cannot be drawn now. */
        pdf: traced("CustomerStatements.pdf")(function* (
          acting: ActingBusiness,
          customerId: CustomerId,
          query: CustomerStatementQuery
        ) {
          return (yield* drawn(acting, customerId, query)).bytes
        }),

        /**
         * Emails the PDF for one email credit. `InvalidInput` (`email`) if neither the request nor the customer has an address;
         * `UsageLimitReached` if no credit is left. Nothing is sent then.
         */
        send: traced("CustomerStatements.send")(function* (
          acting: ActingBusiness,
          customerId: CustomerId,
          { email, message, ...query }: StatementEmailInput
        ) {
          const { accounts, buyer, bytes, seller } = yield* drawn(acting, customerId, query)
          const to = email ?? buyer.email
          if (to === null) return yield* invalidField("email", "required")
          const words = letterWordsOf(localeOf({ buyer, seller }))
          const { business_id, business_name } = acting
          const values = { business_name, ...query, amount: balanceText(accounts) }
          return yield* oncePerRequest(
            "statement email",
            atomically(transaction, function* () {
              const email_credits = yield* spendCredit(business_id)
              const sent_at = rfc3339(yield* DateTime.now)
              yield* outbox.post({
                business_id,
                letter: { kind: "statement", reference: `${query.from}/${query.to}` },
                names: namedCustomer(customerId),
                to,
                from_name: business_name,
                reply_to: seller.business_email,
                subject: sentence(words.statement, values),
                text: [
                  ...(message === null ? [] : [message, ""]),
                  sentence(words.statementAttached, values),
                  "",
                  business_name,
                  ""
                ].join("\n"),
                attachments: [
                  {
                    file_name: `statement-${query.from}-${query.to}.pdf`,
                    content_type: "application/pdf",
                    content: bytes
                  }
                ]
              })
              return { email_status: "queued" as const, email: to, sent_at, email_credits }
            })
          )
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(CustomerStatements, CustomerStatements.make)
}
