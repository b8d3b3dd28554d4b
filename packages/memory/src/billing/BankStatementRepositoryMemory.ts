import {
  BankEntryId,
  BankStatementId,
  BankStatementRepository,
  type BankStatement,
  dueMinorOf
} from "@livery/domain"
import { Option } from "effect"
import { ascending, descending, pageOf } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(
  BankStatementRepository,
  ({ bankEntries, bankStatements, customers, invoices, step }) => {
    const withCounts = (statement: BankStatement): BankStatement => {
      const own = bankEntries.where(({ statement_id }) => statement_id === statement.statement_id)
      return {
        ...statement,
        entry_count: own.length,
        open_count: own.filter(({ status }) => status === "open").length
      }
    }
    return {
      insert: (statement, entries, now) =>
        step(() => {
          const { business_id, digest } = statement
          const [known] = bankStatements.where(
            (other) => other.business_id === business_id && other.digest === digest
          )
          if (known !== undefined) return withCounts(known)
          const statement_id = BankStatementId.make(bankStatements.next())
          const made = { ...statement, statement_id, entry_count: 0, open_count: 0, created_at: now }
          bankStatements.set(statement_id, made)
          const fingerprints = new Set(
            bankEntries
              .where((entry) => entry.business_id === business_id)
              .map(({ fingerprint }) => fingerprint)
          )
          for (const entry of entries) {
            if (fingerprints.has(entry.fingerprint)) continue
            const entry_id = BankEntryId.make(bankEntries.next())
            bankEntries.set(entry_id, {
              ...entry,
              entry_id,
              statement_id,
              business_id,
              remittance_id: null,
              created_at: now
            })
          }
          return withCounts(made)
        }),
      find: (businessId, statementId) =>
        step(() =>
          Option.map(
            Option.filter(
              Option.fromUndefinedOr(bankStatements.get(statementId)),
              ({ business_id }) => business_id === businessId
            ),
            withCounts
          )
        ),
      list: (businessId, page) =>
        step(() =>
          pageOf(
            bankStatements
              .where(({ business_id }) => business_id === businessId)
              .toSorted(descending(({ statement_id }) => [statement_id]))
              .map(withCounts),
            page
          )
        ),
      entries: (businessId, statementId, status, page) =>
        step(() =>
          pageOf(
            bankEntries
              .where(
                (entry) =>
                  entry.business_id === businessId &&
                  entry.statement_id === statementId &&
                  (status === undefined || entry.status === status)
              )
              .toSorted(ascending(({ entry_id }) => [entry_id])),
            page
          )
        ),
      lockEntry: (businessId, statementId, entryId) =>
        step(() =>
          Option.filter(
            Option.fromUndefinedOr(bankEntries.get(entryId)),
            ({ business_id, statement_id }) => business_id === businessId && statement_id === statementId
          )
        ),
      decide: (entry) => step(() => void bankEntries.set(entry.entry_id, entry)),
      openInvoices: (businessId, most) =>
        step(() =>
          invoices
            .where(
              ({ business_id, deleted_at, ...invoice }) =>
                business_id === businessId && deleted_at === undefined && dueMinorOf(invoice) > 0
            )
            .toSorted(descending(({ invoice_id }) => [invoice_id]))
            .slice(0, most)
            .map(({ customer_id, ...invoice }) => {
              const customer = customer_id === null ? undefined : customers.get(customer_id)
              const { currency, invoice_id, number } = invoice
              return {
                invoice_id,
                number,
                currency,
                due_minor: dueMinorOf(invoice),
                name: customer?.name ?? null,
                company: customer?.company ?? null
              }
            })
        )
    }
  }
)
