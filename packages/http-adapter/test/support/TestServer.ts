/** The API over HTTP in tests: it handles requests without a socket. */
import { Application, HttpApp, type Limits } from "@livery/http-adapter"
import { FixedSettings, RateCounters, SettingsInterval, UseCases } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Context, Duration, Effect, Layer, Option } from "effect"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { HttpEffect, HttpServerRequest } from "effect/http"
import { checkContract } from "./ContractCheck.ts"
import { CapturedLog } from "./CapturedLog.ts"
import type { CommonPorts } from "./TestPorts.ts"

/** The envelope of every response. */
interface Body {
  readonly data?: unknown
  readonly error?: {
    readonly type: string
    readonly message: string
    readonly details?: ReadonlyArray<Record<string, unknown>>
    readonly details_omitted?: number
  }
  readonly meta?: {
    readonly request_id: string
    readonly pagination?: Readonly<Record<string, unknown>>
    readonly counts?: Readonly<Record<string, number>>
  }
}

/** A response that was read to its end. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The unchanged bytes of the body. */
  readonly bytes: Uint8Array
  readonly body: Body
  /** The logged faults, to read why a test failed. */
  readonly fault?: string | undefined
}

/** The parts of a request. `peer` is the client's address. */
export interface Ask {
  readonly credential?: string | undefined
  readonly business?: number | string | undefined
  readonly body?: unknown
  /** The body as a text, instead of `body`. */
  readonly text?: string
  /** The body as bytes, instead of `body`; `headers` needs their content type. */
  readonly form?: Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
  readonly peer?: string
  /** Disconnects the client. */
  readonly signal?: AbortSignal
}

/** A response that is still open. */
export interface OpenAnswer {
  readonly status: number
  readonly headers: Headers
  readonly soFar: () => string
  readonly isOver: () => boolean
  /** Disconnects the client. */
  readonly leave: Effect.Effect<void>
}

/** A server of the API, with functions that send requests to it. */
export interface TestServer {
  /** Opens a stream below `/api/v1`, and reads it in the background. */
  readonly open: (path: string, ask?: Ask) => Effect.Effect<OpenAnswer>
  /** Sends a request to a path below `/api/v1`. The answer of a stream of events ends with its first event. */
  readonly send: (method: string, path: string, ask?: Ask) => Effect.Effect<Answer>
  /** Sends a request to any path. */
  readonly sendTo: (method: string, path: string, ask?: Ask) => Effect.Effect<Answer>
}

const requestOf = (method: string, path: string, ask: Ask) => {
  const headers = new Headers(ask.headers)
  const { business, credential, peer } = ask
  const body = ask.form ?? ask.text ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body))
  if (body !== undefined && ask.form === undefined && !headers.has("content-type"))
    headers.set("content-type", "application/json")
  if (credential !== undefined) headers.set("authorization", `Bearer ${credential}`)
  if (business !== undefined) headers.set("x-business-id", String(business))
  if (peer !== undefined) headers.set("x-peer", peer)
  return new Request(`http://livery.test${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
    ...(ask.signal === undefined ? {} : { signal: ask.signal })
  })
}

const isJson = (text: string, headers: Headers) =>
  text !== "" && !headers.has("content-encoding") && headers.get("content-type")?.includes("json") === true

/** Reads a stream of events up to the end of its first event, since most streams do not end; then leaves it. */
const firstEventOf = async ({ body }: Response) => {
  const parts: Array<Uint8Array> = []
  const reader = body?.getReader()
  for (;;) {
    const part = await reader?.read()
    if (part === undefined || part.done) break
    parts.push(part.value)
    if (/^event: [^]*\n\n$/mu.test(Buffer.concat(parts).toString())) break
  }
  await reader?.cancel()
  return new Uint8Array(Buffer.concat(parts))
}

/** Reads a response. Every response has a request id, the same in the header and in the envelope. */
const answerOf = async (response: Response): Promise<Answer> => {
  const isStream = response.headers.get("content-type") === "text/event-stream"
  const bytes = isStream ? await firstEventOf(response) : new Uint8Array(await response.arrayBuffer())
  const text = new TextDecoder().decode(bytes)
  const { headers, status } = response
  const body: Body = isJson(text, headers) ? JSON.parse(text) : {}
  assert.match(headers.get("x-request-id") ?? "", /^req_[0-9a-f]{24}$/u)
  if (body.meta !== undefined) assert.strictEqual(body.meta.request_id, headers.get("x-request-id"))
  return { status, headers, text, bytes, body }
}

const openAnswer = ({ body, headers, status }: Response): OpenAnswer => {
  const decoder = new TextDecoder()
  const reader = body?.getReader()
  let text = ""
  let over = false
  const reading = async () => {
    for (;;) {
      const part = await reader?.read()
      if (part === undefined || part.done) return
      text += decoder.decode(part.value, { stream: true })
    }
  }
  void reading().finally(() => {
    over = true
  })
  return {
    status,
    headers,
    soFar: () => text,
    isOver: () => over,
    leave: Effect.promise(async () => reader?.cancel())
  }
}

const causeOf = (lines: ReadonlyArray<string>, { headers }: Answer) =>
  lines.find((line) => line.includes("request failed") && line.includes(headers.get("x-request-id") ?? "-"))

/** Sets the client's address of a request, which has no connection, to the test's `peer`. */
const fromPeer = <A, E, R>(app: Effect.Effect<A, E, R>) =>
  Effect.updateService(app, HttpServerRequest.HttpServerRequest, (request) =>
    request.modify({ remoteAddress: Option.fromUndefinedOr(request.headers["x-peer"]) })
  )

/** Rate limits that no test reaches. */
const plenty: Limits = { business: 1e8, auth: 1e8, public: 1e8 }

/** The settings of a test's server. */
export interface TestServerOptions {
  readonly limits?: Partial<Limits>
  /** Limits the rates by the platform's settings, which it reads again every 5 seconds; other servers never do. */
  readonly limitsOfSettings?: boolean
  /** The settings that the installation fixes. */
  readonly fixed?: typeof FixedSettings.Service
  readonly trustedProxies?: number
  readonly publicUrl?: string
  readonly pages?: HttpApp.HttpOptions["pages"]
  /** Rate counters shared with other servers; by default its own. */
  readonly counters?: RateCounters["Service"]
}

/** The application of a test's server, on these ports. */
export const applicationOn = (ports: Context.Context<CommonPorts>, options: TestServerOptions = {}) =>
  HttpApp.layer({
    limits: { ...(options.limitsOfSettings === true ? {} : plenty), ...options.limits },
    trustedProxies: options.trustedProxies ?? 0,
    publicUrl: options.publicUrl,
    pages: options.pages
  }).pipe(
    Layer.provide(UseCases),
    Layer.provide(Layer.succeed(FixedSettings, options.fixed ?? {})),
    // A test that advances the clock by a month would read the settings half a million times.
    Layer.provide(
      options.limitsOfSettings === true ? Layer.empty : Layer.succeed(SettingsInterval, Duration.infinity)
    ),
    Layer.provide(
      options.counters === undefined
        ? RateCounters.layerMemory
        : Layer.succeed(RateCounters, options.counters)
    ),
    Layer.provide(NodeHttpServer.layerHttpServices),
    Layer.provideMerge(Layer.succeedContext(ports))
  )

/** Makes a server on the ports of the context. It stops when the scope closes. */
export const openServer = Effect.fnUntraced(function* (options: TestServerOptions = {}) {
  const ports = yield* Effect.context<CommonPorts>()
  const { lines } = yield* CapturedLog
  const { dispose, handler } = HttpEffect.toWebHandlerLayerWith(applicationOn(ports, options), {
    toHandler: (services) => Effect.succeed(fromPeer(Context.get(services, Application).respond))
  })
  yield* Effect.addFinalizer(() => Effect.promise(dispose))
  const sendTo = (method: string, path: string, ask: Ask = {}) =>
    Effect.promise(async () => {
      const answer = await answerOf(await handler(requestOf(method, path, ask)))
      checkContract(method, path, answer)
      return answer.status === 500 ? { ...answer, fault: causeOf(lines, answer) } : answer
    })
  const open = (path: string, ask: Ask = {}) =>
    Effect.promise(async () => openAnswer(await handler(requestOf("GET", `/api/v1${path}`, ask))))
  const server: TestServer = {
    open,
    sendTo,
    send: (method, path, ask) => sendTo(method, `/api/v1${path}`, ask)
  }
  return server
})

/** The record in a successful response. */
export const record = (answer: Answer): Readonly<Record<string, unknown>> => {
  assert.isBelow(answer.status, 300, answer.fault ?? answer.text)
  return answer.body.data as Record<string, unknown>
}

/** The trip in the response to its booking, without the warnings, which events and later responses lack. */
export const bookedRecord = (answer: Answer): Readonly<Record<string, unknown>> => {
  const { warnings: _warnings, ...trip } = record(answer)
  return trip
}

/** The records in a successful response of a list. */
export const records = (answer: Answer): ReadonlyArray<Readonly<Record<string, unknown>>> => {
  assert.isBelow(answer.status, 300, answer.fault ?? answer.text)
  return answer.body.data as ReadonlyArray<Record<string, unknown>>
}

/** Checks the status and the type of a refusal, and returns its details. */
export const refusedAs = (answer: Answer, status: number, type: string) => {
  const { body } = answer
  assert.deepStrictEqual([answer.status, body.error?.type], [status, type], answer.fault ?? answer.text)
  assert.notStrictEqual(body.error?.message ?? "", "")
  assert.deepStrictEqual(Object.keys(body).sort(), ["error", "meta"])
  return body.error?.details
}
