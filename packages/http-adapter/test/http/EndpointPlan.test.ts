import { Api } from "@livery/contract"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { plansOf } from "../../src/http/pipeline/EndpointPlan.ts"
import type { GroupHandlers } from "../../src/http/pipeline/Handlers.ts"
import { type ApiRoute, routesOf } from "../../src/http/pipeline/Routes.ts"

/** A handler for each of these routes, in groups. */
const handlersOf = (routes: ReadonlyArray<ApiRoute>): ReadonlyArray<GroupHandlers> =>
  [...Map.groupBy(routes, ({ group }) => group.identifier)].map(([group, all]) => ({
    group,
    handlers: new Map(
      all.map(({ endpoint }) => [endpoint.identifier, { handle: () => Effect.void, isRaw: false }])
    )
  }))

describe("the plans of the endpoints", () => {
  const routes = routesOf(Api)

  it("an endpoint without a handler keeps the server from starting", () => {
    assert.strictEqual(plansOf(routes, handlersOf(routes)).size, routes.length)
    const [first, ...others] = routes
    assert.throws(
      () => plansOf(routes, handlersOf(others)),
      `${first?.group.identifier}.${first?.endpoint.identifier} has no handler`
    )
  })

  it("only files, streams and the lists for trackers have no JSON encoder, and only forms are read as they arrive", () => {
    const plans = [...plansOf(routes, handlersOf(routes)).values()]
    const namesOf = (some: typeof plans) =>
      some.map(({ route: { method, pattern } }) => `${method} ${pattern.replace("/api/v1", "")}`)
    assert.sameMembers(namesOf(plans.filter(({ success }) => success === undefined)), [
      "GET /imports/:id/refused",
      "GET /invoices/:id/pdf",
      "GET /invoices/:id/credit-notes/:credit_note_id/pdf",
      "GET /public/invoices/:hash/pdf",
      "GET /invoices/:id/xrechnung",
      "GET /invoices/:id/credit-notes/:credit_note_id/xrechnung",
      "GET /exports/invoices",
      "GET /exports/credit-notes",
      "GET /exports/payments",
      "GET /exports/journal",
      "GET /public/calendars/:token/calendar.ics",
      "GET /driver/track",
      "POST /driver/track",
      "GET /trips/:id/location/stream",
      "GET /dispatch/stream",
      "GET /public/tracking/:token/stream"
    ])
    assert.sameMembers(namesOf(plans.filter(({ takes }) => takes === "form")), [
      "POST /bank-statements",
      "POST /imports",
      "POST /imports/columns",
      "POST /tariffs/:id/import",
      "POST /uploads"
    ])
  })
})
