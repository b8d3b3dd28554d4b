/** The credentials of a client, and the refresh of its session: one at a time, in all tabs of a browser. */

/** The tokens of a session. */
export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
}

/** A session whose refresh token the program keeps. */
export interface TokenSession {
  readonly refreshToken: string
  readonly accessToken?: string | undefined
  /** Called with the new tokens after each refresh, and with `undefined` once the session has ended. */
  readonly onChange?: ((tokens: Tokens | undefined) => void) | undefined
}

/** A session of a page, whose refresh token is in a cookie that scripts cannot read. */
export interface CookieSession {
  readonly cookie: true
  /** Called with the new access token after each refresh, and with `undefined` once the session has ended. */
  readonly onChange?: ((tokens: { readonly accessToken: string } | undefined) => void) | undefined
}

/** At most one of the credentials; public operations need none. */
export interface Credentials {
  /** An API key of a business. */
  readonly apiKey?: string | undefined
  /** The access token of a user, which the program refreshes itself; a function returns the current one. */
  readonly accessToken?: string | (() => string | Promise<string>) | undefined
  /** A session that the client refreshes. */
  readonly session?: TokenSession | CookieSession | undefined
  /** The token of one assignment, from a driver's link. */
  readonly driverToken?: string | undefined
}

interface Issued {
  readonly access_token: string
  readonly refresh_token?: string
  readonly expires_in?: number
}

/** A session in memory. */
export interface Session {
  readonly isCookie: boolean
  readonly refreshToken: () => string | undefined
  /** A valid access token; undefined if the session has ended. `refused` is the token that the server refused. */
  readonly token: (refused?: string) => Promise<string | undefined>
  /** Runs `work` while nothing else refreshes the session, in all tabs of a browser. */
  readonly alone: <A>(work: () => Promise<A>) => Promise<A>
  /** Takes the tokens of a response to a login or a refresh. */
  readonly take: (issued: Issued) => void
  /** Forgets the tokens. */
  readonly end: () => void
}

/** Runs `work` while no other tab of the same origin runs it, where the browser has locks. */
const locked = <A>(work: () => Promise<A>): Promise<A> => {
  const { locks } = (globalThis.navigator ?? {}) as Partial<Navigator>
  return locks === undefined ? work() : locks.request("livery-session", work)
}

/** An access token is refreshed this long before it expires, in milliseconds. */
const margin = 30_000

/** Makes a session; `refresh` exchanges a refresh token, and resolves to undefined if the session has ended. */
export const makeSession = (
  options: TokenSession | CookieSession,
  refresh: (refreshToken: string | undefined) => Promise<Issued | undefined>
): Session => {
  const isCookie = "cookie" in options
  let refreshToken = isCookie ? undefined : options.refreshToken
  let accessToken = isCookie ? undefined : options.accessToken
  let expires = Infinity
  let refreshing: Promise<string | undefined> | undefined
  let last: Promise<unknown> = Promise.resolve()
  const channel =
    isCookie && typeof BroadcastChannel === "function" ? new BroadcastChannel("livery-session") : undefined

  const set = (issued: Issued | undefined) => {
    accessToken = issued?.access_token
    refreshToken = issued === undefined ? undefined : (issued.refresh_token ?? refreshToken)
    expires = issued?.expires_in === undefined ? Infinity : Date.now() + issued.expires_in * 1000
    options.onChange?.(
      accessToken === undefined ? undefined : { accessToken, refreshToken: refreshToken ?? "" }
    )
  }
  if (channel !== undefined) {
    channel.addEventListener("message", ({ data }: Event & { readonly data?: unknown }) =>
      set(data as Issued | undefined)
    )
    // In Node, an open channel would keep the process running.
    ;(channel as { unref?: () => void }).unref?.()
  }
  const change = (issued: Issued | undefined) => {
    set(issued)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
    channel?.postMessage(issued)
  }

  const isValid = (refused: string | undefined) =>
    accessToken !== undefined && accessToken !== refused && Date.now() < expires - margin

  const alone: Session["alone"] = (work) => {
    const done = last.then(() => (isCookie ? locked(work) : work()))
    last = done.catch(() => {})
    return done
  }

  const renew = async (refused: string | undefined) => {
    // Another tab may have refreshed while this one waited.
    if (isValid(refused)) return accessToken
    if (!isCookie && refreshToken === undefined) return undefined
    change(await refresh(refreshToken))
    return accessToken
  }

  return {
    isCookie,
    refreshToken: () => refreshToken,
    token: (refused) => {
      if (isValid(refused)) return Promise.resolve(accessToken)
      refreshing ??= alone(() => renew(refused)).finally(() => {
        refreshing = undefined
      })
      return refreshing
    },
    alone,
    take: change,
    end: () => change(undefined)
  }
}
