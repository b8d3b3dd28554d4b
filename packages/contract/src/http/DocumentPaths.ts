/**
 * Where the OpenAPI document has the routes: the document's server is the base address of the API, which ends in `/api/v1`, and
 * its paths are below that address. The few routes outside of it have a server of their own.
 */
import { basePath } from "./Contract.ts"
import { type Json, listOf, objectOf, textOf } from "../openapi/Json.ts"

/** The key in `paths` of a route, whose path is below the server's root. */
export const documentPath = (path: string): string =>
  path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path

const serverAt = (url: string): Json => ({ url: url === "" ? "/" : url })

/**
 * The servers and the paths of the document of an installation, from the paths below the server's root. `servers` has the
 * address of the installation, if it is known.
 */
export const withBaseAddress = (document: Json): Json => {
  const root = textOf(objectOf(listOf(document["servers"])[0])["url"]).replace(/\/+$/u, "")
  const paths = Object.entries(objectOf(document["paths"])).map(([path, item]) => {
    const key = documentPath(path)
    return [key, key === path ? { servers: [serverAt(root)], ...objectOf(item) } : item]
  })
  return { ...document, servers: [serverAt(`${root}${basePath}`)], paths: Object.fromEntries(paths) }
}

/** An operation of the document. */
export interface DocumentedOperation {
  /** In capitals. */
  readonly method: string
  /** The path below the server's root, as `/api/v1/trips/{id}`. */
  readonly path: string
  readonly operation: Json
}

const methods: ReadonlySet<string> = new Set(["get", "post", "put", "patch", "delete"])

/** The operations of the document, in its order. */
export const documentedOperations = (document: {
  readonly paths: Readonly<Record<string, object>>
}): ReadonlyArray<DocumentedOperation> =>
  Object.entries(document.paths).flatMap(([key, item]) => {
    const fields = objectOf(item)
    const path = fields["servers"] === undefined ? `${basePath}${key}` : key
    return Object.keys(fields)
      .filter((name) => methods.has(name))
      .map((name) => ({ method: name.toUpperCase(), path, operation: objectOf(fields[name]) }))
  })
