/** The public exports of this module. */
export * from "./Report.ts"
export * from "./ReportRepository.ts"
export * from "./Reports.ts"
