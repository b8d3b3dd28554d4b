/** `livery check money`: recomputes the sums of all invoices from the ledger. */
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { Conflict, MoneyCheck, type MoneyDifference } from "@livery/domain"
import { descriptions } from "../../usage/Descriptions.ts"
import { json } from "../../usage/JsonFlag.ts"
import { Livery } from "../../composition/Composition.ts"
import { withProgress } from "../../terminal/Progress.ts"
import { refused } from "../../usage/Refusal.ts"

const lineOf = ({ business_id, computed, invoice_id, stored, what }: MoneyDifference) =>
  `Business ${business_id}, invoice ${invoice_id ?? "-"}: ${what} is ${stored}, computed ${computed}`

const money = Command.make(
  "money",
  { json },
  Effect.fn(function* ({ json: asJson }) {
    const differences = yield* withProgress("Checking", (onProgress) =>
      MoneyCheck.use((check) => check.run(onProgress))
    ).pipe(Effect.provide(Livery))
    if (asJson) yield* Console.log(JSON.stringify({ differences }))
    else
      yield* Console.log(
        differences.length === 0 ? "Every sum equals its ledger" : differences.map(lineOf).join("\n")
      )
    if (differences.length > 0)
      return yield* refused(new Conflict({ reason: `${differences.length} values differ from the ledger` }))
  })
).pipe(
  Command.withDescription(
    "Recompute the sums and the status of every invoice from its lines and its ledger, and find trips that two invoices charge. " +
      "The exit code is 1 if any value differs"
  ),
  Command.withExamples([
    { command: "livery check money --json", description: "After a restore, or by a timer" }
  ])
)

export const check = Command.make("check").pipe(
  Command.withDescription(descriptions.check),
  Command.withSubcommands([money])
)
