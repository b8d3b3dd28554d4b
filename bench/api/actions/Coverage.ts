/** Whether the benchmark measures every route that is no list. */
import { script } from "./Script.ts"

/** The method and the path of each step, without query and remarks. */
export const measuredRoutes: ReadonlyArray<string> = script.map(({ name }) => name.replace(/[?,].*$/u, ""))

/** The routes that are not measured, and why. */
export const unmeasuredRoutes: Readonly<Record<string, string>> = {
  "GET /admin/saas-coupons/{id}":
    "the lists of coupons and of the platform's invoices are filled in databases of their own",
  "GET /admin/saas-invoices/{id}": "the same",
  "GET /meta/state-machines": "it sends no statement",
  "GET /trips/{id}/location/stream": "it does not end",
  "GET /public/tracking/{token}/stream": "it does not end",
  "GET /dispatch/stream": "the same",
  "GET /public/calendars/{token}/calendar.ics": "it is a file of all trips, and is not compared with a peer",
  "GET /auth/idp": "it sends no statement",
  "POST /auth/idp": "it needs an identity provider",
  "POST /auth/idp/begin": "the same",
  "POST /auth/idp/finish": "the same",
  "POST /auth/accept-invitation": "it needs the code of an email",
  "POST /auth/password-reset/confirm": "the same",
  "POST /auth/demonstration": "it needs the code of a link, which works once",
  "POST /me/password": "it ends the sessions of the caller",
  "POST /me/businesses": "a user has at most 20 businesses",
  "GET /reports/{report}": "a report adds up a month, and is not compared with a peer",
  "POST /me/views": "a user has at most 100 views",
  "PATCH /me/views/{id}": "the same",
  "DELETE /me/views/{id}": "the same",
  "POST /imports": "it only stores the lines; bench/imports.ts measures the whole import",
  "POST /imports/columns": "it only reads a file",
  "GET /imports/{id}": "it only stores the lines; bench/imports.ts measures the whole import",
  "GET /imports/{id}/refused": "the same",
  "POST /cars/bulk": "the plan limits the active cars, and the drivers",
  "POST /drivers/bulk": "the same",
  "POST /public/payments/stripe": "it needs a signed notice",
  "GET /me/push-key": "it sends no statement",
  "POST /settings/text-gateway": "the peer has no gateways",
  "DELETE /settings/text-gateway": "the same",
  "POST /settings/text-gateway/test": "the same",
  "GET /settings/text-gateway": "the same",
  "POST /public/text-callbacks/{token}": "the same",
  "GET /settings/notices": "the peer sends no notices",
  "PATCH /settings/notices": "the same",
  "POST /settings/notices/preview": "the same",
  "GET /customers/{id}/notice-preferences": "the same",
  "PATCH /customers/{id}/notice-preferences": "the same",
  "POST /drivers/{id}/messages": "the same"
}
