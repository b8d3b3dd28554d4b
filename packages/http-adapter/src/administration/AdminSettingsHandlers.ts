import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { AdminSettings } from "@livery/domain"
import { Api } from "../Api.ts"

export const AdminSettingsHandlers = HttpApiBuilder.group(
  Api,
  "adminSettings",
  Effect.fn(function* (handlers) {
    const settings = yield* AdminSettings
    return handlers.handleAll({
      list: () => settings.list,
      set: ({ params, payload }) => settings.set(params.key, payload)
    })
  })
)
