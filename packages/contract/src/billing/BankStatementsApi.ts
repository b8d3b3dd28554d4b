/** Importing bank statements, and deciding which invoices their entries pay (docs/api/payments.md#bank-statements). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  BankEntryConfirmation,
  BankEntryFilter,
  BankEntryId,
  BankEntryRecord,
  BankStatementId,
  BankStatementRecord,
  check,
  StatementColumns
} from "@livery/domain/records"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { basePath, paging, recordId, summary } from "../http/Contract.ts"
import { data, list } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"

/** A statement as a file of a form, for the documentation. The handler reads the request itself. */
const StatementFile = Schema.String.check(check<string>("invalid", () => true, { format: "binary" }))

const id = recordId(BankStatementId)
const entry = { id, entry_id: recordId(BankEntryId) }
const EntryBody = data(BankEntryRecord, "BankEntryBody")

/** The routes under `/bank-statements`. For API keys and members with a right in the area `billing`. */
export const BankStatementsApi = HttpApiGroup.make("bankStatements")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: paging,
      success: list(BankStatementRecord, "BankStatementListBody")
    }).annotateMerge(summary("The imported bank statements, the newest first")),
    HttpApiEndpoint.post("import", "/", {
      payload: Schema.Struct({ file: StatementFile, ...StatementColumns.fields }).pipe(
        HttpApiSchema.asMultipart()
      ),
      success: data(BankStatementRecord, "BankStatementBody"),
      error: wireErrors.malformed
    }).annotateMerge(
      summary(
        "Import a bank statement, camt.053 or CSV, of up to 5 MB; entries that are known are left out, and nothing is stored if any is wrong"
      )
    ),
    HttpApiEndpoint.get("entries", "/:id/entries", {
      params: { id },
      query: { ...paging, ...BankEntryFilter.fields },
      success: list(BankEntryRecord, "BankEntryListBody"),
      error: wireErrors.notFound
    }).annotateMerge(
      summary(
        "The entries of a statement, the open ones with the invoices that they may pay, the surest first"
      )
    ),
    HttpApiEndpoint.post("confirm", "/:id/entries/:entry_id/confirm", {
      params: entry,
      payload: BankEntryConfirmation,
      success: EntryBody,
      error: [wireErrors.notFound, wireErrors.conflict]
    }).annotateMerge(summary("Record the money of an entry as a payment of these invoices")),
    HttpApiEndpoint.post("ignore", "/:id/entries/:entry_id/ignore", {
      params: entry,
      success: EntryBody,
      error: [wireErrors.notFound, wireErrors.conflict]
    }).annotateMerge(summary("Say that an entry pays no invoice; it can still be confirmed"))
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("billing"))
  .prefix(`${basePath}/bank-statements`)
  .annotateMerge(OpenApi.annotations({ title: "Bank statements" }))
