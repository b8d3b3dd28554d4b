/** A report as a CSV file, as the server writes it. */
import { apiBase } from "../../api/Api.ts"
import { Failure } from "../../api/Failure.ts"
import { accessToken } from "../../api/Session.ts"
import { member } from "../Member.ts"

/** Offers a file for download. */
export const download = (file: Blob, name: string): void => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

/** Downloads the CSV file of a report. */
export const downloadCsv = async (report: string, query: Readonly<Record<string, string>>): Promise<void> => {
  const business = member.value?.business?.business_id
  const response = await fetch(`${apiBase}/reports/${report}?${new URLSearchParams(query)}`, {
    cache: "no-store",
    headers: {
      accept: "text/csv",
      authorization: `Bearer ${(await accessToken()) ?? ""}`,
      ...(business !== undefined && { "x-business-id": String(business) })
    }
  })
  if (!response.ok) throw new Failure(response.status, "refused", response.statusText)
  download(await response.blob(), `${report}.csv`)
}
