/** The messages of `livery serve` on standard output, once it listens. */
import { Console, DateTime, Effect } from "effect"
import { demonstrationName } from "@livery/domain"
import { type SandboxAccount, sandboxLines } from "./Sandbox.ts"

const addresses = (address: string) => [
  `  API             ${address}/api/v1`,
  `  Documentation   ${address}/docs`,
  `  OpenAPI         ${address}/openapi.json`
]

const booking = (address: string, apiKey: string, day: string) =>
  [
    `  curl -s ${address}/api/v1/trips \\`,
    `    -H 'Authorization: Bearer ${apiKey}' \\`,
    `    -H 'Content-Type: application/json' \\`,
    `    -d '{"trip_date":"${day}T09:30:00Z","pickup_address":"Airport, Terminal 1",` +
      `"dropoff_address":"Grand Hotel","customer_name":"Ada Lovelace","total_amount":129.5}'`
  ].join("\n")

/** The lines with a link that opens the demonstration business. */
export const demonstrationLines = (link: string) => [
  "See it at work: this link signs you in, once, within 15 minutes, on this machine:",
  "",
  `  ${link}`,
  ""
]

/**
 * The message of the first start on an empty embedded database. It shows the demonstration business's API key, which is
 * not shown again.
 */
export const firstStart = Effect.fnUntraced(function* (
  address: string,
  directory: string,
  apiKey: string,
  sandbox: SandboxAccount | undefined,
  link: string | undefined
) {
  const tomorrow = DateTime.formatIsoDateUtc(DateTime.add(yield* DateTime.now, { days: 1 }))
  yield* Console.log(
    [
      "",
      `Livery is ready. ${demonstrationName} is a business to try it with. Its API key is shown only now:`,
      "",
      `  ${apiKey}`,
      "",
      ...addresses(address),
      `  Data            ${directory}`,
      ...(sandbox === undefined ? [] : sandboxLines(sandbox)),
      "",
      ...(link === undefined ? [] : demonstrationLines(link)),
      "Book a trip:",
      "",
      booking(address, apiKey, tomorrow),
      ""
    ].join("\n")
  )
})

/** The message of each other start. */
export const laterStart = (address: string, data: string, sandbox?: SandboxAccount) =>
  Console.log(
    [
      "",
      "Livery is ready.",
      "",
      ...addresses(address),
      `  Data            ${data}`,
      ...(sandbox === undefined ? [] : sandboxLines(sandbox)),
      ""
    ].join("\n")
  )

/** The message of workers that run without the API, with the addresses of their metrics and health if they listen. */
export const workersReady = (address: string | undefined) =>
  Console.log(
    [
      "",
      "Livery's workers are ready: webhooks and mail are sent from here.",
      "",
      ...(address === undefined
        ? []
        : [`  Metrics         ${address}/metrics`, `  Health          ${address}/health/ready`, ""])
    ].join("\n")
  )
