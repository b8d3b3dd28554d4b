import { Effect } from "effect"
import { AdminSettings } from "@livery/domain"
import { Api } from "@livery/contract"
import { handlersOf } from "../http/pipeline/Handlers.ts"

export const AdminSettingsHandlers = handlersOf(
  Api,
  "adminSettings",
  Effect.fn(function* (handlers) {
    const settings = yield* AdminSettings
    return handlers({
      list: () => settings.list,
      set: ({ params, payload }) => settings.set(params.key, payload)
    })
  })
)
