/** Money that pays several invoices, and the credit of customers (docs/api/payments.md). */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  CustomerCreditRecord,
  CustomerId,
  RemittanceId,
  RemittanceInput,
  RemittanceRecord
} from "@livery/domain/records"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { basePath, created, paging, recordId, summary } from "../http/Contract.ts"
import { data, list } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { tagged } from "../http/SafeEdits.ts"

const RemittanceBody = data(RemittanceRecord, "RemittanceBody")

/** The routes under `/payments`, and the credit of a customer. For API keys and members with a right in the area `billing`. */
export const RemittancesApi = HttpApiGroup.make("remittances")
  .add(
    HttpApiEndpoint.get("list", "/payments", {
      query: paging,
      success: list(RemittanceRecord, "RemittanceListBody")
    }).annotateMerge(summary("Money that was received for several invoices at once, the newest first")),
    HttpApiEndpoint.post("create", "/payments", {
      payload: RemittanceInput,
      success: RemittanceBody.pipe(created),
      error: wireErrors.conflict
    }).annotateMerge(
      summary("Record money that pays one or several invoices; the rest is credit of the customer")
    ),
    HttpApiEndpoint.get("read", "/payments/:id", {
      params: { id: recordId(RemittanceId) },
      success: tagged(RemittanceBody),
      error: wireErrors.notFound
    }).annotateMerge(summary("Money that was received at once, with the entries that it made")),
    HttpApiEndpoint.get("credit", "/customers/:id/credit", {
      params: { id: recordId(CustomerId) },
      success: tagged(data(CustomerCreditRecord, "CustomerCreditBody")),
      error: wireErrors.notFound
    }).annotateMerge(summary("The credit of a customer in each currency, with the invoices that received it"))
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("billing"))
  .prefix(basePath)
  .annotateMerge(OpenApi.annotations({ title: "Payments" }))
