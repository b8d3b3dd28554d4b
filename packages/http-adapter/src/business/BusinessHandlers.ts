import { DateTime, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Businesses, WallClock } from "@livery/domain"
import { Api } from "../Api.ts"
import { CurrentBusiness } from "../http/Access.ts"
import { withEtag } from "../http/Etag.ts"
import { apiVersion } from "./BusinessApi.ts"

export const BusinessHandlers = HttpApiBuilder.group(
  Api,
  "business",
  Effect.fn(function* (handlers) {
    const businesses = yield* Businesses
    return handlers.handleAll({
      ping: Effect.fnUntraced(function* () {
        const { business_id } = yield* CurrentBusiness
        return {
          ok: true,
          business_id,
          api_version: apiVersion,
          time: WallClock.rfc3339(yield* DateTime.now)
        }
      }),
      read: () => Effect.map(Effect.flatMap(CurrentBusiness, businesses.read), withEtag)
    })
  })
)
