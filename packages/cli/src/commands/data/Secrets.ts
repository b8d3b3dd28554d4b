/** `livery secrets …`: the secret of the installation. */
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { Conflict } from "@livery/domain"
import { EndpointSecrets, GatewaySecrets, SecretCheck } from "@livery/persistence"
import { descriptions } from "../../usage/Descriptions.ts"
import { json } from "../../usage/JsonFlag.ts"
import { Livery } from "../../composition/Composition.ts"
import { withProgress } from "../../terminal/Progress.ts"
import { refused } from "../../usage/Refusal.ts"

const endpoints = (count: number) => (count === 1 ? "1 webhook endpoint" : `${count} webhook endpoints`)

// The value that each start checks is resealed last: after an interruption, starts still accept both secrets.
const resealAll = Effect.gen(function* () {
  const endpoints = yield* withProgress("Encrypting", EndpointSecrets.reseal)
  const gateways = yield* GatewaySecrets.reseal
  yield* SecretCheck.reseal
  return { ...endpoints, gateways }
}).pipe(Effect.provide(Livery))

const reseal = Command.make(
  "reseal",
  { json },
  Effect.fn(function* ({ json: asJson }) {
    const { gateways, resealed, unreadable } = yield* resealAll
    yield* Console.log(
      asJson
        ? JSON.stringify({ resealed, unreadable })
        : `The secrets of ${endpoints(resealed)} are encrypted under LIVERY_SECRET`
    )
    if (gateways.length > 0)
      yield* Console.error(
        `The gateways for text messages of these businesses cannot be decrypted, and must be set again: ${gateways.join(", ")}`
      )
    if (unreadable.length === 0) return
    const ids = unreadable.map(({ business_id, endpoint_id }) => `${endpoint_id} (business ${business_id})`)
    return yield* refused(
      new Conflict({
        reason: `${endpoints(unreadable.length)} have a secret that neither LIVERY_SECRET nor LIVERY_SECRET_PREVIOUS decrypts: ${ids.slice(0, 10).join(", ")}${ids.length > 10 ? ", …" : ""}`
      })
    )
  })
).pipe(
  Command.withDescription(
    "Encrypt stored secrets again, under LIVERY_SECRET, so that LIVERY_SECRET_PREVIOUS can be removed a day later. The command can be repeated"
  ),
  Command.withExamples([
    {
      command: "livery secrets reseal",
      description: "After every node has been restarted with the new secret"
    }
  ])
)

export const secrets = Command.make("secrets").pipe(
  Command.withDescription(descriptions.secrets),
  Command.withSubcommands([reseal])
)
