/** The figures of a business for a time (docs/api/reports.md). */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ReportName, ReportQuery, ReportRecord } from "@livery/domain/records"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { basePath, summary } from "../http/Contract.ts"
import { data } from "../http/Envelope.ts"

const recordOf = (value: unknown) => Object(value) as Readonly<Record<string, unknown>>

/** Documents the second form of the response. */
const alsoAsCsv = (operation: Record<string, unknown>): Record<string, unknown> => {
  const responses = recordOf(operation["responses"])
  const success = recordOf(responses["200"])
  return {
    ...operation,
    responses: {
      ...responses,
      200: {
        ...success,
        content: { ...recordOf(success["content"]), "text/csv": { schema: { type: "string" } } }
      }
    }
  }
}

/** The routes under `/reports`. For API keys and members with a right in the area `billing`. */
export const ReportsApi = HttpApiGroup.make("reports")
  .add(
    HttpApiEndpoint.get("read", "/:report", {
      params: { report: ReportName },
      query: ReportQuery.fields,
      success: data(ReportRecord, "ReportBody")
    })
      .annotateMerge(
        summary("The figures of a report for the days from `from` to `to`; as CSV with `Accept: text/csv`")
      )
      .annotate(OpenApi.Transform, alsoAsCsv)
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("billing"))
  .prefix(`${basePath}/reports`)
  .annotateMerge(OpenApi.annotations({ title: "Reports" }))
