/** Importing bank statements, and deciding which invoices their entries pay (docs/api/payments.md#bank-statements). */
import { Context, DateTime, Effect, Layer } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { Conflict, InvalidInput, invalidField, orNotFound } from "../kernel/Errors.ts"
import { type BankEntryId, type BankStatementId, RemittanceId } from "../kernel/Ids.ts"
import type { PageRequest } from "../kernel/Page.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { isInFuture } from "../kernel/time/ClockTolerance.ts"
import { startOfDay } from "../kernel/time/WallClock.ts"
import { traced } from "../kernel/TracedFunction.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import {
  type BankEntryConfirmation,
  type BankEntryFilter,
  bankEntryRecord,
  bankStatementRecord,
  type NewBankEntry,
  type StatementColumns
} from "./bank/BankStatement.ts"
import { BankStatementRepository } from "./bank/BankStatementRepository.ts"
import { entriesOfCamt } from "./bank/CamtStatement.ts"
import { entriesOfCsv } from "./bank/CsvStatement.ts"
import { proposalsFor } from "./bank/Proposals.ts"
import { maxStatementEntries, type ReadStatement, refusedStatement } from "./bank/StatementFaults.ts"
import { XmlReader } from "./bank/XmlReader.ts"
import { Remittances } from "./Remittances.ts"

/** The most bytes of a file. */
export const maxStatementBytes = 5_000_000

/** The most invoices that proposals consider: more than a business has open at once. */
const maxOpenInvoices = 5000

export class BankStatements extends Context.Service<BankStatements>()("@livery/domain/BankStatements", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const statements = yield* BankStatementRepository
    const remittances = yield* Remittances
    const xml = yield* XmlReader
    const { sha256 } = yield* Cryptography

    const readXml = (text: string) =>
      xml.read(text).pipe(
        Effect.map(entriesOfCamt),
        Effect.mapError(({ line, reason }) =>
          refusedStatement([{ field: `lines.${line}`, issue: "invalid", reason: `line ${line}: ${reason}` }])
        )
      )

    /**
     * The entries with what identifies each: the bank's reference, or else all that the file says. Equal entries of one file are
     * different payments, so that their order counts.
     */
    const identified = Effect.fnUntraced(function* ({ account, entries }: ReadStatement) {
      const seen = new Map<string, number>()
      const all: Array<NewBankEntry> = []
      for (const entry of entries) {
        const { amount_minor, bank_reference, booked_on, currency, direction } = entry
        const rest = [booked_on, entry.payer_name, entry.text, entry.structured_reference]
        const key = JSON.stringify([
          account,
          direction,
          amount_minor,
          currency,
          ...(bank_reference === null ? rest : [bank_reference])
        ])
        const before = seen.get(key) ?? 0
        seen.set(key, before + 1)
        const fingerprint = yield* sha256(`${key} ${before}`)
        all.push({ ...entry, status: direction === "credit" ? "open" : "ignored", fingerprint })
      }
      return all
    })

    /** The credit of a statement that is locked, unless it is confirmed. */
    const lockUndecided = Effect.fnUntraced(function* (
      { business_id }: ActingBusiness,
      statementId: BankStatementId,
      entryId: BankEntryId
    ) {
      const entry = yield* orNotFound("bank_statement_entry")(
        yield* statements.lockEntry(business_id, statementId, entryId)
      )
      if (entry.direction === "debit")
        return yield* new Conflict({ reason: "The entry is a debit: it pays no invoice" })
      if (entry.status === "confirmed")
        return yield* new Conflict({ reason: "The entry is confirmed: reverse its payments instead" })
      return entry
    })

    return {
      /**
       * Stores the entries of a file, `camt.053` or CSV, that the business does not have yet. The same file again changes nothing.
       * `InvalidInput` names every wrong line or entry, and then nothing is stored.
       */
      importFile: traced("BankStatements.importFile")(function* (
        { business_id, currency }: ActingBusiness,
        file: string,
        columns: StatementColumns
      ) {
        const text = file.replace(/^\uFEFF/u, "")
        const isXml = text.trimStart().startsWith("<")
        const read = isXml ? yield* readXml(text.trimStart()) : yield* entriesOfCsv(text, columns, currency)
        if (read.faults.length > 0) return yield* refusedStatement(read.faults)
        if (read.entries.length === 0)
          return yield* refusedStatement([
            { field: "file", issue: "required", reason: "The file has no booked entries" }
          ])
        if (read.entries.length > maxStatementEntries) return yield* invalidField("file", "too_long")
        const digest = yield* sha256(JSON.stringify([text, isXml ? null : columns]))
        const entries = yield* identified(read)
        return yield* atomically(transaction, function* () {
          const statement = {
            business_id,
            format: isXml ? ("camt.053" as const) : ("csv" as const),
            account: read.account,
            digest,
            read_count: entries.length
          }
          return bankStatementRecord(yield* statements.insert(statement, entries, yield* DateTime.now))
        })
      }),

      /** The statements of a business, the newest first. */
      list: traced("BankStatements.list")(function* ({ business_id }: ActingBusiness, page: PageRequest) {
        const found = yield* statements.list(business_id, page)
        return { ...found, items: found.items.map((statement) => bankStatementRecord(statement)) }
      }),

      /** The entries of a statement in the order of its file, the open ones with the invoices that they may pay. */
      entries: traced("BankStatements.entries")(function* (
        { business_id }: ActingBusiness,
        statementId: BankStatementId,
        { status }: BankEntryFilter,
        page: PageRequest
      ) {
        yield* orNotFound("bank_statement")(yield* statements.find(business_id, statementId))
        const found = yield* statements.entries(business_id, statementId, status, page)
        const isOpen = found.items.some((entry) => entry.status === "open")
        const invoices = isOpen ? yield* statements.openInvoices(business_id, maxOpenInvoices) : []
        const proposals = proposalsFor(found.items, invoices)
        return {
          ...found,
          items: found.items.map((entry, index) => bankEntryRecord(entry, proposals[index] ?? []))
        }
      }),

      /**
       * Records the money of an entry as a payment of these invoices. An ignored entry can still be confirmed; `Conflict` for one that is
       * confirmed, and for a debit. `InvalidInput` before the day of the entry: banks date entries of a weekend on the next working day.
       */
      confirm: traced("BankStatements.confirm")(function* (
        acting: ActingBusiness,
        statementId: BankStatementId,
        entryId: BankEntryId,
        { allocations }: BankEntryConfirmation
      ) {
        return yield* atomically(transaction, function* () {
          const entry = yield* lockUndecided(acting, statementId, entryId)
          const { bank_reference, booked_on, currency, structured_reference, text } = entry
          if (isInFuture(startOfDay(booked_on, acting.timezone), yield* DateTime.now))
            return yield* new InvalidInput({
              issues: [{ field: "booked_on", issue: "out_of_range" }],
              advice: `The entry is dated ${booked_on}, in the future: confirm it on that day or later`
            })
          const { amount } = bankEntryRecord(entry, [])
          const remittance = yield* remittances.record(acting, {
            customer_id: null,
            amount,
            currency,
            method: "bank_transfer",
            received_on: booked_on,
            reference: (structured_reference ?? text ?? bank_reference)?.slice(0, 200) ?? null,
            allocations
          })
          const confirmed = {
            ...entry,
            status: "confirmed" as const,
            remittance_id: RemittanceId.make(remittance.remittance_id)
          }
          yield* statements.decide(confirmed)
          return bankEntryRecord(confirmed, [])
        })
      }),

      /** Says that an entry pays no invoice. */
      ignore: traced("BankStatements.ignore")(function* (
        acting: ActingBusiness,
        statementId: BankStatementId,
        entryId: BankEntryId
      ) {
        return yield* atomically(transaction, function* () {
          const entry = yield* lockUndecided(acting, statementId, entryId)
          const ignored = { ...entry, status: "ignored" as const }
          yield* statements.decide(ignored)
          return bankEntryRecord(ignored, [])
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(BankStatements, BankStatements.make)
}
