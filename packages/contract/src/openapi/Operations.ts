/** The documentation that operations share: their callers, the headers of their responses, and their tags. */
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
  return (scheme && callers[scheme]) ?? "Callers: anyone."
}

/** The description of an operation: its summary, its callers, and whether it can be repeated. */
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
    ...(repeats ? ["With an `Idempotency-Key`, the request can be repeated safely."] : []),
    ...(editsSafely
      ? ["With `If-Match`, the change applies only if the record was not changed since it was read."]
      : [])
  ].join(" ")

/** Whether an operation requires a driver's token. */
export const requiresDriverToken = (operation: Json): boolean => schemesOf(operation).includes("driver_token")

/** Whether an operation requires the access token of a super-admin. */
export const requiresSuperAdmin = (operation: Json): boolean =>
  schemesOf(operation).includes("super_admin_token")

/** The token as a parameter, for clients that are generated without security schemes in the query. */
export const driverToken = {
  name: "token",
  in: "query",
  required: true,
  description: "The token of one assignment, from the driver's link.",
  schema: { type: "string", minLength: 1, maxLength: 100 }
}

const text = { type: "string" }

const integer = { type: "integer", minimum: 0 }

/** The headers of responses, for `components`. */
export const commonHeaders = {
  RequestId: {
    description: "The id of the request, as in `meta.request_id`.",
    schema: { type: "string", pattern: "^req_[0-9a-f]{24}$" }
  },
  RateLimitLimit: {
    description: "The number of requests that the caller may send in a minute.",
    schema: integer
  },
  RateLimitRemaining: { description: "The number of requests left in this minute.", schema: integer },
  RateLimitReset: { description: "The end of the minute, in Unix seconds.", schema: integer },
  RetryAfter: { description: "The seconds to wait before trying again.", schema: integer },
  IdempotencyReplayed: {
    description: "`true` in the stored response to a request that was carried out before.",
    schema: { type: "string", enum: ["true"] }
  },
  Etag: { description: "The version of the record, which has not changed.", schema: text },
  Allow: { description: "The methods that the path supports.", schema: text },
  Challenge: { description: "The scheme of the credentials that the route takes: `Bearer`.", schema: text },
  FileName: { description: "`inline` or `attachment`, with the name of the file.", schema: text },
  FileDigest: { description: "The SHA-256 of the file (RFC 9530): `sha-256=:…:`.", schema: text },
  ExportRows: { description: "How many rows of the file state an amount.", schema: integer },
  ExportSums: {
    description: "The sums of the stated amounts by currency, such as `CHF 12.00, EUR 34.50`.",
    schema: text
  },
  MissingCharacters: {
    description:
      "The characters that no font has, percent-encoded, the first 2,000 bytes; the PDF shows a replacement sign instead.",
    schema: text
  },
  ElectronicInvoice: {
    description: "Whether the PDF has an electronic invoice; businesses outside of Europe need none.",
    schema: { type: "string", enum: ["attached", "not_expected", "incomplete"] }
  },
  ElectronicInvoiceFaults: {
    description: "For `incomplete`: the fields that are missing or contradict others, separated by commas.",
    schema: text
  }
}

const refer = (name: keyof typeof commonHeaders) => ({ $ref: `#/components/headers/${name}` })

const always = {
  "X-Request-Id": refer("RequestId"),
  "X-RateLimit-Limit": refer("RateLimitLimit"),
  "X-RateLimit-Remaining": refer("RateLimitRemaining"),
  "X-RateLimit-Reset": refer("RateLimitReset")
}

const ofPdfs = {
  "Content-Disposition": refer("FileName"),
  "X-Missing-Characters": refer("MissingCharacters"),
  "X-Electronic-Invoice": refer("ElectronicInvoice"),
  "X-Electronic-Invoice-Faults": refer("ElectronicInvoiceFaults")
}

const ofExports = {
  "Content-Disposition": refer("FileName"),
  "Repr-Digest": refer("FileDigest"),
  "X-Export-Rows": refer("ExportRows"),
  "X-Export-Sums": refer("ExportSums")
}

/** A response of a probe with its header. Probes have no rate limit. */
export const withRequestId = (response: Json): Json => ({
  ...response,
  headers: { ...objectOf(response["headers"]), "X-Request-Id": refer("RequestId") }
})

/** The statuses of the responses that are stored for an `Idempotency-Key`. */
const storedStatuses: ReadonlySet<string> = new Set(["200", "201", "402", "404", "409", "422"])

/**
 * A response with the headers that every response of its status, or of its content, has. `repeats`: whether the route takes
 * an `Idempotency-Key`.
 */
export const withCommonHeaders = (status: string, response: Json, repeats: boolean): Json => ({
  ...response,
  headers: {
    ...objectOf(response["headers"]),
    ...always,
    ...("application/pdf" in objectOf(response["content"]) ? ofPdfs : {}),
    ...("text/csv" in objectOf(response["content"]) ? ofExports : {}),
    ...(repeats && storedStatuses.has(status)
      ? { "Idempotency-Replayed": refer("IdempotencyReplayed") }
      : {}),
    ...(status === "304" ? { etag: refer("Etag") } : {}),
    ...(status === "401" ? { "WWW-Authenticate": refer("Challenge") } : {}),
    ...(status === "405" ? { Allow: refer("Allow") } : {}),
    ...(status === "429" || status === "500" || (status === "409" && repeats)
      ? { "Retry-After": refer("RetryAfter") }
      : {})
  }
})

/** The description of each tag. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  Authentication: "Signing up, signing in and out, and passwords.",
  "Current user": "The signed-in user, with businesses, API keys and devices.",
  Business: "The acting business.",
  Staff: "The members of the business, and their roles.",
  Settings: "The profile and the policies of the acting business.",
  Cars: "The cars of the business.",
  Drivers: "The drivers of the business, their invitations and their free time.",
  Customers: "The customers of the business, with their trips and invoices.",
  Products: "What the business offers for booking.",
  Bookings: "Places of products that customers booked.",
  "Booking page": "The public page of a business: its products, prices, and bookings by visitors.",
  Quotes: "Offers to customers, and the trips that they become.",
  "Quotes by link": "A quote, for the holder of its link.",
  Fares: "Tariffs, and the prices of trips.",
  "Drivers' pay": "The schemes by which drivers are paid, and their statements.",
  Trips: "Trips from booking to completion, and their drivers.",
  Invoices: "Invoices of items and trips, and their payments.",
  "Invoice PDFs": "Invoices as PDFs, and their emails to customers.",
  "Credit notes": "Credit notes of invoices.",
  "Billing of trips": "Payment links of trips, and invoices of a month.",
  "Billing of bookings": "Payments and payment links of bookings.",
  Exports: "The books of the business for its adviser, and the report of taxes.",
  "Invoices by link": "An invoice for the holder of its link, and paying it by card.",
  "Payment notices": "Notices of the payment provider.",
  Webhooks: "Endpoints that receive events, and their deliveries.",
  Events: "The events of the business in order, for receivers that missed some.",
  Uploads: "Pictures and documents.",
  Privacy: "Erasing the personal data of a person.",
  "Administration: audit log": "The administrative changes of the platform.",
  "Administration: businesses": "The businesses of the platform.",
  "Administration: coupons": "The platform's coupons.",
  "Administration: invoices of the platform": "The platform's invoices to businesses.",
  "Administration: plans": "The plans that businesses subscribe to.",
  "Administration: privacy": "Erasing the personal data of a person or a user.",
  "Administration: settings": "The settings of the platform.",
  "Administration: users": "The users of the platform.",
  Operations: "Health checks for orchestrators and load balancers.",
  "Signed-in drivers": "The jobs and positions of drivers who sign in.",
  "Drivers without an account": "The job of one assignment, by the token in the driver's link.",
  Tracking: "The positions of drivers, for the business.",
  "Tracking by link": "The position of one trip's driver, for the holder of the tracking link.",
  "Templates of trips": "Fields from which trips are booked, by a name.",
  Dispatch: "The jobs of a day.",
  Reports: "The figures of a time: revenue, trips, punctuality, drivers, cars, unpaid invoices, tax.",
  Meta: "The API's state machines as data."
}
