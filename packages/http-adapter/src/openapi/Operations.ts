/** What the document says of every operation of its kind: who may call it, headers that all responses have, tags. */
import { type Json, listOf, objectOf, textOf } from "./Json.ts"

const callers: Readonly<Record<string, string>> = {
  business_credential: "Callers: an API key of the business, or a user's access token.",
  user_token: "Callers: a signed-in user.",
  driver_account: "Callers: a signed-in driver.",
  driver_token: "Callers: the holder of the token of an assignment."
}

const schemesOf = ({ security }: Json) => listOf(security).flatMap((scheme) => Object.keys(objectOf(scheme)))

const callersOf = (operation: Json) => {
  const [scheme] = schemesOf(operation)
  return (scheme && callers[scheme]) ?? "Callers: anybody."
}

/** What an operation does, who may call it, and how it may be repeated. */
export const descriptionOf = (
  operation: Json,
  {
    editsSafely,
    repeats,
    roles
  }: {
    readonly editsSafely: boolean
    readonly repeats: boolean
    readonly roles?: ReadonlyArray<string> | undefined
  }
): string =>
  [
    `${textOf(operation["summary"]).replace(/\.$/u, "")}.`,
    callersOf(operation),
    ...(roles === undefined ? [] : [`Roles of members: ${roles.join(", ")}.`]),
    ...(repeats ? ["A request that may have to be repeated takes an `Idempotency-Key`."] : []),
    ...(editsSafely ? ["With `If-Match`, only the state that was read is changed."] : [])
  ].join(" ")

/** Whether the callers of an operation are named by a driver's token. */
export const takesToken = (operation: Json): boolean => schemesOf(operation).includes("driver_token")

/** The token as a parameter, for clients that are generated without security schemes in the query. */
export const driverToken = {
  name: "token",
  in: "query",
  required: true,
  description: "The token of one assignment, from the driver's link.",
  schema: { type: "string", minLength: 1, maxLength: 100 }
}

const integer = { type: "integer", minimum: 0 }

/** The headers of responses, for `components`. */
export const commonHeaders = {
  RequestId: {
    description: "The id of the request, as in `meta.request_id`.",
    schema: { type: "string", pattern: "^req_[0-9a-f]{24}$" }
  },
  RateLimitLimit: { description: "The requests that the caller may send in a minute.", schema: integer },
  RateLimitRemaining: { description: "How many of them are left.", schema: integer },
  RateLimitReset: { description: "When the minute ends, in seconds since 1970.", schema: integer },
  RetryAfter: { description: "After how many seconds to try again.", schema: integer },
  Allow: { description: "The methods that the path has.", schema: { type: "string" } }
}

const refer = (name: keyof typeof commonHeaders) => ({ $ref: `#/components/headers/${name}` })

const always = {
  "X-Request-Id": refer("RequestId"),
  "X-RateLimit-Limit": refer("RateLimitLimit"),
  "X-RateLimit-Remaining": refer("RateLimitRemaining"),
  "X-RateLimit-Reset": refer("RateLimitReset")
}

/** A response with the headers that every response of its status has. */
export const withCommonHeaders = (status: string, response: Json): Json => ({
  ...response,
  headers: {
    ...objectOf(response["headers"]),
    ...always,
    ...(status === "405" ? { Allow: refer("Allow") } : {}),
    ...(status === "429" || status === "500" ? { "Retry-After": refer("RetryAfter") } : {})
  }
})

/** What the operations of each tag are about. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  Authentication: "Signing up, signing in and out, and passwords.",
  "Current user": "The signed-in user, and what belongs to that person: businesses, API keys, devices.",
  Business: "The acting business.",
  Settings: "How the acting business works.",
  Cars: "The cars of the business.",
  Drivers: "The drivers of the business, their invitations and their free time.",
  Customers: "The customers of the business, with their trips and invoices.",
  Fares: "Tariffs, and the prices of trips.",
  Trips: "Trips from booking to completion, and who drives them.",
  Webhooks: "Endpoints that events are sent to, and their deliveries.",
  Events: "The events of the business in their order, to catch up.",
  Uploads: "Pictures and documents.",
  Operations: "Probes of orchestrators.",
  "Signed-in drivers": "The jobs and positions of drivers who sign in.",
  "Drivers without an account": "One job, by the token in its link.",
  Tracking: "Where drivers are, for the business.",
  "Tracking by link": "Where the driver of one trip is, for the holder of its link.",
  Dispatch: "The jobs of a day.",
  Meta: "The rules of the API as data."
}
