import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { stateMachines } from "@livery/domain"
import { Api } from "../Api.ts"

export const MetaHandlers = HttpApiBuilder.group(Api, "meta", (handlers) =>
  handlers.handle("stateMachines", () => Effect.succeed(stateMachines))
)
