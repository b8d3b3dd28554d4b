/** The work of the lines of each kind. */
import { Effect } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import type { LineOutcome } from "../Import.ts"
import type { ImportKind } from "../ImportKind.ts"
import { makeCustomerLines } from "./CustomerLines.ts"
import { makeCarLines, makeDriverLines } from "./FleetLines.ts"
import { makeInvoiceLines } from "./InvoiceLines.ts"
import type { Line } from "./Line.ts"
import { makeTariffLines } from "./TariffLines.ts"
import { makeTripLines } from "./TripLines.ts"

/** Stores lines of one kind in the caller's transaction, and returns the outcome of each. */
type LineWork = (
  acting: ActingBusiness,
  lines: ReadonlyArray<Line>
) => Effect.Effect<ReadonlyArray<LineOutcome>>

/** Builds the work of each kind. */
export const makeLineWork = Effect.gen(function* () {
  const work: Readonly<Record<ImportKind, LineWork>> = {
    customers: yield* makeCustomerLines,
    drivers: yield* makeDriverLines,
    cars: yield* makeCarLines,
    trips: yield* makeTripLines,
    invoices: yield* makeInvoiceLines,
    tariffs: yield* makeTariffLines
  }
  return work
})
