/** The statements of customers (docs/api/payments.md). */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  CustomerId,
  StatementEmailInput,
  StatementEmailRecord,
  CustomerStatementQuery,
  CustomerStatementRecord
} from "@livery/domain/records"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { basePath, callsOut, recordId, summary } from "../http/Contract.ts"
import { data } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { alsoAs } from "../http/OtherForms.ts"

const params = { id: recordId(CustomerId) }

/** The routes of a customer's statement. For API keys and members with a right in the area `billing`. */
export const StatementsApi = HttpApiGroup.make("statements")
  .add(
    HttpApiEndpoint.get("read", "/:id/statement", {
      params,
      query: CustomerStatementQuery.fields,
      success: data(CustomerStatementRecord, "CustomerStatementBody"),
      error: [wireErrors.notFound, wireErrors.pdfUnavailable]
    })
      .annotateMerge(callsOut)
      .annotateMerge(
        summary(
          "What a customer owed, was charged and paid on some days, with the running balance; as CSV with `Accept: text/csv`, as PDF with `Accept: application/pdf`"
        )
      )
      .annotate(OpenApi.Transform, alsoAs("text/csv", "application/pdf")),
    HttpApiEndpoint.post("send", "/:id/statement/send", {
      params,
      payload: StatementEmailInput,
      success: data(StatementEmailRecord, "StatementEmailBody"),
      error: [wireErrors.notFound, wireErrors.usageLimitReached, wireErrors.pdfUnavailable]
    })
      .annotateMerge(callsOut)
      .annotateMerge(
        summary("Email the statement as a PDF to the customer, or to another address, for one email credit")
      )
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("billing"))
  .prefix(`${basePath}/customers`)
  .annotateMerge(OpenApi.annotations({ title: "Statements" }))
