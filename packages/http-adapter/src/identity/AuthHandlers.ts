import { Effect } from "effect"
import {
  Demonstration,
  InvalidInput,
  MemberInvitations,
  Passwords,
  ProviderSignIn,
  Registration,
  Sessions,
  Unauthorized
} from "@livery/domain"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { isFromThisMachine } from "../http/request/ClientAddress.ts"
import { bearerCredential } from "../http/request/IncomingRequest.ts"
import { asksForCookie } from "../http/request/SessionHeader.ts"
import {
  cookieGrace,
  cookieToken,
  issued,
  setRedirectSecret,
  setToken,
  takeRedirectSecret
} from "./SessionCookie.ts"

export const AuthHandlers = handlersOf("auth", function* (handlers) {
  const registration = yield* Registration
  const sessions = yield* Sessions
  const passwords = yield* Passwords
  const providerSignIn = yield* ProviderSignIn
  const invitations = yield* MemberInvitations
  const demonstration = yield* Demonstration
  return handlers({
    register: ({ payload }) => registration.register(payload),
    verifyEmail: ({ payload }) => registration.verifyEmail(payload.code),
    login: ({ payload, request }) => issued(request, sessions.login(payload)),
    signInWithProvider: ({ payload, request }) => issued(request, providerSignIn.signIn(payload)),
    listProviders: () => providerSignIn.offered,
    beginWithProvider: Effect.fnUntraced(function* ({ payload, request }) {
      // Without the header, a page of another site could replace the secret in this browser.
      if (!asksForCookie(request)) return yield* new Unauthorized()
      const { address, secret } = yield* providerSignIn.begin(payload)
      yield* setRedirectSecret(request, secret)
      return { authorization_url: address }
    }),
    finishWithProvider: ({ payload, request }) =>
      issued(
        request,
        Effect.flatMap(takeRedirectSecret(request), (secret) => providerSignIn.finish(secret, payload))
      ),
    openDemonstration: ({ payload, request }) =>
      isFromThisMachine(request)
        ? issued(request, demonstration.signIn(payload.code))
        : Effect.fail(new Unauthorized()),
    refresh: ({ payload, request }) => {
      if (payload?.refresh_token) return issued(request, sessions.refresh(payload.refresh_token))
      const token = cookieToken(request)
      return token === undefined
        ? Effect.fail(new InvalidInput({ issues: [{ field: "refresh_token", issue: "required" }] }))
        : issued(request, sessions.refresh(token, cookieGrace))
    },
    logout: Effect.fnUntraced(function* ({ payload, request }) {
      const result = yield* sessions.logout({
        refreshToken: payload?.refresh_token ?? cookieToken(request),
        credential: bearerCredential(request)
      })
      if (asksForCookie(request)) yield* setToken(request, undefined)
      return result
    }),
    requestReset: ({ payload }) => passwords.requestReset(payload.email),
    confirmReset: ({ payload }) => passwords.confirmReset(payload),
    acceptInvitation: ({ payload }) => invitations.accept(payload),
    resendVerification: ({ payload }) => registration.resend(payload.email)
  })
})
