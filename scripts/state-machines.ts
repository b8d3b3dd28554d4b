/**
 * Draws the transition tables of the domain in `docs/state-machines.md`:
 *
 *     node --conditions=@livery/source scripts/state-machines.ts
 */
import { stateMachines, type StateMachineRecord } from "@livery/domain"
import { writeFileSync } from "node:fs"
import { join } from "node:path"

/** The path of the document. */
export const documentPath = join(import.meta.dirname, "..", "docs", "state-machines.md")

const titles: Readonly<Record<string, string>> = {
  trip: "Trip",
  quote: "Quote",
  booking: "Booking",
  assignment: "Assignment: one driver's part in a trip",
  invoice: "Invoice",
  endpoint: "Webhook endpoint",
  delivery: "Delivery of a webhook",
  business: "Business: A active, D suspended"
}

const diagram = ({ initial, terminal, transitions }: StateMachineRecord) => [
  "```mermaid",
  "stateDiagram-v2",
  ...initial.map((state) => `    [*] --> ${state}`),
  ...transitions.map(({ from, movers, to }) => `    ${from} --> ${to}: ${movers.join(", ")}`),
  ...terminal.map((state) => `    ${state} --> [*]`),
  "```"
]

/** The whole document. */
export const drawing = [
  "# State machines",
  "",
  "Generated from the transition tables by `node --conditions=@livery/source scripts/state-machines.ts`; a test fails if",
  "this page and the tables differ. `GET /api/v1/meta/state-machines` returns the same. An arrow names the callers that may",
  "cause the move; any other move is 422 `illegal_transition`. A report of an operator for a driver moves the trip as the",
  "driver's own report does.",
  ...stateMachines.flatMap((machine) => [
    "",
    `## ${titles[machine.name] ?? machine.name}`,
    "",
    ...diagram(machine)
  ]),
  ""
].join("\n")

if (import.meta.main) writeFileSync(documentPath, drawing)
