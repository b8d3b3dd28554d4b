import { Clock, Effect } from "effect"
import { Businesses, utcOfMillis, WallClock } from "@livery/domain"
import { Api } from "../Api.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { CurrentBusiness } from "../http/contract/Access.ts"
import { withEtag } from "../http/responses/Etag.ts"
import { apiVersion } from "./BusinessApi.ts"

export const BusinessHandlers = handlersOf(
  Api,
  "business",
  Effect.fn(function* (handlers) {
    const businesses = yield* Businesses
    return handlers({
      ping: () =>
        Clock.clockWith((clock) =>
          Effect.map(CurrentBusiness, ({ business_id }) => ({
            ok: true,
            business_id,
            api_version: apiVersion,
            time: WallClock.rfc3339(utcOfMillis(clock.currentTimeMillisUnsafe()))
          }))
        ),
      read: () => Effect.map(Effect.flatMap(CurrentBusiness, businesses.read), withEtag)
    })
  })
)
