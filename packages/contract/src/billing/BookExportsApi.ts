/** The books of a business for its adviser (docs/billing/exports.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BookFileQuery, TaxReport, TaxReportQuery } from "@livery/domain/records"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { basePath, summary } from "../http/Contract.ts"
import { data } from "../http/Envelope.ts"

const file = {
  query: BookFileQuery.fields,
  success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "text/csv" }))
}

/**
 * The routes of exports and of the report of taxes. For API keys and members with a right in the area `billing`.
 */
export const BookExportsApi = HttpApiGroup.make("bookExports")
  .add(
    HttpApiEndpoint.get("invoices", "/exports/invoices", file).annotateMerge(
      summary("The invoices of some days as a file: CSV, DATEV, QuickBooks or Xero")
    ),
    HttpApiEndpoint.get("creditNotes", "/exports/credit-notes", file).annotateMerge(
      summary("The credit notes of some days as a file: CSV, DATEV, QuickBooks or Xero")
    ),
    HttpApiEndpoint.get("payments", "/exports/payments", file).annotateMerge(
      summary("The payments and refunds of some days as a file: CSV, DATEV or QuickBooks")
    ),
    HttpApiEndpoint.get("journal", "/exports/journal", file).annotateMerge(
      summary("The postings of some days, of all of these, as a file: CSV, DATEV or QuickBooks")
    )
  )
  .add(
    HttpApiEndpoint.get("taxes", "/reports/tax", {
      query: TaxReportQuery.fields,
      success: data(TaxReport, "TaxReportBody")
    }).annotateMerge(
      summary(
        "The tax of the invoices and credit notes of some days, by period, country of the customer and rate"
      )
    )
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("billing"))
  .prefix(basePath)
  .annotateMerge(OpenApi.annotations({ title: "Exports" }))
