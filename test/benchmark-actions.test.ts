import { assert, it } from "@effect/vitest"
import { OpenApi } from "effect/http-api"
import { Api, documentedOperations, documentPath } from "@livery/contract"
import { measuredRoutes, unmeasuredRoutes } from "../bench/api/actions/Coverage.ts"
import { coveredRoutes } from "../bench/api/lists/Coverage.ts"

/** A route with one name for all of its parameters, also for the values of those that a step names. */
const plain = (route: string) =>
  route.replaceAll(/\{\w+\}|(?<=plans\/|settings\/|versions\/)(?:1|default_plan_id)$/gu, "{id}")

/** The routes of the contract below `/api/v1`, without those that the benchmark of lists measures. */
const otherRoutes = () => {
  const listed = new Set([...coveredRoutes].map((path) => plain(`GET ${path}`)))
  return documentedOperations(OpenApi.fromApi(Api))
    .filter(({ path }) => path !== documentPath(path))
    .map(({ method, path }) => plain(`${method} ${documentPath(path)}`))
    .filter((route) => !listed.has(route))
}

it("the benchmark of actions measures every route that is no list, or says why not", () => {
  const covered = new Set([...measuredRoutes, ...Object.keys(unmeasuredRoutes)].map(plain))
  const routes = otherRoutes()
  assert.isAbove(routes.length, 100)
  assert.deepStrictEqual(
    routes.filter((route) => !covered.has(route)),
    []
  )
})
