/**
 * Lists of a business that several callers request at the same time: the screens of its dispatchers after an event, or programs
 * that poll. Requests of one list that begin together share one run of its handler, with its statement and its JSON
 * (`makeSharedWork`). Each request is admitted, counted and logged on its own, and has its own id.
 *
 * Requests share a run if they have the same target, business and role. The handler of such a list gets nothing else of a
 * caller: its input has no `request`, and of the services of a caller its context has only `CurrentBusiness` and
 * `CurrentRole`. Log lines that it writes have the id of the first request.
 */
import { type Context, Effect } from "effect"
import { ActingBusiness, makeSharedWork } from "@livery/domain"
import type { ListCaller } from "../access/AdmissionRequest.ts"
import type { JsonContent } from "./HandlerReply.ts"

type Content = Effect.Effect<JsonContent, unknown>

const fieldsOfBusiness = Object.keys(ActingBusiness.fields) as ReadonlyArray<keyof ActingBusiness>

/** The identity of a list. It has all fields of the caller's business, since its time zone, for one, may just have changed. */
export const listKeyOf = ({ acting, role }: ListCaller, target: string): string =>
  JSON.stringify([target, role, ...fieldsOfBusiness.map((name) => acting[name])])

/** Makes the function that reads the list of that key. A shared run starts with the services of `context`. */
export const makeSharedLists = (context: Context.Context<never>): ((key: string, read: Content) => Content) =>
  makeSharedWork<string, Content, JsonContent, JsonContent, unknown>({
    alone: (_, read) => read,
    // The scope of one request may close before the others have their replies.
    together: (_, [read]) => Effect.runForkWith(context)(Effect.scoped(read)),
    resultOf: (content) => content,
    atEndOfIteration: setImmediate
  })
