/**
 * The fast path: handles a request of the contract without the layers of Effect's router and `HttpApiBuilder`, which
 * copy the request's context and resume the fiber at each step. Steps that need no waiting (a cached credential, a
 * counter in memory, the parameters) are plain function calls; a GET then goes straight to its handler.
 *
 * It does the same as `HttpApiBuilder`, in the same order: admit the caller, apply idempotency, decode parameters,
 * headers, query and body, call the handler, encode. Requests of one list that begin together share one run of the handler
 * (`SharedLists.ts`). Every new route of the contract uses it automatically. Forms, streams and unusual paths are passed to
 * Effect's router before anything is done.
 */
import { Context, Effect, Exit, References, Scope, Tracer } from "effect"
import { HttpServerRequest } from "effect/http"
import { CurrentRequestId, tracedContext, Tracing } from "@livery/domain"
import { makeAdmissions } from "../access/Admission.ts"
import {
  type Admission,
  credentialOf,
  type ListCaller,
  publicAdmission,
  servicesOf
} from "../access/AdmissionRequest.ts"
import { CurrentRequest, type RequestState } from "../request/CurrentRequest.ts"
import { decodeAndCall } from "./DecodedCall.ts"
import { type EndpointPlan, planOf } from "./EndpointPlan.ts"
import { FastPathOptions } from "./FastPathOptions.ts"
import { contentOf, replyOf, replyWith } from "./HandlerReply.ts"
import { isRepeatable, make as idempotentRequests } from "../access/IdempotentRequests.ts"
import { headerOf } from "../request/IncomingRequest.ts"
import { queryOf } from "../request/Query.ts"
import { logAnnotationsOf } from "../observation/RequestSpan.ts"
import { JsonReply, type Reply } from "../responses/Reply.ts"
import type { ApiRoute, Route } from "./Routes.ts"
import { listKeyOf, makeSharedLists } from "./SharedLists.ts"

/** A request and its state. */
export interface PendingRequest {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly state: RequestState
}

/**
 * Handles a request of a route, with the values of the path's parameters in order. Returns `undefined`, having done
 * nothing, if Effect's router must handle the request.
 */
export type FastPath = (
  incoming: PendingRequest,
  route: Route,
  values: ReadonlyArray<string>
) => Effect.Effect<Reply, unknown> | undefined

/** The number of services that one request adds to the context before Effect copies all of it. */
const contextDepth = 64

/** The longest parameter that Effect's router takes. */
const maxParameterLength = 100

/** Whether a path has no characters that Effect's router decodes or treats specially. */
const isLiteral = (path: string) => !/[%;#]/u.test(path)

/** The reply, after the look-up of the credential if that is still to be done. */
const verified = (reply: Effect.Effect<Reply, unknown>, state: RequestState) =>
  Effect.matchCauseEffect(reply, {
    onSuccess: (value) =>
      state.verify === undefined ? Effect.succeed(value) : Effect.as(state.verify, value),
    onFailure: (cause) =>
      state.verify === undefined
        ? Effect.failCause(cause)
        : Effect.andThen(state.verify, Effect.failCause(cause))
  })

/**
 * The fast path over the routes of the contract; `undefined` if it is turned off or the whole process has a tracer.
 * With {@link Tracing}, it takes sampled requests too.
 */
export const makeFastPath = Effect.fnUntraced(function* (routes: ReadonlyArray<ApiRoute>) {
  const services = yield* Effect.context()
  const { check, isOff, planned } = yield* FastPathOptions
  if (isOff === true || (yield* Tracer.Tracer) !== Tracer.nativeTracer) return undefined
  const base = Context.makeUnsafe(new Map(services.mapUnsafe), { maxDepth: contextDepth })
  const annotations = yield* References.CurrentLogAnnotations
  const tracing = yield* Tracing
  const admissions = yield* makeAdmissions
  const idempotent = yield* idempotentRequests
  const readList = makeSharedLists(base)
  const plans = new Map<Route, EndpointPlan>()
  for (const route of routes) {
    const plan = planOf(route, services)
    if (plan === undefined) continue
    plans.set(route, plan)
    planned?.(route)
  }

  const checked = (plan: EndpointPlan, value: unknown, reply: Reply, state: RequestState): Reply => {
    if (check !== undefined && reply instanceof JsonReply) check(plan, value, reply.text, state)
    return reply
  }

  /** The reply with the value of a handler. */
  const replyTo = (plan: EndpointPlan, value: unknown, state: RequestState): Reply => {
    if (state.verify !== undefined && plan.route.traits.provenBy?.(value) === true) state.verify = undefined
    return checked(plan, value, replyWith(plan, value, state), state)
  }

  /** Runs the remaining effect with the services that every request has, and with those that `provide` adds. */
  const inContext = <A, R>(
    work: Effect.Effect<A, unknown, R>,
    state: RequestState,
    provide: (context: Context.Context<Scope.Scope>) => Context.Context<R>
  ): Effect.Effect<A, unknown> =>
    Effect.updateContext(work, (server: Context.Context<never>) =>
      base.pipe(
        Context.add(Scope.Scope, Context.getUnsafe(server, Scope.Scope)),
        Context.add(CurrentRequestId, state.id),
        Context.add(References.CurrentLogAnnotations, { ...annotations, ...logAnnotationsOf(state) }),
        provide
      )
    )

  /** Runs the remaining effect with the services of the request and of its caller. */
  const inContextOfRequest = <A>(
    work: Effect.Effect<A, unknown, HttpServerRequest.HttpServerRequest | Scope.Scope>,
    plan: EndpointPlan,
    { request, state }: PendingRequest,
    admission: Admission<unknown>
  ): Effect.Effect<A, unknown> => {
    const { span } = state
    const provided = inContext(work, state, (common) => {
      const context = common.pipe(
        Context.add(HttpServerRequest.HttpServerRequest, request),
        Context.add(CurrentRequest, state),
        admission.provide
      )
      return span === undefined || tracing === undefined
        ? context
        : tracedContext(context, tracing.tracer, span)
    })
    return plan.uninterruptible ? Effect.uninterruptible(provided) : provided
  }

  const handle: FastPath = (incoming, route, values) => {
    const plan = plans.get(route)
    const { request, state } = incoming
    if (
      plan === undefined ||
      !isLiteral(state.path) ||
      values.some(({ length }) => length > maxParameterLength)
    )
      return undefined
    const queryParams = queryOf(request.url)
    if (queryParams === undefined) return undefined
    const { endpoint, parameters } = plan.route
    const pathParams = Object.fromEntries(parameters.map((name, index) => [name, values[index] ?? ""]))
    const routeRequest = { request, pathParams, queryParams }
    const decodeAndRun = () => decodeAndCall(plan, routeRequest, (value) => replyTo(plan, value, state))
    const runList = (caller: ListCaller) => {
      const content = Effect.suspend(() =>
        decodeAndCall(plan, routeRequest, (value) => contentOf(plan, value))
      )
      return Effect.map(
        readList(listKeyOf(caller, request.url), inContext(content, state, servicesOf(caller))),
        (shared) => checked(plan, shared.value, replyOf(plan, shared, state), state)
      )
    }
    const runAdmitted = (admission: Admission<unknown>) => {
      if (isRepeatable(endpoint) && headerOf(request, "idempotency-key") !== undefined)
        return inContextOfRequest(
          idempotent(endpoint, admission, Effect.suspend(decodeAndRun)),
          plan,
          incoming,
          admission
        )
      // A traced request needs spans of its own.
      if (plan.isListOfBusiness && admission.listCaller !== undefined && state.span === undefined)
        return runList(admission.listCaller)
      const decoded = decodeAndRun()
      const reply = state.verify === undefined ? decoded : verified(decoded, state)
      return Exit.isExit(reply) ? reply : inContextOfRequest(reply, plan, incoming, admission)
    }
    if (plan.callerKind === undefined) return runAdmitted(publicAdmission)
    const credential = credentialOf(plan.callerKind, request, queryParams)
    const isRemembered =
      plan.callerKind === "driverToken" &&
      route.traits.provenBy !== undefined &&
      headerOf(request, "idempotency-key") === undefined
    const admit = isRemembered ? admissions.rememberedDriverToken : admissions[plan.callerKind]
    return Effect.flatMapEager(
      admit({ request, state, credential, permission: plan.permission }),
      runAdmitted
    )
  }
  return handle
})
