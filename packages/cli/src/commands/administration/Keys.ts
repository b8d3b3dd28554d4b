/** `livery keys …`: API keys of businesses. */
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Administration, BusinessId, demonstrationOwner, NewKeyInput } from "@livery/domain"
import { decoded, given } from "./AdminCommand.ts"
import { descriptions } from "../../usage/Descriptions.ts"
import { json } from "../../usage/JsonFlag.ts"
import { actor } from "../../usage/Actor.ts"
import { Livery } from "../../composition/Composition.ts"
import { refused } from "../../usage/Refusal.ts"

const create = Command.make(
  "create",
  {
    email: Flag.String("email").pipe(
      Flag.withDefault(demonstrationOwner.email),
      Flag.withDescription(
        "The email of an admin of the business; by default the owner of the demonstration business"
      )
    ),
    business: Flag.Int("business").pipe(
      Flag.withSchema(BusinessId),
      Flag.optional,
      Flag.withDescription("The id of the business, if the admin has several")
    ),
    json
  },
  Effect.fn(function* ({ business, email, json: asJson }) {
    const input = yield* Effect.mapError(
      decoded(NewKeyInput, { email, ...given({ business_id: business }) }),
      refused
    )
    const key = yield* Administration.use((administration) => administration.createKey(input, actor())).pipe(
      Effect.mapError(refused),
      Effect.provide(Livery)
    )
    return yield* Console.log(
      asJson
        ? JSON.stringify(key)
        : `A new API key of ${key.business_name} (business ${key.business_id}), shown only now:\n\n  ${key.api_key}\n`
    )
  })
).pipe(
  Command.withDescription(
    "Create another API key, for example in place of a lost one. The lost key stays valid until it is deleted"
  ),
  Command.withExamples([
    {
      command: "livery keys create --email ada@example.com --business 7",
      description: "A new key of business 7"
    }
  ])
)

export const keys = Command.make("keys").pipe(
  Command.withDescription(descriptions.keys),
  Command.withSubcommands([create])
)
