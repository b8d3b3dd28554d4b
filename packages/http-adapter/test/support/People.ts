/** Users and businesses, created through the API: sign-up, verification, login and API keys. */
import {
  AdminBusinessRepository,
  BusinessId,
  MailOutbox,
  MemberRepository,
  type Role,
  SessionRepository,
  UserId
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { Rows } from "./Rows.ts"
import { expireCredentials } from "./TestPorts.ts"
import { type Answer, record, type TestServer } from "./TestServer.ts"

let people = 0

/** The input of a registration. */
export const newcomer = () => {
  const number = (people += 1)
  return {
    name: `Person ${number}`,
    email: `person${number}@example.com`,
    password: `correct horse ${number}`,
    business_name: `Chauffeurs ${number}`
  }
}

/** The waiting messages to an address. It empties the outbox. */
export const messagesTo = Effect.fnUntraced(function* (email: string) {
  const outbox = yield* MailOutbox
  const claimed = yield* outbox.claim(100)
  yield* Effect.forEach(claimed, ({ mailId }) => outbox.sent(mailId))
  return claimed.flatMap(({ message }) => (message?.to === email ? [message] : []))
})

/** The code that was mailed to an address. */
export const codeFor = Effect.fnUntraced(function* (email: string) {
  const messages = yield* messagesTo(email)
  assert.lengthOf(messages, 1)
  return /(?:[0-9A-Z]+-)?[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}/u.exec(messages[0]?.text ?? "")?.[0] ?? "no code"
})

/** Signs a new user up. */
export const signUp = Effect.fnUntraced(function* (server: TestServer) {
  const person = newcomer()
  const { business_id, user_id } = record(yield* server.send("POST", "/auth/register", { body: person }))
  return { ...person, userId: Number(user_id), businessId: Number(business_id) }
})

/** A new user with a verified email. */
export const member = Effect.fnUntraced(function* (server: TestServer) {
  const person = yield* signUp(server)
  const code = yield* codeFor(person.email)
  assert.deepInclude(record(yield* server.send("POST", "/auth/verify-email", { body: { code } })), {
    verified: true
  })
  return person
})

/** The response to a login. */
export const login = (
  server: TestServer,
  { email, password }: { readonly email: string; readonly password: string }
) => server.send("POST", "/auth/login", { body: { email, password } })

const tokenOf = (answer: Answer) => String(record(answer)["access_token"])

/** A new signed-in user, with an access token. */
export const operator = Effect.fnUntraced(function* (server: TestServer) {
  const person = yield* member(server)
  return { ...person, token: tokenOf(yield* login(server, person)) }
})

/** A new business: its owner's access token and an API key. */
export const business = Effect.fnUntraced(function* (server: TestServer) {
  const owner = yield* operator(server)
  const key = record(yield* server.send("POST", "/me/api-keys", { credential: owner.token }))
  return { ...owner, key: String(key["api_key"]) }
})

/** A new signed-in super-admin, with an access token. */
export const superAdmin = Effect.fnUntraced(function* (server: TestServer) {
  const root = yield* operator(server)
  yield* Rows.use((rows) => rows.setAccountType(root.userId, "S"))
  yield* expireCredentials
  return root
})

/** Changes a user's account type to driver. */
export const makeDriver = Effect.fnUntraced(function* (userId: number) {
  yield* Rows.use((rows) => rows.setAccountType(userId, "D"))
  yield* expireCredentials
})

/** Suspends or reactivates a business. */
export const setStatus = Effect.fnUntraced(function* (businessId: number, status: "A" | "D") {
  const businesses = yield* AdminBusinessRepository
  yield* businesses.setStatus(BusinessId.make(businessId), status, yield* DateTime.now)
  yield* expireCredentials
})

/** Sets the balance of a business's email credits. */
export const setCredits = Effect.fnUntraced(function* (businessId: number, credits: number) {
  const businesses = yield* AdminBusinessRepository
  yield* businesses.setCredits(BusinessId.make(businessId), credits, yield* DateTime.now)
})

/** The balance of a business's email credits. */
export const creditsOf = (businessId: number) =>
  AdminBusinessRepository.use(({ find }) =>
    Effect.map(find(BusinessId.make(businessId)), (found) => Option.getOrThrow(found).email_credits)
  )

/** Makes a user a member of another business. */
export const assign = Effect.fnUntraced(function* (businessId: number, userId: number, role: Role = "owner") {
  yield* MemberRepository.use(({ add }) => add(BusinessId.make(businessId), UserId.make(userId), role))
  yield* expireCredentials
})

/** Ends all memberships of a user. */
export const leaveBusinesses = Effect.fnUntraced(function* (userId: number) {
  const id = UserId.make(userId)
  const businesses = yield* SessionRepository.use(({ businessesOf }) => businessesOf(id))
  for (const { business_id } of businesses)
    yield* MemberRepository.use(({ remove }) => remove(business_id, id))
})

/** The access token of a new member of a business, whose only business it is. */
export const memberOf = Effect.fnUntraced(function* (server: TestServer, businessId: number, role: Role) {
  const { token, userId } = yield* operator(server)
  yield* leaveBusinesses(userId)
  yield* assign(businessId, userId, role)
  return token
})
