/**
 * Lists of a business that several callers request at the same time: the screens of its dispatchers after an event, or programs
 * that poll. Requests of one list that begin together share one run of its handler, with its statement and its JSON
 * (`makeSharedWork`). Each caller is admitted, counted and logged as before, and gets its own request id.
 *
 * Requests share a run if they have the same target, business and role. No other property of a caller reaches the handler of such
 * a list: `CurrentUser` is not provided to it, and no read uses `CurrentActor`.
 */
import { type Context, Effect } from "effect"
import { ActingBusiness, makeSharedWork } from "@livery/domain"
import type { Reader } from "../access/AdmissionRequest.ts"
import type { JsonContent } from "./HandlerReply.ts"

type Content = Effect.Effect<JsonContent, unknown>

const fieldsOfBusiness = Object.keys(ActingBusiness.fields) as ReadonlyArray<keyof ActingBusiness>

/** The identity of a list. It has all fields of the reader's business, since its time zone, for one, may just have changed. */
export const listKeyOf = ({ acting, role }: Reader, target: string): string =>
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
