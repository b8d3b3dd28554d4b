/**
 * `POST /mcp`: the tools of `McpTools.ts` by the Model Context Protocol. A call of a tool becomes a request to its operation,
 * which passes the same steps as a request from outside: authentication, permission, limits, decoding, the envelope.
 */
import {
  Api,
  apiVersion,
  basePath,
  documentedOperations,
  type Json,
  listOf,
  objectOf,
  page,
  requestId,
  textOf,
  uncached
} from "@livery/contract"
import {
  actingBusiness,
  type ActingBusiness,
  Authentication,
  type BearerPrincipal,
  makeAuditTrail,
  permitted,
  Transaction
} from "@livery/domain"
import { Clock, Context, Effect, Exit, Fiber, Redacted } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { OpenApi } from "effect/http-api"
import { actorOf } from "../http/access/AdmissionRequest.ts"
import { isWithinBounds } from "../http/decoding/BodyStructure.ts"
import { duplicateFields } from "../http/decoding/DuplicateFields.ts"
import { isTooLong } from "../http/pipeline/BodyRefusal.ts"
import type { PageHandler, Response as RequestResponse } from "../http/pipeline/RequestSteps.ts"
import { route } from "../http/pipeline/Routes.ts"
import { bearerOf, headerOf } from "../http/request/IncomingRequest.ts"
import { glossary } from "./Glossary.ts"
import { type McpOutcome, outcomeOf } from "./McpMessages.ts"
import { confirms, previewToken } from "./PreviewToken.ts"
import {
  changes,
  confirmationArgument,
  type ToolOperation,
  toolOperations,
  type ToolRequest
} from "./ToolOperations.ts"

/** The route, for the table of routes. The requests behind it are counted, so that it is not. */
export const mcpRoute = route("POST", "/mcp", Context.merge(page, uncached))

/** The answer of an operation. */
interface Answer {
  readonly status: number
  readonly body: Json
  /** The header that names the accepted scheme of a refused credential. */
  readonly challenge: Readonly<Record<string, string>>
}

/** A caller who was admitted, with what a request of theirs needs. */
interface Caller {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly respond: RequestResponse
  readonly credential: string
  readonly principal: BearerPrincipal
  readonly acting: ActingBusiness
}

/** Sends a request through the steps of every request, as the caller. It runs in a fiber whose context is its own. */
const ask = Effect.fnUntraced(function* (
  { request, respond }: Pick<Caller, "request" | "respond">,
  { body, method, path }: ToolRequest,
  idempotencyKey?: string
) {
  // Without a Content-Length the body counts as small: it is in memory already, and must not wait for the memory of this request.
  const headers = new Headers({ authorization: headerOf(request, "authorization") ?? "" })
  for (const name of ["x-business-id", "x-forwarded-for", "user-agent"]) {
    const value = headerOf(request, name)
    if (value !== undefined) headers.set(name, value)
  }
  if (idempotencyKey !== undefined) headers.set("idempotency-key", idempotencyKey)
  if (body !== undefined) headers.set("content-type", "application/json")
  const inner = HttpServerRequest.fromWeb(
    new Request(`http://localhost${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  ).modify({ remoteAddress: request.remoteAddress })
  const fiber = yield* Effect.forkChild(
    Effect.provideService(respond, HttpServerRequest.HttpServerRequest, inner)
  )
  const response = HttpServerResponse.toWeb(yield* Fiber.join(fiber))
  const text = yield* Effect.promise(() => response.text())
  const scheme = response.headers.get("www-authenticate")
  return {
    status: response.status,
    body: text === "" ? {} : objectOf(JSON.parse(text)),
    challenge: scheme === null ? {} : { "WWW-Authenticate": scheme }
  } satisfies Answer
})

const operationCall = (path: string): ToolRequest => ({
  method: "GET",
  path: `${basePath}${path}`,
  body: undefined
})

/** How many pages of a list a call reads, and how many records each has. */
const [maxPages, perPage] = [20, 100]

/**
 * The records of all pages of a list, in one answer. `hasMore` is true if the list has more than {@link maxPages} pages. A
 * refused page is the whole answer.
 */
const askAll = Effect.fnUntraced(function* (caller: Caller, requestOf: (page: Json) => ToolRequest) {
  const records: Array<Json> = []
  for (let page = 1; ; page += 1) {
    const { body, status } = yield* ask(caller, requestOf({ page, per_page: perPage }))
    const isRefused = status >= 300
    if (!isRefused) records.push(...listOf(body["data"]).map(objectOf))
    const hasMore = objectOf(objectOf(body["meta"])["pagination"])["has_more"] === true
    if (isRefused || !hasMore || page === maxPages)
      return { status, error: objectOf(body["error"]), records, hasMore }
  }
})

/** The result of a tool, as text for models and as data for programs. */
const toolResult = (content: Json, isError = false): McpOutcome => ({
  result: { content: [{ type: "text", text: JSON.stringify(content) }], structuredContent: content, isError }
})

/** The refusal of a call with wrong arguments. */
const refusalOf = (details: ReadonlyArray<Json>) =>
  toolResult({ type: "invalid_request", message: "The input is not valid", details }, true)

/** The drivers that a body names, by `assignments` or by `driver_ids`. */
const wantedIn = ({ assignments, driver_ids }: Json) =>
  assignments === undefined
    ? listOf(driver_ids)
    : listOf(assignments).map((assignment) => objectOf(assignment)["driver_id"])

/** The time from the start to the end of a trip, as its record states them; undefined if it states none. */
const timesOf = ({ duration_minutes, trip_date }: Json) => {
  const start = Date.parse(textOf(trip_date))
  const end = start + Number(duration_minutes ?? 60) * 60_000
  return Number.isNaN(end)
    ? undefined
    : { from: new Date(start).toISOString(), to: new Date(end).toISOString() }
}

/** Warnings about drivers who are not free at the time of a trip. */
const driverWarnings = Effect.fnUntraced(function* (caller: Caller, trip: Json, body: Json) {
  const wanted = wantedIn(body)
  const times = timesOf(trip)
  if (wanted.length === 0 || times === undefined) return []
  const { hasMore, records, status } = yield* askAll(caller, (page) => {
    const query = new URLSearchParams({
      ...times,
      page: String(page["page"]),
      per_page: String(page["per_page"])
    })
    return operationCall(`/drivers/free?${query.toString()}`)
  })
  if (status !== 200) return []
  const free = new Set(records.map((driver) => driver["driver_id"]))
  const assigned = new Set(listOf(trip["driver_ids"]))
  return wanted
    .filter((id) => !free.has(id) && !assigned.has(id))
    .map((id) =>
      hasMore
        ? `The driver ${String(id)} is not among the first ${records.length} free drivers; further ones were not read.`
        : `The driver ${String(id)} is not free at that time, or is not active.`
    )
})

/** What a change would do, with the token that confirms it; the refusal if it cannot be done. */
const previewOf = Effect.fnUntraced(function* (
  caller: Caller,
  tool: ToolOperation,
  args: Json,
  token: string
) {
  const request = tool.requestOf(args)
  const { body, wrongInBody } = tool.read(args)
  if (wrongInBody.length > 0) return refusalOf(wrongInBody)
  const currentRequest = tool.currentOf(args)
  const current = currentRequest === undefined ? undefined : yield* ask(caller, currentRequest)
  if (current !== undefined && current.status !== 200)
    return toolResult(objectOf(current.body["error"]), true)
  const record = objectOf(current?.body["data"])
  return toolResult({
    message:
      "Nothing has been changed. To do it, call the tool again with these arguments and `confirmation_token`.",
    preview: {
      does: tool.purpose,
      request: `${request.method} ${request.path}`,
      ...(request.body === undefined ? {} : { fields: request.body }),
      ...(current === undefined ? {} : { current: record })
    },
    warnings: yield* driverWarnings(caller, record, body),
    [confirmationArgument]: token
  })
})

/** Runs a tool, and returns the status of the request to its operation; undefined if there was none. */
const run = Effect.fnUntraced(function* (caller: Caller, tool: ToolOperation, given: Json) {
  const { [confirmationArgument]: token, ...args } = given
  const call = {
    credential: caller.credential,
    business: String(caller.acting.business_id),
    tool: tool.name,
    args
  }
  const { wrongInPath } = tool.read(args)
  if (wrongInPath.length > 0) return { status: "422", outcome: refusalOf(wrongInPath) }
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  if (changes(tool) && token === undefined)
    return { status: "preview", outcome: yield* previewOf(caller, tool, args, previewToken(call, now)) }
  if (changes(tool) && !confirms(textOf(token), call, now))
    return {
      status: "unconfirmed",
      outcome: toolResult(
        {
          type: "confirmation_required",
          message: "The token is of another call, or too old: ask for a preview again"
        },
        true
      )
    }
  const { keep } = tool
  if (keep !== undefined) {
    const { error, hasMore, records, status } = yield* askAll(caller, (page) =>
      tool.requestOf({ ...args, ...page })
    )
    const kept = records.filter(keep)
    return {
      status: String(status),
      outcome:
        status >= 300
          ? toolResult(error, true)
          : toolResult({ records: kept, pagination: { count: kept.length, has_more: hasMore } })
    }
  }
  const { body, status } = yield* ask(caller, tool.requestOf(args), changes(tool) ? textOf(token) : undefined)
  const { data, error, meta } = body
  if (status >= 300) return { status: String(status), outcome: toolResult(objectOf(error), true) }
  return {
    status: String(status),
    outcome: toolResult(Array.isArray(data) ? { records: data, ...objectOf(meta) } : { record: data ?? null })
  }
})

const resources = {
  "livery://state-machines":
    "The states of trips, invoices, quotes, bookings and deliveries, and who may change them",
  "livery://glossary": "The words of the trade",
  "livery://api-guide": "The operations of the API, with what each is for"
} as const

const apiGuide = () =>
  JSON.stringify(
    documentedOperations(OpenApi.fromApi(Api)).map(({ method, operation, path }) => ({
      operation: operation["operationId"],
      request: `${method} ${path}`,
      purpose: operation["summary"]
    }))
  )

const unknownTool: McpOutcome = {
  error: { code: -32602, message: "There is no such tool, or your role does not permit it" }
}

/** The message in a body; undefined if the routes of the API would not read such a JSON text either. */
const messageIn = (text: string): unknown => {
  if (!isWithinBounds(text)) return undefined
  try {
    const message: unknown = JSON.parse(text)
    return duplicateFields(text).length === 0 ? message : undefined
  } catch {
    return undefined
  }
}

/** Makes the handler of the route. Each call of a tool is in the audit log, without its arguments. */
export const makeMcpPage = Effect.gen(function* () {
  const authentication = yield* Authentication
  const transaction = yield* Transaction
  const writeAudit = yield* makeAuditTrail

  const isPermitted = ({ acting, principal }: Caller, { permission }: ToolOperation) =>
    permission === undefined
      ? Effect.succeed(false)
      : Effect.match(permitted(principal, acting, permission), {
          onFailure: () => false,
          onSuccess: () => true
        })

  const partsFor = (caller: Caller) => ({
    version: apiVersion,
    listTools: Effect.map(
      Effect.suspend(() => Effect.filter(toolOperations(), (tool) => isPermitted(caller, tool))),
      (tools) =>
        tools.map((tool) => ({
          name: tool.name,
          description: tool.purpose,
          inputSchema: tool.inputSchema,
          annotations: { readOnlyHint: !changes(tool) }
        }))
    ),
    callTool: Effect.fnUntraced(function* (name: string, args: Json) {
      const tool = toolOperations().find((one) => one.name === name)
      if (tool === undefined || !(yield* isPermitted(caller, tool))) return unknownTool
      const writeCall = (status: string) =>
        transaction.run(
          writeAudit({
            actor: actorOf(caller.principal, caller.credential),
            action: "mcp.tool_called",
            subject: `tool:${name}`,
            businessId: caller.acting.business_id,
            after: { status }
          })
        )
      const { outcome } = yield* run(caller, tool, args).pipe(
        // A call that fails halfway may have changed something.
        Effect.onExit((exit) => writeCall(Exit.isSuccess(exit) ? exit.value.status : "failed"))
      )
      return outcome
    }),
    resources: Object.entries(resources).map(([uri, description]) => ({
      uri,
      name: uri.slice("livery://".length),
      description,
      mimeType: "application/json"
    })),
    readResource: Effect.fnUntraced(function* (uri: string) {
      if (uri === "livery://glossary") return JSON.stringify(glossary)
      if (uri === "livery://api-guide") return apiGuide()
      if (uri !== "livery://state-machines") return undefined
      const { body } = yield* ask(caller, operationCall("/meta/state-machines"))
      return JSON.stringify(body["data"])
    })
  })

  const handler: PageHandler = (_values, respond) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      // A refused credential is counted and answered like that of any request.
      const admitted = yield* ask({ request, respond }, operationCall("/ping"))
      if (admitted.status !== 200)
        return HttpServerResponse.jsonUnsafe(
          { ...admitted.body, meta: { request_id: yield* requestId } },
          { status: admitted.status, headers: admitted.challenge }
        )
      if (isTooLong(request)) return HttpServerResponse.empty({ status: 413 })
      const credential = bearerOf(request)
      const principal = yield* authentication.principal(Redacted.make(credential))
      const acting = yield* actingBusiness(principal, headerOf(request, "x-business-id"))
      const text = yield* request.text
      const { id, method, params } = objectOf(messageIn(text))
      if (typeof method !== "string")
        return HttpServerResponse.jsonUnsafe(
          {
            jsonrpc: "2.0",
            id: null,
            error: {
              code: -32600,
              message: "One JSON-RPC request is expected, whose objects have each field once"
            }
          },
          { status: 400 }
        )
      if (id === undefined) return HttpServerResponse.empty({ status: 202 })
      const caller: Caller = { request, respond, credential, principal, acting }
      const outcome = yield* outcomeOf(partsFor(caller), method, objectOf(params))
      return HttpServerResponse.jsonUnsafe({ jsonrpc: "2.0", id, ...outcome })
    }).pipe(Effect.orDie)
  return handler
})
