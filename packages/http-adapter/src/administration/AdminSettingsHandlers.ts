import { AdminSettings } from "@livery/domain"
import { handlersOf } from "../http/pipeline/Handlers.ts"

export const AdminSettingsHandlers = handlersOf("adminSettings", function* (handlers) {
  const settings = yield* AdminSettings
  return handlers({
    list: () => settings.list,
    set: ({ params, payload }) => settings.set(params.key, payload)
  })
})
