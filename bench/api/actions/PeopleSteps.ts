/** Sign-in, accounts, members, settings, webhooks, uploads, erasures and administration. */
import { password } from "../lists/SignIn.ts"
import { quietTime, ride, type Step, step, stepBy } from "./Step.ts"

const anyone = stepBy("nobody")
const person = stepBy("person")
const admin = stepBy("admin")

const accounts: ReadonlyArray<Step> = [
  anyone("POST /auth/login", {
    body: ({ email }) => ({ email, password }),
    keep: { refresh: "refresh_token" }
  }),
  anyone("POST /auth/refresh", {
    body: ({ refresh }) => ({ refresh_token: refresh }),
    keep: { refresh: "refresh_token" }
  }),
  anyone("POST /auth/logout", { body: ({ refresh }) => ({ refresh_token: refresh }) }),
  anyone("POST /auth/register", {
    body: ({ unique }) => ({
      name: "Grace",
      email: `founder-${String(unique)}@example.com`,
      password,
      business_name: `Business ${String(unique)}`
    })
  }),
  anyone("POST /auth/password-reset", {
    body: ({ unique }) => ({ email: `founder-${String(unique)}@example.com` })
  }),
  anyone("POST /auth/verify-email/resend", {
    body: ({ unique }) => ({ email: `founder-${String(unique)}@example.com` })
  }),
  anyone("POST /auth/verify-email, a wrong code", { body: () => ({ code: "wrong" }) }),
  person("GET /me"),
  person("PATCH /me", { body: ({ unique }) => ({ name: `Person ${String(unique)}` }) }),
  person("GET /me/businesses"),
  person("POST /me/api-keys", { keep: { newKey: "api_key" } }),
  person("GET /me/api-keys"),
  person("DELETE /me/api-keys", { body: ({ newKey }) => ({ api_key: newKey }) }),
  person("POST /me/devices", { body: () => ({ device_token: "device", platform: "ios" }) }),
  person("GET /me/devices"),
  person("GET /me/views"),
  person("GET /me/preferences"),
  person("PATCH /me/preferences", { body: () => ({ theme: "dark" }) }),
  person("DELETE /me/devices", { body: () => ({ device_token: "device" }) })
]

const business: ReadonlyArray<Step> = [
  step("GET /ping"),
  step("GET /business"),
  step("GET /settings/business"),
  step("GET /settings/flights"),
  step("PATCH /settings/flights", { body: () => ({ buffer_minutes: 15 }) }),
  step("GET /settings/invoice-numbers"),
  step("PATCH /settings/invoice-numbers", { body: () => ({ format: "INV-{N:6}" }) }),
  step("GET /settings/credit-note-numbers"),
  step("PATCH /settings/credit-note-numbers", { body: () => ({ format: "CN-{N:6}" }) }),
  step("PATCH /settings/business", { body: ({ unique }) => ({ address: `Street ${String(unique)}` }) }),
  person("POST /business/members", {
    body: ({ unique }) => ({ email: `member-${String(unique)}@example.com`, role: "viewer" })
  }),
  person("DELETE /business/members/invitations", {
    body: ({ unique }) => ({ email: `member-${String(unique)}@example.com` })
  }),
  person("PATCH /business/members/{member}", { body: () => ({ role: "dispatcher" }) }),
  person("DELETE /business/members/{member}"),
  step("POST /uploads", {
    body: () => {
      const form = new FormData()
      form.set(
        "file",
        new Blob(["%PDF-1.4\n1 0 obj\n<<>>\nendobj\n%%EOF\n"], { type: "application/pdf" }),
        "a.pdf"
      )
      return form
    }
  })
]

const webhooks: ReadonlyArray<Step> = [
  step("POST /webhooks", {
    body: () => ({ url: "https://receiver.example.com/", events: ["trip.completed"] }),
    keep: { newEndpoint: "endpoint_id" }
  }),
  step("GET /webhooks"),
  step("GET /webhooks/{newEndpoint}"),
  step("PATCH /webhooks/{newEndpoint}", { body: () => ({ events: ["invoice.paid"] }) }),
  step("POST /webhooks/{newEndpoint}/rotate-secret"),
  step("POST /webhooks/{newEndpoint}/test", { body: () => ({ event_type: "trip.created" }) }),
  step("POST /webhooks/{endpoint}/deliveries/{failed}/retry, of the endpoint with all deliveries"),
  step("PATCH /webhooks/{newEndpoint}, disabled", { body: () => ({ status: "disabled" }) }),
  step("DELETE /webhooks/{newEndpoint}"),
  step("GET /events?after=latest")
]

const erasures: ReadonlyArray<Step> = [
  step("POST /customers, to be erased", {
    body: ({ unique, phone }) => ({ name: "Eve Person", email: `eve-${String(unique)}@example.com`, phone }),
    keep: { eve: "customer_id" }
  }),
  step("POST /trips, to be erased", {
    body: ({ eve }) => ({ ...ride, customer_name: "Eve Person", customer_id: eve, trip_date: quietTime(7) })
  }),
  step("POST /customers/{eve}/erase", { body: () => ({ force: true }), isLong: true }),
  step("POST /persons/erase, by email", {
    body: ({ unique }) => ({ email: `eve-${String(unique)}@example.com`, force: true }),
    isLong: true
  }),
  step("POST /persons/erase, by phone", { body: ({ phone }) => ({ phone, force: true }), isLong: true }),
  step("POST /drivers, to be erased", {
    body: () => ({ name: "Eve Driver" }),
    keep: { eveDriver: "driver_id" }
  }),
  step("POST /drivers/{eveDriver}/erase", { body: () => ({ force: true }), isLong: true })
]

const administration: ReadonlyArray<Step> = [
  admin("GET /admin/businesses/{business}"),
  admin("GET /admin/businesses/{business}/usage"),
  admin("PATCH /admin/businesses/{business}", {
    body: () => ({ subscription_status: "active", timezone: "Europe/Zurich" })
  }),
  admin("POST /admin/businesses/{business}/credits", { body: () => ({ credits: 1, reason: "Test" }) }),
  admin("POST /admin/businesses/{business}/suspend, again active", { body: () => ({ action: "activate" }) }),
  admin("POST /admin/users", {
    body: ({ unique }) => ({ name: "Grace", email: `user-${String(unique)}@example.com`, password }),
    keep: { user: "id" }
  }),
  admin("GET /admin/users/{user}"),
  admin("POST /admin/users/{user}/business-assignment", {
    body: (known) => ({ business_id: known["business"], action: "assign" })
  }),
  admin("POST /admin/users/{user}/password-reset", { body: () => ({ password: "another horse" }) }),
  admin("POST /admin/users/{user}/erase", { body: () => ({ force: true }) }),
  admin("POST /admin/businesses/{business}/persons/erase", {
    body: ({ unique }) => ({ email: `eve-${String(unique)}@example.com`, force: true }),
    isLong: true
  }),
  admin("GET /admin/settings"),
  admin("PATCH /admin/settings/default_plan_id", { body: () => ({ value: 1 }) }),
  admin("GET /admin/plans"),
  admin("GET /admin/plans/1")
]

/** The steps of people, settings, webhooks and administration, in order. */
export const peopleSteps: ReadonlyArray<Step> = [
  ...accounts,
  ...business,
  ...webhooks,
  ...erasures,
  ...administration
]
