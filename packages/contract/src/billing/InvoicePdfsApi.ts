/** The PDF of an invoice, and its email (docs/api/invoices.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  InvoiceEmailInput,
  InvoiceEmailRecord,
  InvoiceId,
  ReminderInput,
  ReminderRecord
} from "@livery/domain/records"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { optionalBody } from "../http/Confirmation.ts"
import { basePath, callsOut, recordId, summary } from "../http/Contract.ts"
import { data } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { pdfResult, xRechnungResult } from "./PdfBody.ts"

const params = { id: recordId(InvoiceId) }

/**
 * The routes under `/invoices/:id` for the document: the PDF, its email to the customer, and reminders. For API keys and members
 * with a right in the area `billing`.
 */
export const InvoicePdfsApi = HttpApiGroup.make("invoicePdfs")
  .add(
    HttpApiEndpoint.get("pdf", "/:id/pdf", {
      params,
      ...pdfResult
    })
      .annotateMerge(callsOut)
      .annotateMerge(
        summary(
          "The invoice as a PDF, in Europe with an electronic copy; an unchanged invoice gives the same bytes"
        )
      ),
    HttpApiEndpoint.get("xrechnung", "/:id/xrechnung", { params, ...xRechnungResult }).annotateMerge(
      summary("The invoice as XRechnung, in the syntax UBL or CII; 422 names each field that it lacks")
    ),
    HttpApiEndpoint.post("email", "/:id/email", {
      params,
      payload: [InvoiceEmailInput, Schema.Null],
      success: data(InvoiceEmailRecord, "InvoiceEmailBody"),
      error: [
        wireErrors.notFound,
        wireErrors.conflict,
        wireErrors.usageLimitReached,
        wireErrors.pdfUnavailable
      ]
    })
      .annotateMerge(callsOut)
      .annotateMerge(optionalBody)
      .annotateMerge(summary("Email the PDF to the customer, or to another address, for one email credit")),
    HttpApiEndpoint.post("remind", "/:id/remind", {
      params,
      payload: [ReminderInput, Schema.Null],
      success: data(ReminderRecord, "ReminderBody"),
      error: [
        wireErrors.notFound,
        wireErrors.conflict,
        wireErrors.confirmationRequired,
        wireErrors.usageLimitReached
      ]
    })
      .annotateMerge(optionalBody)
      .annotateMerge(
        summary(
          "Remind the customer of an overdue invoice: the next level, with its fee, for one email credit"
        )
      )
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("billing"))
  .prefix(`${basePath}/invoices`)
  .annotateMerge(OpenApi.annotations({ title: "Invoice PDFs" }))
