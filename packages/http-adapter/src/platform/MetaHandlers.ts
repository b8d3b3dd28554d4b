import { Effect } from "effect"
import { stateMachines } from "@livery/domain"
import { handlersOf } from "../http/pipeline/Handlers.ts"

export const MetaHandlers = handlersOf("meta", function* (handlers) {
  return yield* Effect.succeed(handlers({ stateMachines: () => Effect.succeed(stateMachines) }))
})
