/** The requests of the lists, to a small business or platform and to a large one. */
import { Agent, request as send } from "node:http"
import type { Grown } from "./Growth.ts"
import { type List, lists } from "./Lists.ts"
import { platformLists } from "./PlatformLists.ts"
import type { Platform } from "./Platforms.ts"
import { signIn } from "./SignIn.ts"

/** One connection to each server. */
export const agent = new Agent({ keepAlive: true, maxSockets: 1 })

interface Body {
  readonly data: ReadonlyArray<unknown> | { readonly events: ReadonlyArray<unknown> }
  readonly meta: { readonly pagination?: { readonly next_cursor?: string } }
}

type Headers = Readonly<Record<string, string>>

/** Asks; `took` is how long the whole response took, in milliseconds. */
export const ask = (address: string, headers: Headers, body?: object) =>
  new Promise<{ readonly took: number; readonly body: Body }>((resolve, reject) => {
    const began = performance.now()
    const method = body === undefined ? "GET" : "POST"
    const typed = body === undefined ? headers : { ...headers, "content-type": "application/json" }
    const sent = send(address, { agent, headers: typed, method }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("error", reject)
      response.on("end", () => {
        const took = performance.now() - began
        const text = Buffer.concat(chunks).toString()
        if (response.statusCode === 200 || response.statusCode === 201)
          resolve({ took, body: JSON.parse(text) as Body })
        else reject(new Error(`${address}: ${response.statusCode} ${text}`))
      })
    }).on("error", reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })

/** How many items a page has; 1 for a record. */
export const itemsIn = ({ data }: Body) => {
  if (Array.isArray(data)) return data.length
  return "events" in data ? data.events.length : 1
}

const headersOf = async (api: string, { by }: List, grown: Grown): Promise<Headers> => {
  switch (by) {
    case "business":
      return { authorization: `Bearer ${grown.key}` }
    case "on the road":
      return { authorization: `Bearer ${grown.onTheRoad.key}` }
    case "person":
    case "booked driver":
      return {
        authorization: `Bearer ${await signIn(api)}`,
        "x-business-id": String((by === "person" ? grown : grown.bookedOut).businessId)
      }
  }
}

/** A request that is sent over and over. */
export interface Prepared {
  readonly address: string
  readonly headers: Headers
}

/** A list, with its request on the small side and on the large one. */
export interface Compared {
  readonly name: string
  readonly body?: object | undefined
  readonly prepare: () => Promise<readonly [Prepared, Prepared]>
}

const prepare = async (api: string, list: List, grown: Grown): Promise<Prepared> => {
  const headers = await headersOf(api, list, grown)
  const path = list.path(grown)
  if (list.after === undefined) return { address: api + path, headers }
  const { body } = await ask(api + list.after, headers)
  const cursor = body.meta.pagination?.next_cursor
  if (cursor === undefined) throw new Error(`${list.after} has no next_cursor`)
  return { address: `${api}${path}?cursor=${cursor}`, headers }
}

/** Every list of a business on `api`, for two businesses. */
export const listsOf = (api: string, sizes: readonly [Grown, Grown]): ReadonlyArray<Compared> =>
  lists.map((list) => ({
    name: list.name,
    body: list.body,
    prepare: async () => [await prepare(api, list, sizes[0]), await prepare(api, list, sizes[1])]
  }))

/** Every list of super-admins, on two platforms. */
export const listsOfPlatforms = (platforms: readonly [Platform, Platform]): ReadonlyArray<Compared> => {
  const asAdmin = async ({ api }: Platform, name: string): Promise<Prepared> => ({
    address: api + name,
    headers: { authorization: `Bearer ${await signIn(api)}` }
  })
  return platformLists.map((name) => ({
    name,
    prepare: async () => [await asAdmin(platforms[0], name), await asAdmin(platforms[1], name)]
  }))
}
