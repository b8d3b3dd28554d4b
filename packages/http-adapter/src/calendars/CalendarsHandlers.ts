import { Effect, Redacted } from "effect"
import { HttpServerResponse } from "effect/http"
import { type ActingBusiness, type CalendarOwner, Calendars } from "@livery/domain"
import { basePath, CurrentBusiness, CurrentUser } from "@livery/contract"
import { hash } from "node:crypto"
import { forBusiness } from "../http/pipeline/ForBusiness.ts"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { publicUrlOf } from "../http/server/PublicUrl.ts"

export const CalendarsHandlers = handlersOf("calendars", function* (handlers) {
  const calendars = yield* Calendars

  const link = Effect.fnUntraced(function* (acting: ActingBusiness, owner: CalendarOwner) {
    const token = Redacted.value(yield* calendars.link(acting, owner))
    return { token, url: yield* publicUrlOf(`${basePath}/public/calendars/${token}/calendar.ics`) }
  })
  const unlink = (acting: ActingBusiness, owner: CalendarOwner) =>
    Effect.map(calendars.unlink(acting, owner), (deleted) => ({ deleted }))

  const ofMember = Effect.map(CurrentUser, ({ user }) => ({ kind: "office", id: user.user_id }) as const)

  return handlers({
    linkOffice: Effect.fnUntraced(function* () {
      return yield* link(yield* CurrentBusiness, yield* ofMember)
    }),
    unlinkOffice: Effect.fnUntraced(function* () {
      return yield* unlink(yield* CurrentBusiness, yield* ofMember)
    }),
    linkDriver: forBusiness((acting, { params }) => link(acting, { kind: "driver", id: params.id })),
    unlinkDriver: forBusiness((acting, { params }) => unlink(acting, { kind: "driver", id: params.id })),
    linkCustomer: forBusiness((acting, { params }) => link(acting, { kind: "customer", id: params.id })),
    unlinkCustomer: forBusiness((acting, { params }) => unlink(acting, { kind: "customer", id: params.id }))
  })
})

export const PublicCalendarsHandlers = handlersOf("publicCalendars", function* (handlers) {
  const calendars = yield* Calendars
  return handlers({
    read: Effect.fnUntraced(function* ({ params }) {
      const file = yield* calendars.feed(Redacted.make(params.token))
      return HttpServerResponse.uint8Array(file, {
        contentType: "text/calendar; charset=utf-8",
        headers: {
          "Content-Disposition": 'inline; filename="calendar.ics"',
          ETag: `"${hash("sha256", file, "base64url").slice(0, 27)}"`
        }
      })
    })
  })
})
