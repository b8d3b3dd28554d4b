import { Effect } from "effect"
import { BusinessProfiles } from "@livery/domain"
import { Api, CurrentBusiness } from "@livery/contract"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { preconditionOf, withEtag } from "../http/responses/Etag.ts"

export const SettingsHandlers = handlersOf(
  Api,
  "settings",
  Effect.fn(function* (handlers) {
    const profiles = yield* BusinessProfiles
    return handlers({
      read: () => Effect.map(Effect.flatMap(CurrentBusiness, profiles.read), withEtag),
      update: Effect.fnUntraced(function* ({ headers, payload }) {
        return withEtag(yield* profiles.update(yield* CurrentBusiness, payload, preconditionOf(headers)))
      })
    })
  })
)
