/** The pay of drivers (docs/api/fares.md). */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  DriverId,
  DriverPayChanges,
  DriverTermsRecord,
  StatementQuery,
  StatementRecord
} from "@livery/domain/records"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { basePath, recordId, summary } from "../http/Contract.ts"
import { data } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { ifMatch, tagged } from "../http/SafeEdits.ts"

const id = recordId(DriverId)

const TermsBody = data(DriverTermsRecord, "DriverPayBody")

/**
 * The routes under `/drivers/:id` for pay: the schemes of a driver, and the statement of a period. For API keys and
 * members with a right in the area `pay`.
 */
export const DriverPayApi = HttpApiGroup.make("driverPay")
  .add(
    HttpApiEndpoint.get("read", "/:id/pay", {
      params: { id },
      success: tagged(TermsBody),
      error: wireErrors.notFound
    }).annotateMerge(summary("The schemes by which a driver is paid")),
    HttpApiEndpoint.patch("update", "/:id/pay", {
      params: { id },
      headers: ifMatch,
      payload: DriverPayChanges,
      success: tagged(TermsBody),
      error: [wireErrors.notFound, wireErrors.conflict]
    }).annotateMerge(summary("Replace the schemes by which a driver is paid, each valid from a day on")),
    HttpApiEndpoint.get("statement", "/:id/statement", {
      params: { id },
      query: StatementQuery.fields,
      success: data(StatementRecord, "DriverStatementBody"),
      error: wireErrors.notFound
    }).annotateMerge(
      summary("The pay of a driver for the completed trips of some days, at most 92, with totals by currency")
    )
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("pay"))
  .prefix(`${basePath}/drivers`)
  .annotateMerge(OpenApi.annotations({ title: "Drivers' pay" }))
