import { Clock, Effect } from "effect"
import { Businesses, CurrentRole, rightsOf, utcOfMillis, WallClock } from "@livery/domain"
import { CurrentBusiness, apiVersion } from "@livery/contract"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { withEtag } from "../http/responses/Etag.ts"

export const BusinessHandlers = handlersOf("business", function* (handlers) {
  const businesses = yield* Businesses
  return handlers({
    ping: () =>
      Clock.clockWith((clock) =>
        Effect.map(Effect.all([CurrentBusiness, CurrentRole]), ([{ business_id }, role]) => ({
          ok: true,
          business_id,
          api_version: apiVersion,
          time: WallClock.rfc3339(utcOfMillis(clock.currentTimeMillisUnsafe())),
          role,
          rights: rightsOf(role)
        }))
      ),
    read: () => Effect.map(Effect.flatMap(CurrentBusiness, businesses.read), withEtag)
  })
})
