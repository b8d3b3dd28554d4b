/** An account with sessions and passwords, on ports in memory. */
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
import { memoryAccounts } from "./MemoryAccounts.ts"
import { decoded } from "./Decoding.ts"
import { user } from "./People.ts"

export const firstPassword = "correct horse"

/** Zoë's account, verified by default, and the use cases of sessions and passwords. */
export const zoesAccount = Effect.fnUntraced(function* (
  options: { grace?: number; verified?: boolean } = {}
) {
  const memory = memoryAccounts()
  const context = yield* Layer.build(
    Layer.merge(Sessions.layer, Passwords.layer).pipe(
      Layer.provide(Authentication.layer),
      Layer.provideMerge(Cryptography.layerWebCrypto),
      Layer.provide(memory.layer),
      Layer.provide([
        Layer.succeed(RefreshGrace, Duration.seconds(options.grace ?? 0)),
        Layer.succeed(ResetLink, (code: string) => `https://app.example/#${code}`)
      ])
    )
  )
  const zoe = { ...user(1).user, email: "zoe@example.com", email_verified: options.verified ?? true }
  memory.addAccount({ passwordHash: "hash 0 of 13:e", user: zoe })
  const sessions = yield* Effect.provide(Sessions, context)
  const passwords = yield* Effect.provide(Passwords, context)
  const login = (password = firstPassword) =>
    sessions.login(decoded(LoginInput, { email: zoe.email, password, device_name: null }))
  const refresh = (token: string) =>
    Effect.map(sessions.refresh(Redacted.make(token)), ({ refresh_token }) => refresh_token)
  return {
    ...memory,
    zoe,
    sessions,
    passwords,
    login,
    refresh,
    /** The successor of a token, or the tag of the refusal. */
    tried: (token: string) =>
      Effect.match(refresh(token), { onFailure: ({ _tag }) => _tag, onSuccess: (it) => it }),
    live: () => memory.liveTokens(zoe.user_id)
  }
})

/** The code in a message. */
export const codeIn = (message: { readonly text: string } | undefined) =>
  /^ {4}(\S+)$/mu.exec(message?.text ?? "")?.[1] ?? ""
