/** `livery demo`: adds a demonstration business with drivers, cars and a day of trips. */
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { CurrentActor, Demonstration, demonstrationName } from "@livery/domain"
import { descriptions } from "../../usage/Descriptions.ts"
import { json } from "../../usage/JsonFlag.ts"
import { actor } from "../../usage/Actor.ts"
import { Livery } from "../../composition/Composition.ts"
import { refused } from "../../usage/Refusal.ts"

export const demo = Command.make(
  "demo",
  { json },
  Effect.fn(function* ({ json: asJson }) {
    const { added, apiKey, businessId } = yield* Demonstration.use(({ day }) => day).pipe(
      Effect.provideService(CurrentActor, actor()),
      Effect.mapError(refused),
      Effect.provide(Livery)
    )
    return yield* Console.log(
      asJson
        ? JSON.stringify({ business_id: businessId, api_key: apiKey, added })
        : [
            `${demonstrationName} (business ${businessId}) has a new API key, shown only now:`,
            "",
            `  ${apiKey}`,
            "",
            `Added: ${added.drivers} drivers, ${added.cars} cars and ${added.trips} trips of today.`,
            ""
          ].join("\n")
    )
  })
).pipe(
  Command.withDescription(descriptions.demo),
  Command.withExamples([{ command: "livery demo --json", description: "With the API key as JSON" }])
)
