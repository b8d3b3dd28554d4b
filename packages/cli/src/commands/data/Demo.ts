/** `livery demo`: adds a demonstration business with drivers, cars and a day of trips. */
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { CurrentActor, Demonstration, demonstrationName } from "@livery/domain"
import { descriptions } from "../../usage/Descriptions.ts"
import { json } from "../../usage/JsonFlag.ts"
import { actor } from "../../usage/Actor.ts"
import { Livery } from "../../composition/Composition.ts"
import { Settings } from "../../settings/Settings.ts"
import { refused } from "../../usage/Refusal.ts"
import { demonstrationLink } from "../serving/DemonstrationLink.ts"
import { demonstrationLines } from "../serving/Greeting.ts"
import { addressOf } from "../serving/ServerAddress.ts"

export const demo = Command.make(
  "demo",
  { json },
  Effect.fn(function* ({ json: asJson }) {
    const { added, apiKey, businessId, link } = yield* Effect.gen(function* () {
      const { host, port } = yield* Settings
      const day = yield* Demonstration.use((demonstration) => demonstration.day)
      return { ...day, link: yield* demonstrationLink(addressOf(host, port), host) }
    }).pipe(Effect.provideService(CurrentActor, actor()), Effect.mapError(refused), Effect.provide(Livery))
    return yield* Console.log(
      asJson
        ? JSON.stringify({
            business_id: businessId,
            api_key: apiKey,
            added,
            ...(link === undefined ? {} : { link })
          })
        : [
            `${demonstrationName} (business ${businessId}) has a new API key, shown only now:`,
            "",
            `  ${apiKey}`,
            "",
            `Added: ${added.drivers} drivers, ${added.cars} cars and ${added.trips} trips of today.`,
            "",
            ...(link === undefined ? [] : demonstrationLines(link))
          ].join("\n")
    )
  })
).pipe(
  Command.withDescription(descriptions.demo),
  Command.withExamples([{ command: "livery demo --json", description: "With the API key as JSON" }])
)
