/** Answers one request: checks its key and its parameters, applies idempotency keys and faults, and runs the operation. */
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

/**
 * How the server answers: with a response, with none while the connection stays open, by closing the connection, or with
 * a body that does not end.
 */
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

/** A request that reached an operation. `status` is null if no answer was sent. */
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

const answerOfFailure = (failure: StripeFailure): Answer => ({
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

/** The faults with which Stripe refuses a request before it executes. */
const refusals: Partial<Record<FaultKind, () => StripeFailure>> = {
  error_500: () => internalFailure(false),
  rate_limited: tooManyRequests,
  key_in_use: keyInUse,
  refusal: () =>
    refusedRequest("This request was refused because a test injected a fault.", {
      code: "testmode_charges_only"
    })
}

/** The responses of a server between Livery and Stripe, and those that never come or never end. */
const foreignReplies: Partial<Record<FaultKind, Reply>> = {
  bare_404: {
    _tag: "Answer",
    status: 404,
    text: '{"message":"no route"}',
    headers: { "content-type": "application/json" }
  },
  not_json: {
    _tag: "Answer",
    status: 502,
    text: "<html>Bad Gateway</html>",
    headers: { "content-type": "text/html" }
  },
  no_content: { _tag: "Answer", status: 204, text: "", headers: {} },
  redirect: { _tag: "Answer", status: 307, text: "", headers: { location: "?" } },
  no_answer: { _tag: "Silence" },
  endless: { _tag: "Endless" }
}

/** The faults of a request that took effect, and whose answer is lost. */
const lostAnswers: Partial<Record<FaultKind, Reply>> = {
  no_answer_after: { _tag: "Silence" },
  lost_response: { _tag: "Cut" }
}

/** A request whose operation and parameters are known. */
interface ParsedRequest {
  readonly requestId: string
  readonly operation: Operation
  /** The identifier in the path; empty if it has none. */
  readonly id: string
  readonly parameters: Parameters
  readonly idempotencyKey: string | undefined
}

/** The result of an operation. `replayed` if it is the saved answer of an earlier request with the same key. */
interface Executed {
  readonly answer: Answer
  readonly replayed: boolean
}

const parse = (request: ArrivedRequest, requestId: string): ParsedRequest | undefined => {
  const operation = operations.find(
    ({ method, path }) => method === request.method && path.test(request.path)
  )
  if (operation === undefined) return undefined
  const isPost = request.method === "POST"
  return {
    requestId,
    operation,
    id: operation.path.exec(request.path)?.[1] ?? "",
    parameters: readParameters(isPost ? request.body : request.query),
    idempotencyKey: isPost ? request.headers["idempotency-key"] : undefined
  }
}

const unknownUrl = ({ method, path }: ArrivedRequest): Answer => ({
  status: 404,
  body: {
    error: { type: "invalid_request_error", message: `Unrecognized request URL (${method}: ${path}).` }
  }
})

/** Answers the requests to one account. */
export const makeRequests = (account: Account, keys: Keys) => {
  const idempotencyKeys = makeIdempotencyKeys(account.now)
  const faults = makeFaults()
  const log: Array<LoggedRequest> = []

  /** Checks the key of a request. Returns whether it is the publishable one, which sees only a part of an intent. */
  const authorize = (request: ArrivedRequest, { id, operation, parameters }: ParsedRequest): boolean => {
    const key = keyIn(request.headers["authorization"])
    if (key === undefined) throw unauthorized("You did not provide an API key.")
    if (key === keys.secret) return false
    if (key !== keys.publishable) throw unauthorized(`Invalid API Key provided: ${key.slice(0, 8)}****`)
    const clientSecret = account.intents.get(id)?.client_secret
    const isAllowed =
      operation.isPublishable &&
      clientSecret !== undefined &&
      clientSecret === textOf(parameters, "client_secret")
    if (!isAllowed)
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

  /** Runs an operation, or returns the saved answer of its idempotency key. */
  const execute = (request: ParsedRequest, fault: FaultKind | undefined): Executed => {
    const { id, idempotencyKey, operation, parameters, requestId } = request
    const fingerprint = `${operation.name} ${id} ${JSON.stringify(parameters)}`
    const saved = idempotencyKey === undefined ? undefined : idempotencyKeys.find(idempotencyKey, fingerprint)
    if (saved !== undefined) return { answer: saved, replayed: true }
    const finish = (answer: Answer, isSaved = true): Executed => {
      if (idempotencyKey !== undefined && isSaved) idempotencyKeys.save(idempotencyKey, fingerprint, answer)
      return { answer, replayed: false }
    }
    if (fault === "error_500_kept") return finish(answerOfFailure(internalFailure(true)))
    try {
      const cause = { requestId, idempotencyKey: idempotencyKey ?? null }
      const body = operation.run(account, id, parameters, cause)
      if (fault === "error_500_after") return finish(answerOfFailure(internalFailure(true)))
      return finish({ status: 200, body: structuredClone(body) })
    } catch (thrown) {
      const failure = asFailure(thrown)
      return finish(answerOfFailure(failure), failure.executed)
    }
  }

  /** Runs an operation twice under the fault `duplicate`, as when its request arrives twice; otherwise once. */
  const executeWith = (request: ParsedRequest, fault: FaultKind | undefined): Executed => {
    const first = execute(request, fault)
    return fault === "duplicate" ? execute(request, fault) : first
  }

  const handle = (request: ArrivedRequest): Reply => {
    const requestId = randomId("req_", 14)
    const reply = (answer: Answer, headers: Record<string, string> = {}): Reply => ({
      _tag: "Answer",
      status: answer.status,
      headers: {
        "content-type": "application/json",
        "request-id": requestId,
        "stripe-version": request.headers["stripe-version"] ?? apiVersion,
        ...headers
      },
      text: JSON.stringify(answer.body, undefined, 2)
    })
    const parsed = parse(request, requestId)
    if (parsed === undefined) return reply(unknownUrl(request))
    const { idempotencyKey, operation, parameters } = parsed
    const record = (status: number | null, replayed = false) =>
      log.push({
        operation: operation.name,
        idempotencyKey: idempotencyKey ?? null,
        replayed,
        status,
        parameters
      })
    try {
      const isPublic = authorize(request, parsed)
      refuseUnknown(parameters, operation.parameters)
      const fault = faults.take(operation.name)
      const foreign = fault && foreignReplies[fault]
      if (foreign !== undefined) {
        record(foreign._tag === "Answer" ? foreign.status : null)
        return foreign
      }
      const refusal = fault && refusals[fault]
      if (refusal !== undefined) throw refusal()
      const { answer, replayed } = executeWith(parsed, fault)
      const lost = fault && lostAnswers[fault]
      if (lost !== undefined) {
        record(null)
        return lost
      }
      record(answer.status, replayed)
      const shown =
        isPublic && answer.status === 200 ? { ...answer, body: publicFields(answer.body) } : answer
      return reply(shown, {
        ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
        ...(replayed ? { "idempotent-replayed": "true" } : {})
      })
    } catch (thrown) {
      const failure = asFailure(thrown)
      record(failure.status)
      return reply(answerOfFailure(failure))
    }
  }

  return {
    handle,
    log,
    addFault: (fault: Fault) => faults.add(fault),
    clearFaults: () => faults.clear()
  }
}
