/** A `fetch` that answers from a list, and remembers the requests. */

/** A request that the client sent. */
export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly signal: AbortSignal | undefined
}

type Reply = Response | Error | ((sent: Sent) => Response | Promise<Response>)

/** A success with this record. */
export const ok = (data: unknown, headers: Readonly<Record<string, string>> = {}, meta: object = {}) =>
  Response.json({ data, meta: { request_id: "req_1", ...meta } }, { headers })

/** A refusal. */
export const refusal = (
  status: number,
  type: string,
  headers: Readonly<Record<string, string>> = {},
  more = {}
) =>
  Response.json(
    { error: { type, message: type, ...more }, meta: { request_id: "req_2" } },
    { status, headers }
  )

/** Answers each request with the next reply; an error is a network fault. */
export const fakeServer = (...replies: ReadonlyArray<Reply>) => {
  const sent: Array<Sent> = []
  const left = [...replies]
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const { body, headers, method = "GET", signal } = init
    const request = {
      method,
      url,
      headers: headers as Record<string, string>,
      body: typeof body === "string" ? (JSON.parse(body) as unknown) : body,
      signal: signal ?? undefined
    }
    sent.push(request)
    signal?.throwIfAborted()
    const reply = left.shift()
    if (reply === undefined) throw new Error(`no reply is left for ${method} ${url}`)
    if (reply instanceof Error) throw reply
    return typeof reply === "function" ? reply(request) : reply
  }
  return { fetch, sent }
}
