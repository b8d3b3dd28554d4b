/** The typed client of Livery's API. `livery()` makes it; `verifyWebhook()` checks and parses an event that was posted. */
export { livery, type Livery, type LiveryOptions } from "./Livery.ts"
export type {
  Call,
  CallOptions,
  EventPagination,
  Full,
  List,
  Meta,
  Page,
  PagePagination,
  Query,
  StreamEvent
} from "./Calls.ts"
export { LiveryError, type ErrorType, type LiveryErrorOf, type Refusal } from "./LiveryError.ts"
export type { RequestSettings } from "./Requests.ts"
export type { CookieSession, Credentials, TokenSession, Tokens } from "./Credentials.ts"
export { verifyWebhook, WebhookRefused, type VerifyOptions, type WebhookEvent } from "./Webhooks.ts"
export type * from "./generated/Types.ts"
