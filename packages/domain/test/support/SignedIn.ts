/** People who are signed in, over the ports in memory: what tests of sessions and of passwords begin with. */
import {
  Authentication,
  Cryptography,
  LoginInput,
  Passwords,
  RefreshGrace,
  ResetLink,
  Sessions
} from "@livery/domain"
import { Duration, Effect, Layer, Redacted } from "effect"
import { accounts } from "./Accounts.ts"
import { decoded } from "./Decoding.ts"
import { user } from "./People.ts"

export const firstPassword = "correct horse"

/** Zoë has an account, verified unless told. */
export const scene = Effect.fnUntraced(function* (options: { grace?: number; verified?: boolean } = {}) {
  const world = accounts()
  const context = yield* Layer.build(
    Layer.merge(Sessions.layer, Passwords.layer).pipe(
      Layer.provide(Authentication.layer),
      Layer.provideMerge(Cryptography.layerWebCrypto),
      Layer.provide(world.layer),
      Layer.provide([
        Layer.succeed(RefreshGrace, Duration.seconds(options.grace ?? 0)),
        Layer.succeed(ResetLink, (code: string) => `https://app.example/#${code}`)
      ])
    )
  )
  const zoe = { ...user(1).user, email: "zoe@example.com", email_verified: options.verified ?? true }
  world.stored.accounts.push({ passwordHash: "hash 0 of 13:e", user: zoe })
  const sessions = yield* Effect.provide(Sessions, context)
  const passwords = yield* Effect.provide(Passwords, context)
  const login = (password = firstPassword) =>
    sessions.login(decoded(LoginInput, { email: zoe.email, password, device_name: null }))
  const refresh = (token: string) =>
    Effect.map(sessions.refresh(Redacted.make(token)), ({ refresh_token }) => refresh_token)
  return {
    ...world,
    zoe,
    sessions,
    passwords,
    login,
    refresh,
    /** The tag of the refusal, or the successor. */
    tried: (token: string) =>
      Effect.match(refresh(token), { onFailure: ({ _tag }) => _tag, onSuccess: (it) => it }),
    live: () => world.book.live(zoe.user_id)
  }
})

/** The code that the message at that place brings. */
export const codeIn = (message: { readonly text: string } | undefined) =>
  /^ {4}(\S+)$/mu.exec(message?.text ?? "")?.[1] ?? ""
