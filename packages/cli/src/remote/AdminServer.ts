/** A client of a running server for administrative commands, signed in by `livery login`. */
import { Effect, Schema } from "effect"
import { CommandRefused } from "../usage/Refusal.ts"
import { isTemporary, type Method, type RequestOptions, requestTo } from "./RemoteServer.ts"
import { accessToken, type Tokens } from "./SignIn.ts"
import { printable } from "../terminal/TerminalLine.ts"

/** The seconds until a token expires: a longer time would make the file of all tokens invalid. */
const Lifetime = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 366 * 86_400 }))

const TokenBody = Schema.Struct({
  data: Schema.Struct({
    access_token: Schema.String,
    refresh_token: Schema.String,
    expires_in: Lifetime
  })
})

/**
 * The address without slashes at its end. The tokens of the server are stored under it. The address of the API is accepted
 * too, because a server prints it. `invalid_request` for a text that is no address.
 */
export const addressOf = (url: string) =>
  /^https?:\/\//iu.test(url) && URL.canParse(url)
    ? Effect.succeed(url.replace(/\/+$/u, "").replace(/\/api\/v1$/u, ""))
    : Effect.fail(
        new CommandRefused({
          type: "invalid_request",
          reason: `--url ${printable(url)} is not an address: use one such as https://livery.example`
        })
      )

const tokensOf = ({ data }: typeof TokenBody.Type): Tokens => ({
  access_token: data.access_token,
  refresh_token: data.refresh_token,
  expires_at: Date.now() + data.expires_in * 1000
})

/** Signs in with email and password. */
export const signIn = (address: string, email: string, password: string) =>
  Effect.map(
    requestTo(address, undefined)("POST", "/auth/login", {
      payload: { email, password, device_name: "livery" },
      schema: TokenBody
    }),
    tokensOf
  )

const signInEnded = (address: string) =>
  new CommandRefused({
    type: "unauthenticated",
    reason: `The sign-in has ended. Sign in again: livery login --url ${address} --email YOUR_EMAIL`
  })

const renew = (address: string) => (refresh_token: string) =>
  requestTo(address, undefined)("POST", "/auth/refresh", {
    payload: { refresh_token },
    schema: TokenBody
  }).pipe(
    Effect.map(tokensOf),
    Effect.mapError((error) => (isTemporary(error) ? error : signInEnded(address)))
  )

/** Ends a session. */
export const signOut = (address: string, refresh_token: string) =>
  requestTo(address, undefined)("POST", "/auth/logout", {
    payload: { refresh_token },
    schema: Schema.Struct({ data: Schema.Unknown })
  })

/** A valid access token of `livery login` for a server. `unauthenticated` if there is none, or if the sign-in has ended. */
export const signedInToken = (address: string) => accessToken(address, renew(address))

/** Requests an administrative route. `unauthenticated` if there is no sign-in to the server, or if it has ended. */
export const administer = Effect.fnUntraced(function* <A>(
  url: string,
  method: Method,
  path: string,
  options: RequestOptions<A>
) {
  const address = yield* addressOf(url)
  const token = yield* signedInToken(address)
  return yield* Effect.mapError(
    requestTo(address, token)(method, `/admin${path}`, options),
    // A session can end before its access token expires, for example by a new password.
    (error) => (error.type === "unauthorized" ? signInEnded(address) : error)
  )
})
