/** The routes of the contract, and what each declares about its callers. */
import { Api, permissionOf, type CallerKind, callerKindsOf } from "@livery/contract"
import type { Permission } from "@livery/domain"
import { HttpApi } from "effect/http-api"

/** The routes that serve anyone, uncounted. A new one has to be added here. */
export const open = new Set(["GET /health/live", "GET /health/ready"])

/** The public routes that check a credential if there is one (rule 2). */
export const optionalCredential = new Set(["POST /api/v1/auth/logout"])

/** A route of the contract, and the callers that it declares to serve. */
export interface Route {
  readonly name: string
  readonly method: string
  /** The path with its parameters, as in `/api/v1/trips/:id`. */
  readonly template: string
  /** The path with ids that no record has. */
  readonly path: string
  readonly callerKinds: ReadonlyArray<CallerKind>
  readonly permission: Permission | undefined
}

/** The routes of the contract. */
export const routes = (() => {
  const declared: Array<Route> = []
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, mergedAnnotations }) => {
      const path = endpoint.path.replace(/(?<=.)\/$/u, "")
      declared.push({
        name: `${endpoint.method} ${path}`,
        method: endpoint.method,
        template: path,
        path: path.replaceAll(/:\w+/gu, "999999999"),
        callerKinds: callerKindsOf(endpoint),
        permission: permissionOf(endpoint, mergedAnnotations)
      })
    }
  })
  return declared
})()
