import { MemberInvitations, Passwords, ProviderSignIn, Registration, Sessions } from "@livery/domain"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { bearerCredential } from "../http/request/IncomingRequest.ts"

export const AuthHandlers = handlersOf("auth", function* (handlers) {
  const registration = yield* Registration
  const sessions = yield* Sessions
  const passwords = yield* Passwords
  const providerSignIn = yield* ProviderSignIn
  const invitations = yield* MemberInvitations
  return handlers({
    register: ({ payload }) => registration.register(payload),
    verifyEmail: ({ payload }) => registration.verifyEmail(payload.code),
    login: ({ payload }) => sessions.login(payload),
    signInWithProvider: ({ payload }) => providerSignIn.signIn(payload),
    refresh: ({ payload }) => sessions.refresh(payload.refresh_token),
    logout: ({ payload, request }) =>
      sessions.logout({
        refreshToken: payload?.refresh_token ?? undefined,
        credential: bearerCredential(request)
      }),
    requestReset: ({ payload }) => passwords.requestReset(payload.email),
    confirmReset: ({ payload }) => passwords.confirmReset(payload),
    acceptInvitation: ({ payload }) => invitations.accept(payload),
    resendVerification: ({ payload }) => registration.resend(payload.email)
  })
})
