/** The figures of a business for a time (docs/api/reports.md). */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ReportName, ReportQuery, ReportRecord } from "@livery/domain/records"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { basePath, summary } from "../http/Contract.ts"
import { data } from "../http/Envelope.ts"
import { alsoAs } from "../http/OtherForms.ts"

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
      .annotate(OpenApi.Transform, alsoAs("text/csv"))
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("billing"))
  .prefix(`${basePath}/reports`)
  .annotateMerge(OpenApi.annotations({ title: "Reports" }))
