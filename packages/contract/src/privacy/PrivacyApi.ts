/** Erasing personal data (docs/api/privacy.md). */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  BusinessId,
  ContactErasureInput,
  CustomerId,
  DriverId,
  ErasureInput,
  ErasureRecord,
  PersonErasureInput,
  UserId
} from "@livery/domain/records"
import { BusinessAccess, inArea, SuperAdminAccess } from "../http/Access.ts"
import { basePath, callsOut, recordId, summary } from "../http/Contract.ts"
import { data } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"

const ErasureBody = data(ErasureRecord, "ErasureBody")

/** The success and the refusals of every erasure. */
const result = {
  success: ErasureBody,
  error: [
    wireErrors.notFound,
    wireErrors.conflict,
    wireErrors.confirmationRequired,
    wireErrors.filesUnavailable
  ]
} as const

const needsForce = "`force` is required while the person has open records"

/**
 * The routes that erase a business's customers, drivers and contacts. For API keys and members with a right in the area
 * `privacy`.
 */
export const PrivacyApi = HttpApiGroup.make("privacy")
  .add(
    HttpApiEndpoint.post("eraseCustomer", "/customers/:id/erase", {
      params: { id: recordId(CustomerId) },
      payload: ErasureInput,
      ...result
    }).annotateMerge(summary(`Erase a customer from all records but issued invoices; ${needsForce}`)),
    HttpApiEndpoint.post("eraseDriver", "/drivers/:id/erase", {
      params: { id: recordId(DriverId) },
      payload: ErasureInput,
      ...result
    }).annotateMerge(summary(`Erase a driver with their positions, documents and account; ${needsForce}`)),
    HttpApiEndpoint.post("eraseContact", "/persons/erase", {
      payload: ContactErasureInput,
      ...result
    }).annotateMerge(
      summary(`Erase the customer, passenger and booker with an email or a phone number; ${needsForce}`)
    )
  )
  .annotateEndpointsMerge(callsOut)
  .middleware(BusinessAccess)
  .annotateMerge(inArea("privacy"))
  .prefix(basePath)
  .annotateMerge(OpenApi.annotations({ title: "Privacy" }))

/** The routes that erase any person. For super-admins. */
export const AdminPrivacyApi = HttpApiGroup.make("adminPrivacy")
  .add(
    HttpApiEndpoint.post("erasePerson", "/businesses/:id/persons/erase", {
      params: { id: recordId(BusinessId) },
      payload: PersonErasureInput,
      ...result
    }).annotateMerge(summary("Erase a customer, a driver or a contact of a business")),
    HttpApiEndpoint.post("eraseUser", "/users/:id/erase", {
      params: { id: recordId(UserId) },
      payload: ErasureInput,
      ...result
    }).annotateMerge(summary("Erase a user's account, with sessions, devices and memberships"))
  )
  .annotateEndpointsMerge(callsOut)
  .middleware(SuperAdminAccess)
  .prefix(`${basePath}/admin`)
  .annotateMerge(OpenApi.annotations({ title: "Administration: privacy" }))
