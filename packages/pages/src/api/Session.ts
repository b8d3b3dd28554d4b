/**
 * The session of a signed-in person. The access token is in memory. The refresh token is in a cookie that scripts cannot read,
 * where the server sets one; else it is in memory too, and a new page needs a new sign-in.
 */
import { send } from "./Api.ts"
import { Failure } from "./Failure.ts"
import { actingBusiness, chosenBusiness, cookieMark, hold, isSignedIn, person } from "./Person.ts"

/** A business that the person may act for. */
export interface BusinessChoice {
  readonly business_id: number
  readonly business_name: string
}

interface Tokens {
  readonly access_token: string
  readonly refresh_token?: string
  readonly expires_in: number
}

/** The response to a sign-in. */
export interface Login extends Tokens {
  readonly businesses: ReadonlyArray<BusinessChoice>
}

/** The access token of a person. */
let access: { readonly token: string; readonly until: number; readonly holder: string } | undefined
let refreshToken: string | undefined
let refreshing: Promise<string | undefined> | undefined

/** The tabs of a browser tell each other the end of a session. */
const channel = typeof BroadcastChannel === "function" ? new BroadcastChannel(cookieMark) : undefined
channel?.addEventListener("message", () => forget())

const forget = () => {
  access = undefined
  hold("")
  refreshToken = undefined
  localStorage.removeItem(cookieMark)
  localStorage.removeItem(chosenBusiness)
  isSignedIn.value = false
}

/** A token is replaced this long before it ends, in milliseconds. */
const margin = 30_000

/** The person of an access token: its claim `sub`. */
const subjectOf = (token: string) => {
  const [, claims = ""] = token.split(".")
  return (JSON.parse(atob(claims.replaceAll("-", "+").replaceAll("_", "/"))) as { readonly sub: string }).sub
}

const take = ({ access_token, expires_in, refresh_token }: Tokens) => {
  const holder = subjectOf(access_token)
  access = { token: access_token, until: Date.now() + expires_in * 1000 - margin, holder }
  refreshToken = refresh_token
  hold(holder)
  if (refresh_token === undefined) localStorage.setItem(cookieMark, holder)
  isSignedIn.value = true
  return access_token
}

/** A request about the session itself, with its cookie. */
const sendToAuth = <A>(path: string, body?: object): Promise<A> =>
  send<A>(`/auth/${path}`, {
    method: "POST",
    headers: { "Livery-Session": "cookie", ...(body && { "Content-Type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) })
  })

/** The refresh token in the body; nothing if it is in the cookie. */
const tokenBody = () => (refreshToken === undefined ? undefined : { refresh_token: refreshToken })

const takeLogin = (login: Login) => {
  take(login)
  const [only, ...others] = login.businesses
  if (only !== undefined && others.length === 0) chooseBusiness(only.business_id)
  return login
}

/** Signs in, and resolves to the businesses to choose from. */
export const signIn = async (email: string, password: string): Promise<Login> =>
  takeLogin(await sendToAuth<Login>("login", { email, password }))

/** Signs in to the demonstration business with the code of the link that the server printed; it succeeds once. */
export const signInToDemonstration = async (code: string): Promise<Login> =>
  takeLogin(await sendToAuth<Login>("demonstration", { code }))

/** Begins a sign-in with an identity provider. Resolves to the address that the browser has to go to. */
export const beginWithProvider = async (issuer: string): Promise<string> =>
  (await sendToAuth<{ readonly authorization_url: string }>("idp/begin", { issuer })).authorization_url

/** Signs in with what the provider sent back. It succeeds once, and only in the browser that began. */
export const finishWithProvider = async (sent: object): Promise<Login> =>
  takeLogin(await sendToAuth<Login>("idp/finish", sent))

/** Runs `work` while no other tab does: each refresh replaces the token in the cookie. */
const alone = <A>(work: () => Promise<A>): Promise<A> =>
  "locks" in navigator ? navigator.locks.request(cookieMark, work) : work()

const refresh = async () => {
  if (refreshToken === undefined && localStorage.getItem(cookieMark) === null) return undefined
  try {
    return take(await alone(() => sendToAuth<Tokens>("refresh", tokenBody())))
  } catch (error) {
    if (error instanceof Failure && error.isPassing) throw error
    forget()
    return undefined
  }
}

/** A token of the signed-in person; undefined if the session has ended. A token that the server refused is replaced. */
export const accessToken = async (isRefused = false): Promise<string | undefined> => {
  if (isRefused) access = undefined
  if (access?.holder === person() && Date.now() < access.until) return access.token
  refreshing ??= refresh().finally(() => {
    refreshing = undefined
  })
  return refreshing
}

/** Finds out whether the browser has a session. Without a connection, an earlier session counts. */
export const restore = async (): Promise<void> => {
  try {
    isSignedIn.value = (await accessToken()) !== undefined
  } catch {
    isSignedIn.value = true
  }
}

/** Ends the session here and on the server. */
export const signOut = async (): Promise<void> => {
  const ending = sendToAuth("logout", tokenBody())
  forget()
  // A channel has no target origin, as windows have.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
  channel?.postMessage("ended")
  await ending.catch(() => undefined)
}

/** Acts for a business from now on. */
export const chooseBusiness = (id: number): void => localStorage.setItem(chosenBusiness, String(id))

/**
 * A request of the signed-in person. A refused token is replaced once; then the session has ended. If another person signs in
 * meanwhile, the request is not sent.
 */
export const sendSignedIn = async <A>(
  path: string,
  {
    headers,
    ...init
  }: Omit<RequestInit, "headers"> & { readonly headers?: Readonly<Record<string, string>> } = {},
  business = actingBusiness()
): Promise<A> => {
  const sender = person()
  const attempt = async () => {
    const token = await accessToken()
    if (token === undefined || sender !== person()) throw new Failure(401, "unauthorized", "")
    return send<A>(path, {
      ...init,
      headers: {
        ...headers,
        Authorization: `Bearer ${token}`,
        ...(business === undefined ? {} : { "X-Business-Id": String(business) })
      }
    })
  }
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 401) throw error
    await accessToken(true)
    return attempt()
  }
}
