import { Api } from "@livery/contract"
import { assert, describe, it } from "@effect/vitest"
import { Context } from "effect"
import { makeRoutes, route, routesOf } from "../../src/http/pipeline/Routes.ts"

const none = Context.empty()
const routes = makeRoutes([
  route("GET", "/drivers", none),
  route("GET", "/drivers/locations", none),
  route("GET", "/drivers/:id", none),
  route("PATCH", "/drivers/:id", none),
  route("GET", "/drivers/:id/availability", none),
  route("GET", "/:word/end", none)
])

const resolved = (path: string) => {
  const match = routes.resolve(path)
  return match && [match.path.pattern, ...match.values, match.path.allow]
}

describe("the table of routes", () => {
  it("resolves a path by its segments, a literal before a parameter", () => {
    assert.deepStrictEqual(resolved("/drivers"), ["/drivers", "GET, HEAD, OPTIONS"])
    assert.deepStrictEqual(resolved("/drivers/locations"), ["/drivers/locations", "GET, HEAD, OPTIONS"])
    assert.deepStrictEqual(resolved("/drivers/7"), ["/drivers/:id", "7", "GET, PATCH, HEAD, OPTIONS"])
    assert.deepStrictEqual(resolved("/drivers/end"), ["/drivers/:id", "end", "GET, PATCH, HEAD, OPTIONS"])
    assert.deepStrictEqual(resolved("/drivers/locations/availability"), [
      "/drivers/:id/availability",
      "locations",
      "GET, HEAD, OPTIONS"
    ])
    assert.deepStrictEqual(resolved("/any/end"), ["/:word/end", "any", "GET, HEAD, OPTIONS"])
  })

  it("accepts one slash at the end, and no other form of a path", () => {
    assert.strictEqual(resolved("/drivers/7/")?.[1], "7")
    for (const path of [
      "/drivers//",
      "//drivers",
      "/Drivers",
      "/drivers//7",
      "/%64rivers",
      "",
      "*",
      "drivers"
    ])
      assert.isUndefined(resolved(path), path)
  })

  it("knows every route of the contract by its own pattern", () => {
    const all = routesOf(Api)
    const table = makeRoutes(all)
    assert.isAbove(all.length, 50)
    for (const { method, pattern } of all) {
      const match = table.resolve(pattern.replaceAll(/:\w+/gu, "x"))
      assert.strictEqual(match?.path.pattern, pattern)
      assert.strictEqual(match?.path.routes.get(method)?.pattern, pattern)
    }
  })
})
