import { Effect } from "effect"
import { stateMachines } from "@livery/domain"
import { Api } from "../Api.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"

export const MetaHandlers = handlersOf(Api, "meta", (handlers) =>
  Effect.succeed(handlers({ stateMachines: () => Effect.succeed(stateMachines) }))
)
