/** Makes the client: the methods of the table, over one sender. */
import type { Call, CallOptions, Full, List, Page, PagePagination, Query } from "./Calls.ts"
import { eventStream } from "./EventStream.ts"
import { table } from "./generated/Table.ts"
import type { Operations } from "./generated/Types.ts"
import { type ApiRequest, makeSender, type RequestSettings, type Sender } from "./Requests.ts"

/** The options of a client. */
export interface LiveryOptions extends RequestSettings {}

/** The client of a Livery server: `client.trips.create(input)`, one method for each operation. */
export interface Livery extends Operations {
  /**
   * Sends a request that has no method of its own, for example of a newer server. `path` is below the base address.
   * POST requests get an `Idempotency-Key`.
   */
  request<A = unknown>(
    method: string,
    path: string,
    options?: CallOptions & { readonly query?: Query; readonly body?: unknown }
  ): Call<A>
}

/** Whether a call asks for another form than JSON, such as `headers: { accept: "text/csv" }`. Its result is a `Blob` then. */
const wantsFile = (options?: CallOptions): boolean => {
  const headers = Object.entries(options?.headers ?? {})
  const accept = headers.find(([name]) => name.toLowerCase() === "accept")?.[1]
  return accept !== undefined && !accept.includes("json")
}

/** The parameters and the fields of the body; of one operation, the body is a list. */
type Input = Readonly<Record<string, unknown>>

const methods: Readonly<Record<string, string>> = { G: "GET", P: "POST", M: "PATCH", D: "DELETE" }

const formOf = (fields: object) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}

const callOf = <A>(full: Promise<Full<A>>): Call<A> => {
  const data = full.then((it) => it.data)
  return Object.assign(data, {
    withResponse: () => {
      // The rejection is the caller's that asked for the response.
      data.catch(() => {})
      return full
    }
  })
}

const pageOf = async <A>(sender: Sender, request: ApiRequest, options?: CallOptions): Promise<Page<A>> => {
  const full = await sender.json<A[]>(request, options)
  const { pagination } = full.meta as unknown as {
    readonly pagination: PagePagination & { next_after?: string }
  }
  const next = async () => {
    const { has_more, next_after, next_cursor, page } = pagination
    if (!has_more) return undefined
    const { page: _, ...query } = request.query ?? {}
    const position = next_after
      ? { after: next_after }
      : next_cursor
        ? { cursor: next_cursor }
        : { page: page + 1 }
    return pageOf<A>(sender, { ...request, query: { ...query, ...position } }, options)
  }
  return { ...full, next } as Page<A>
}

const listOf = <A>(sender: Sender, request: ApiRequest, options?: CallOptions): List<A> => ({
  page: () => pageOf(sender, request, options),
  csv: () =>
    sender.send(
      request,
      { ...options, headers: { ...options?.headers, accept: "text/csv" } },
      async (response) => response.blob()
    ),
  async *[Symbol.asyncIterator]() {
    for (let page: Page<A> | undefined = await this.page(); page; page = await page.next()) yield* page.data
  }
})

/** The fields of a list that are not its elements: the parameters of an operation whose body is a list. */
const namedOf = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => !/^\d+$/.test(field)))

/** A method of the table's line `name flags path`. */
const methodOf = (sender: Sender, name: string, flags: string, path: string) => {
  const method = methods[flags.charAt(0)] ?? "GET"
  const has = (flag: string) => flags.includes(flag, 1)
  const requestOf = (input: Input): ApiRequest => {
    const rest: Record<string, unknown> = { ...input }
    const filled = path.replace(/\{(\w+)\}/g, (_, field: string) => {
      const value = rest[field]
      delete rest[field]
      if (value === undefined || value === null || value === "") throw new TypeError(`${name} needs ${field}`)
      return encodeURIComponent(value as string)
    })
    const isList = Array.isArray(input)
    const body = isList ? input : has("u") ? formOf(rest) : rest
    // A deletion has a body only to confirm it.
    const hasBody = method !== "GET" && (method !== "DELETE" || Object.keys(rest).length > 0)
    return {
      method,
      path: filled,
      query: method === "GET" ? rest : isList ? namedOf(rest) : undefined,
      body: hasBody ? body : undefined,
      isPublic: has("p"),
      takesDriverToken: has("d"),
      isRepeatable: has("k"),
      isStream: has("s")
    }
  }
  const { session } = sender
  const isLogout = name === "auth.logout"
  const isRefresh = name === "auth.refresh"
  const full = async (input: Input, options?: CallOptions): Promise<Full<unknown>> => {
    const refresh_token = isLogout || isRefresh ? session?.refreshToken() : undefined
    const request = requestOf(refresh_token === undefined ? input : { refresh_token, ...input })
    if (has("b") || wantsFile(options))
      return sender.send(request, options, async (response) => ({
        data: await response.blob(),
        meta: { request_id: response.headers.get("x-request-id") ?? "" },
        headers: response.headers,
        status: response.status
      }))
    const result = await sender.json<{ access_token?: string }>(request, options)
    const { access_token } = result.data ?? {}
    if (isLogout) session?.end()
    else if (name.startsWith("auth.") && access_token !== undefined)
      session?.take({ ...result.data, access_token })
    return result
  }
  return (input: Input = {}, options?: CallOptions) => {
    if (has("l")) return listOf(sender, requestOf(input), options)
    if (has("s")) return eventStream(sender, requestOf(input), options)
    const result = () => full(input, options)
    return callOf(isRefresh && session !== undefined ? session.alone(result) : result())
  }
}

/**
 * Makes a client.
 *
 * ```ts
 * const client = livery({ baseUrl: "https://livery.example/api/v1", apiKey: "lvk_…" })
 * const trip = await client.trips.create({ customer_name: "Ada Lovelace", … })
 * for await (const { reference } of client.trips.list()) console.log(reference)
 * ```
 */
export const livery = (options: LiveryOptions = {}): Livery => {
  const sender = makeSender(options)
  const client: Record<string, unknown> = {
    request: (
      method: string,
      path: string,
      { body, query, ...rest }: CallOptions & { query?: Query; body?: unknown } = {}
    ) => callOf(sender.json({ method, path, query, body, isRepeatable: method === "POST" }, rest))
  }
  for (const line of table.split("\n")) {
    const [group = "", operations = ""] = line.split(":")
    client[group] = Object.fromEntries(
      operations.split(";").map((operation) => {
        const [name = "", flags = "", path = ""] = operation.split(" ")
        return [name, methodOf(sender, `${group}.${name}`, flags, path)]
      })
    )
  }
  return client as unknown as Livery
}
