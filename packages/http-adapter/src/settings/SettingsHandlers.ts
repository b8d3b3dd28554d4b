import { Effect } from "effect"
import { BusinessProfiles } from "@livery/domain"
import { CurrentBusiness } from "@livery/contract"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { preconditionOf, withEtag } from "../http/responses/Etag.ts"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"

export const SettingsHandlers = handlersOf("settings", function* (handlers) {
  const profiles = yield* BusinessProfiles
  return handlers({
    read: () => Effect.map(Effect.flatMap(CurrentBusiness, profiles.read), withEtag),
    update: forBusiness((acting, { headers, payload }) =>
      Effect.map(profiles.update(acting, payload, preconditionOf(headers)), withEtag)
    )
  })
})
