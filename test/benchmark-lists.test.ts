import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { Api } from "@livery/contract"
import { coveredRoutes } from "../bench/api/lists/Coverage.ts"
import { ratioInterval } from "../bench/api/lists/RatioInterval.ts"

/** The routes of the contract that return pages: those whose `meta` has a `pagination`. */
const pagedRoutes = () => {
  const document = OpenApi.fromApi(Api)
  const resolved = (part: unknown): unknown => {
    const reference = Schema.is(Schema.Struct({ $ref: Schema.String }))(part) ? part.$ref : undefined
    if (reference === undefined) return part
    return reference
      .slice(2)
      .split("/")
      .reduce<unknown>((within, key) => (within as Record<string, unknown>)[key], document)
  }
  const isPaged = (operation: unknown) => {
    const at = (part: unknown, ...keys: ReadonlyArray<string>) =>
      keys.reduce<unknown>(
        (within, key) => resolved((within as Record<string, unknown> | undefined)?.[key]),
        resolved(part)
      )
    const schema = at(operation, "responses", "200", "content", "application/json", "schema")
    return at(schema, "properties", "meta", "properties", "pagination") !== undefined
  }
  return Object.entries(document.paths)
    .filter(([, methods]) => methods.get !== undefined && isPaged(methods.get))
    .map(([path]) => path)
}

it("the benchmark of lists measures every list of the contract, or says why not", () => {
  const routes = pagedRoutes()
  assert.isAbove(routes.length, 20)
  assert.deepStrictEqual(
    routes.filter((route) => !coveredRoutes.has(route)),
    []
  )
})

it("the benchmark of lists names no list that the contract does not have", () => {
  const routes = new Set(pagedRoutes())
  assert.deepStrictEqual(
    [...coveredRoutes].filter((route) => !routes.has(route)),
    []
  )
})

/** Numbers from 0 to 1, the same in each run. */
const pseudoRandom = () => {
  let state = 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** Durations with a long tail. */
const durations = (random: () => number, scale: number) =>
  Array.from({ length: 1000 }, () => scale * (1 + 0.2 / (1 - random())))

it("the benchmark of lists tells a ratio of p99 that differs by chance from one that does not", () => {
  const random = pseudoRandom()
  const [one, same, slower] = [durations(random, 1), durations(random, 1), durations(random, 3)] as const
  const [low, high] = ratioInterval(same, one, 0.99, random)
  assert.isBelow(low, 1)
  assert.isAbove(high, 1)
  assert.isAbove(ratioInterval(slower, one, 0.99, random)[0], 1.2)
})
