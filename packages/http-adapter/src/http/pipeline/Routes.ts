/**
 * The table of routes: resolves a request to its route once, by the segments of its path. The steps around the handlers
 * read the resolved route: caching, counting, logging, metrics, yielding, 405 and `Allow`.
 */
import type { Context } from "effect"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { basePath, type Traits, traitsOf, defaultTraits } from "@livery/contract"

/** A route: its method, its path as declared (`/trips/:id`), the names of its parameters in order, and its traits. */
export interface Route {
  readonly method: string
  readonly pattern: string
  readonly parameters: ReadonlyArray<string>
  readonly traits: Traits
}

/** A route of the contract. */
export interface ApiRoute extends Route {
  /** The statuses of its successes. */
  readonly statuses: ReadonlyArray<number>
  readonly endpoint: HttpApiEndpoint.Top
  readonly group: HttpApiGroup.Top
  readonly annotations: Context.Context<never>
}

/** A path of the API: its routes by method, and the `Allow` of a 405. */
interface KnownPath {
  readonly pattern: string
  /** The traits of its first route, used for a request with a method that the path does not have. */
  readonly traits: Traits
  readonly routes: ReadonlyMap<string, Route>
  readonly allow: string
}

/** A known path with the values of its parameters, in order and not decoded. */
interface PathMatch {
  readonly path: KnownPath
  readonly values: ReadonlyArray<string>
}

/**
 * - `resolve`: the known path that matches. It must equal its declaration in every character, except for one slash at its end.
 */
export interface Routes {
  readonly resolve: (path: string) => PathMatch | undefined
  readonly all: ReadonlyArray<Route>
}

interface Node {
  readonly literals: Map<string, Node>
  parameter: Node | undefined
  known: (KnownPath & { readonly routes: Map<string, Route>; allow: string }) | undefined
}

const makeNode = (): Node => ({ literals: new Map(), parameter: undefined, known: undefined })

const isParameter = (segment: string) => segment.startsWith(":")

const segmentsOf = (path: string) => path.slice(1).split("/")

/** The parameters of a pattern, in order. */
const parametersOf = (pattern: string) =>
  segmentsOf(pattern)
    .filter(isParameter)
    .map((segment) => segment.slice(1))

const childOf = (node: Node, segment: string): Node => {
  if (isParameter(segment)) return (node.parameter ??= makeNode())
  const child = node.literals.get(segment) ?? makeNode()
  node.literals.set(segment, child)
  return child
}

const allowOf = (methods: ReadonlyArray<string>) =>
  [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ")

const add = (root: Node, route: Route) => {
  let node = root
  for (const segment of segmentsOf(route.pattern)) node = childOf(node, segment)
  node.known ??= { pattern: route.pattern, traits: route.traits, routes: new Map(), allow: "" }
  node.known.routes.set(route.method, route)
  node.known.allow = allowOf([...node.known.routes.keys()])
}

/**
 * Finds the path below a node. A literal segment is tried before a parameter; if it leads to no route, the parameter is
 * tried.
 */
const find = (
  node: Node,
  segments: ReadonlyArray<string>,
  at: number,
  values: ReadonlyArray<string>
): PathMatch | undefined => {
  const segment = segments[at]
  if (segment === undefined) return node.known === undefined ? undefined : { path: node.known, values }
  const literal = node.literals.get(segment)
  const match = literal === undefined ? undefined : find(literal, segments, at + 1, values)
  if (match !== undefined || node.parameter === undefined || segment === "") return match
  return find(node.parameter, segments, at + 1, [...values, segment])
}

/** Whether a path can have a route. A proxy may cut it at a semicolon or a number sign, so no route has one. */
const isPath = (path: string) => path.startsWith("/") && !/[;#]/u.test(path)

/** The longest value of a parameter. */
const maxValueLength = 100

const decodedValue = (value: string): string => (value.includes("%") ? decodeURIComponent(value) : value)

/** The decoded values of a path's parameters; `undefined` if one is malformed or so long that no record can have it. */
export const decodedValues = (values: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
  if (values.some(({ length }) => length > maxValueLength)) return undefined
  try {
    return values.map(decodedValue)
  } catch {
    return undefined
  }
}

/** The table of these routes. */
export const makeRoutes = (all: ReadonlyArray<Route>): Routes => {
  const root = makeNode()
  for (const route of all) add(root, route)
  const exact = new Map<string, PathMatch>()
  for (const { parameters, pattern } of all) {
    const match = parameters.length === 0 ? find(root, segmentsOf(pattern), 0, []) : undefined
    if (match !== undefined) exact.set(pattern, match)
  }
  return {
    all,
    resolve: (path) => {
      const bare = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path
      return exact.get(bare) ?? (isPath(bare) ? find(root, segmentsOf(bare), 0, []) : undefined)
    }
  }
}

/** A route that the contract does not declare. */
export const route = (method: string, pattern: string, traits: Context.Context<never>): Route => ({
  method,
  pattern,
  parameters: parametersOf(pattern),
  traits: traitsOf(traits)
})

/** The routes of a contract. */
export const routesOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<ApiRoute> => {
  const routes: Array<ApiRoute> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, mergedAnnotations, successes }) => {
      const pattern = endpoint.path.length > 1 ? endpoint.path.replace(/\/$/u, "") : endpoint.path
      routes.push({
        ...route(endpoint.method, pattern, mergedAnnotations),
        statuses: [...successes.keys()],
        endpoint,
        group,
        annotations: mergedAnnotations
      })
    }
  })
  return routes
}

const unknownApiPath: Traits = { ...defaultTraits, cacheControl: "no-store" }

const unknownMonitoringPath: Traits = { ...defaultTraits, isPublic: false }

/** The traits of unknown paths: those of the API below its base path, and those of the routes for monitoring beside these. */
export const traitsOfUnknown = (path: string) => {
  if (path.startsWith(`${basePath}/`)) return unknownApiPath
  return /^\/+(?:health|metrics)(?![^/])/u.test(path) ? unknownMonitoringPath : defaultTraits
}
