/**
 * Livery's domain, for the HTTP adapter, the command line and programs that embed it.
 *
 * Use cases (`Trips`, `Registration`, …) are Effect services with a `layer`. Their layers require ports, which are Effect
 * services too (`TripRepository`, `Cryptography`, …).
 *
 * Each module lists its public exports in an `index.ts` of its own.
 */
export * from "./kernel/index.ts"
export * from "./configuration/index.ts"
export * from "./audit/index.ts"
export * from "./billing/index.ts"
export * from "./business/index.ts"
export * from "./events/index.ts"
export * from "./mail/index.ts"
export * from "./identity/index.ts"
export * from "./trips/index.ts"
export * from "./uploads/index.ts"
export * from "./fleet/index.ts"
export * from "./tracking/index.ts"
export * from "./flights/index.ts"
export * from "./webhooks/index.ts"
export * from "./customers/index.ts"
export * from "./driving/index.ts"
export * from "./fares/index.ts"
export * from "./planning/index.ts"
export * from "./routing/index.ts"
export * from "./staff/index.ts"
export * from "./calendars/index.ts"
export * from "./sales/index.ts"
export * from "./settings/index.ts"
export * from "./notices/index.ts"
export * from "./reports/index.ts"
export * from "./privacy/index.ts"
export * from "./platform/index.ts"
export * from "./administration/index.ts"
export * from "./UseCases.ts"
