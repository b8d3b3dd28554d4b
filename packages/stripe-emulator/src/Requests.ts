/** Answers one request: authentication, parameters, idempotency keys and ordered faults around the operation. */
import { type Account, apiVersion, randomId } from "./Account.ts"
import { type Fault, type FaultKind, makeFaults } from "./Faults.ts"
import { type Answer, makeIdempotencyKeys } from "./IdempotencyKeys.ts"
import { type Operation, type OperationName, operations } from "./Operations.ts"
import { type Parameters, readParameters, refuseUnknown, textOf } from "./Parameters.ts"
import {
  internalFailure,
  keyInUse,
  refusedRequest,
  StripeFailure,
  tooManyRequests,
  unauthorized
} from "./StripeFailure.ts"

/** A request as it arrived; header names in lower case. */
export interface ArrivedRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly body: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** What the server does with the connection. */
export type Reply =
  | {
      readonly _tag: "Answer"
      readonly status: number
      readonly headers: Record<string, string>
      readonly text: string
    }
  | { readonly _tag: "Silence" }
  | { readonly _tag: "Cut" }
  | { readonly _tag: "Endless" }

/** A line of the log: a request that reached an operation, and its status; null if no answer was sent. */
export interface LoggedRequest {
  readonly operation: OperationName
  readonly idempotencyKey: string | null
  readonly replayed: boolean
  readonly status: number | null
  readonly parameters: Parameters
}

/** The keys of the account. */
export interface Keys {
  readonly secret: string
  readonly publishable: string
}

const failureAnswer = (failure: StripeFailure): Answer => ({
  status: failure.status,
  body: { error: failure.body }
})

const asFailure = (thrown: unknown): StripeFailure => {
  if (thrown instanceof StripeFailure) return thrown
  throw thrown
}

/** The key of `Authorization: Bearer …` or of the user name of `Authorization: Basic …`. */
const keyIn = (authorization: string | undefined): string | undefined => {
  const [scheme = "", value = ""] = (authorization ?? "").split(" ", 2)
  if (scheme.toLowerCase() === "bearer") return value
  if (scheme.toLowerCase() === "basic") return Buffer.from(value, "base64").toString().split(":")[0]
  return undefined
}

/** Browsers see neither the metadata nor the charge of an intent. */
const publicFields = (body: object): object => {
  const { latest_charge: _charge, metadata: _metadata, ...rest } = body as Record<string, unknown>
  return rest
}

const faultBefore: Partial<Record<FaultKind, () => StripeFailure>> = {
  error_500: () => internalFailure(false),
  rate_limited: tooManyRequests,
  key_in_use: keyInUse,
  refusal: () =>
    refusedRequest("This request was refused because a test ordered it.", { code: "testmode_charges_only" })
}

const strangeAnswers: Partial<
  Record<FaultKind, Pick<Reply & { _tag: "Answer" }, "status" | "text" | "headers">>
> = {
  bare_404: { status: 404, text: '{"message":"no route"}', headers: { "content-type": "application/json" } },
  not_json: { status: 502, text: "<html>Bad Gateway</html>", headers: { "content-type": "text/html" } },
  no_content: { status: 204, text: "", headers: {} },
  redirect: { status: 307, text: "", headers: { location: "?" } }
}

/** Answers the requests to one account. */
export const makeRequests = (account: Account, keys: Keys) => {
  const idempotencyKeys = makeIdempotencyKeys(account.now)
  const faults = makeFaults()
  const log: Array<LoggedRequest> = []

  const authorize = (request: ArrivedRequest, operation: Operation, id: string, parameters: Parameters) => {
    const key = keyIn(request.headers["authorization"])
    if (key === undefined) throw unauthorized("You did not provide an API key.")
    if (key === keys.secret) return false
    if (key !== keys.publishable) throw unauthorized(`Invalid API Key provided: ${key.slice(0, 8)}****`)
    const secret = account.intents.get(id)?.client_secret
    if (!operation.publishable || secret === undefined || secret !== textOf(parameters, "client_secret"))
      throw new StripeFailure(
        403,
        {
          type: "invalid_request_error",
          message: "This API call cannot be made with a publishable API key."
        },
        false
      )
    return true
  }

  /** Runs an operation under its key. */
  const run = (
    operation: Operation,
    id: string,
    parameters: Parameters,
    key: string | undefined,
    requestId: string,
    failing: "before" | "after" | undefined
  ): { readonly answer: Answer; readonly replayed: boolean } => {
    const described = `${operation.name} ${id} ${JSON.stringify(parameters)}`
    const kept = key === undefined ? undefined : idempotencyKeys.find(key, described)
    if (kept !== undefined) return { answer: kept, replayed: true }
    const finish = (answer: Answer, executed: boolean) => {
      if (key !== undefined && executed) idempotencyKeys.keep(key, described, answer)
      return { answer, replayed: false }
    }
    if (failing === "before") return finish(failureAnswer(internalFailure(true)), true)
    try {
      const cause = { requestId, idempotencyKey: key ?? null }
      const body = operation.run(account, id, parameters, cause)
      return failing === "after"
        ? finish(failureAnswer(internalFailure(true)), true)
        : finish({ status: 200, body: structuredClone(body) }, true)
    } catch (thrown) {
      const failure = asFailure(thrown)
      return finish(failureAnswer(failure), failure.executed)
    }
  }

  const handle = (request: ArrivedRequest): Reply => {
    const requestId = randomId("req_", 14)
    const answerOf = (answer: Answer, extra: Record<string, string> = {}): Reply => ({
      _tag: "Answer",
      status: answer.status,
      headers: {
        "content-type": "application/json",
        "request-id": requestId,
        "stripe-version": request.headers["stripe-version"] ?? apiVersion,
        ...extra
      },
      text: JSON.stringify(answer.body, undefined, 2)
    })
    const operation = operations.find((it) => it.method === request.method && it.path.test(request.path))
    if (operation === undefined)
      return answerOf({
        status: 404,
        body: {
          error: {
            type: "invalid_request_error",
            message: `Unrecognized request URL (${request.method}: ${request.path}).`
          }
        }
      })
    const id = operation.path.exec(request.path)?.[1] ?? ""
    const key = request.method === "POST" ? request.headers["idempotency-key"] : undefined
    const parameters = readParameters(request.method === "POST" ? request.body : request.query)
    const logged = (status: number | null, replayed = false) =>
      log.push({ operation: operation.name, idempotencyKey: key ?? null, replayed, status, parameters })
    try {
      const limited = authorize(request, operation, id, parameters)
      refuseUnknown(parameters, operation.parameters)
      const fault = faults.take(operation.name)
      const strange = fault && strangeAnswers[fault]
      if (strange !== undefined) {
        logged(strange.status)
        return { _tag: "Answer", ...strange }
      }
      const failure = fault && faultBefore[fault]
      if (failure !== undefined) throw failure()
      if (fault === "no_answer" || fault === "endless") {
        logged(null)
        return fault === "endless" ? { _tag: "Endless" } : { _tag: "Silence" }
      }
      const failing =
        fault === "error_500_after" ? "after" : fault === "error_500_kept" ? "before" : undefined
      const once = () => run(operation, id, parameters, key, requestId, failing)
      const first = once()
      const { answer, replayed } = fault === "duplicate" ? once() : first
      if (fault === "no_answer_after" || fault === "lost_response") {
        logged(null)
        return { _tag: fault === "lost_response" ? "Cut" : "Silence" }
      }
      logged(answer.status, replayed)
      return answerOf(
        limited && answer.status === 200 ? { status: 200, body: publicFields(answer.body) } : answer,
        {
          ...(key === undefined ? {} : { "idempotency-key": key }),
          ...(replayed ? { "idempotent-replayed": "true" } : {})
        }
      )
    } catch (thrown) {
      const failure = asFailure(thrown)
      logged(failure.status)
      return answerOf(failureAnswer(failure))
    }
  }

  return {
    handle,
    log,
    orderFault: (fault: Fault) => faults.order(fault),
    clearFaults: () => faults.clear()
  }
}
