import { Effect } from "effect"
import { stateMachines } from "@livery/domain"
import { Api } from "@livery/contract"
import { handlersOf } from "../http/pipeline/Handlers.ts"

export const MetaHandlers = handlersOf(Api, "meta", (handlers) =>
  Effect.succeed(handlers({ stateMachines: () => Effect.succeed(stateMachines) }))
)
