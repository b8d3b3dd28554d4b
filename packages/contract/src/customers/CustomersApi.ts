/** Customers and their history (docs/api/customers.md). */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  bulkOf,
  CustomerChanges,
  CustomerFilter,
  CustomerId,
  CustomerInput,
  CustomerRecord,
  DeletionResult,
  InvoiceRecord,
  TripRecord
} from "@livery/domain/records"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { basePath, created, paging, recordId, summary } from "../http/Contract.ts"
import { bulkResults } from "../http/Bulk.ts"
import { data, list } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { confirmationPayload, optionalBody } from "../http/Confirmation.ts"
import { ifMatch, tagged } from "../http/SafeEdits.ts"

const id = recordId(CustomerId)

const CustomerBody = data(CustomerRecord, "CustomerBody")

/**
 * The routes under `/customers`: customers with their trips and invoices. For API keys and members with a right in the
 * area `customers`.
 */
export const CustomersApi = HttpApiGroup.make("customers")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...paging, ...CustomerFilter.fields },
      success: list(CustomerRecord, "CustomerListBody")
    }).annotateMerge(
      summary("The business's customers by name; `search` looks in names, emails and phone numbers")
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: CustomerInput,
      success: CustomerBody.pipe(created),
      error: wireErrors.emailExists
    }).annotateMerge(summary("Add a customer, and link earlier trips with the same email to them")),
    HttpApiEndpoint.post("createMany", "/bulk", {
      payload: bulkOf(CustomerInput),
      success: bulkResults(CustomerRecord, "CustomersMadeBody")
    }).annotateMerge(
      summary(
        "Add up to 500 customers, each by itself or all or nothing; the response has one result for each, in order"
      )
    ),
    HttpApiEndpoint.get("read", "/:id", {
      params: { id },
      success: tagged(CustomerBody),
      error: wireErrors.notFound
    }).annotateMerge(summary("One customer")),
    HttpApiEndpoint.patch("update", "/:id", {
      params: { id },
      headers: ifMatch,
      payload: CustomerChanges,
      success: tagged(CustomerBody),
      error: [wireErrors.notFound, wireErrors.conflict, wireErrors.emailExists]
    }).annotateMerge(summary("Change a customer")),
    HttpApiEndpoint.delete("remove", "/:id", {
      params: { id },
      headers: ifMatch,
      payload: confirmationPayload,
      success: tagged(data(DeletionResult, "CustomerDeletedBody")),
      error: [wireErrors.notFound, wireErrors.conflict, wireErrors.confirmationRequired]
    })
      .annotateMerge(
        summary("Delete a customer; if there are open trips, `force` is required and unlinks them")
      )
      .annotateMerge(optionalBody),
    HttpApiEndpoint.get("trips", "/:id/trips", {
      params: { id },
      query: paging,
      success: list(TripRecord, "CustomerTripListBody"),
      error: wireErrors.notFound
    }).annotateMerge(summary("A customer's trips, the latest first")),
    HttpApiEndpoint.get("invoices", "/:id/invoices", {
      params: { id },
      query: paging,
      success: list(InvoiceRecord, "CustomerInvoiceListBody"),
      error: wireErrors.notFound
    }).annotateMerge(summary("A customer's invoices, the newest first"))
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("customers"))
  .prefix(`${basePath}/customers`)
  .annotateMerge(OpenApi.annotations({ title: "Customers" }))
