/** The public authentication routes (specification, Public authentication). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  InvitationAcceptance,
  InvitationResult,
  LoginInput,
  LoginResult,
  LogoutInput,
  LogoutResult,
  ProviderSignInInput,
  ProviderSignInResult,
  RefreshInput,
  RefreshResult,
  RegistrationInput,
  RegistrationResult,
  ResetConfirmation,
  ResetResult,
  SendingInput,
  SendingResult,
  VerificationInput,
  VerificationResult
} from "@livery/domain"
import { PublicAuthAccess } from "../http/Access.ts"
import { callsOut, basePath, created, neverRepeated, summary } from "../http/Contract.ts"
import { data } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"

const SendingBody = data(SendingResult, "SendingBody")

/** A logout may come with nothing but an access token, and with no credential but the refresh token in its body. */
const withoutBodyOrWithToken = (operation: Record<string, unknown>): Record<string, unknown> => ({
  ...operation,
  security: [{}, { user_token: [] }],
  requestBody: { ...Object(operation["requestBody"]), required: false }
})

export const AuthApi = HttpApiGroup.make("auth")
  .add(
    HttpApiEndpoint.post("register", "/register", {
      payload: RegistrationInput,
      success: data(RegistrationResult, "RegistrationBody").pipe(created),
      error: wireErrors.emailExists
    }).annotateMerge(summary("Sign up: a user and its free-tier business")),
    HttpApiEndpoint.post("verifyEmail", "/verify-email", {
      payload: VerificationInput,
      success: data(VerificationResult, "VerificationBody")
    }).annotateMerge(summary("Prove an email address with the code that was mailed to it")),
    HttpApiEndpoint.post("login", "/login", {
      payload: LoginInput,
      success: data(LoginResult, "LoginBody"),
      error: [wireErrors.invalidCredentials, wireErrors.emailUnverified]
    }).annotateMerge(summary("Sign in with email and password")),
    HttpApiEndpoint.post("signInWithProvider", "/idp", {
      payload: ProviderSignInInput,
      success: data(ProviderSignInResult, "ProviderSignInBody"),
      error: [wireErrors.unauthorized, wireErrors.featureUnavailable]
    })
      .annotateMerge(callsOut)
      .annotateMerge(summary("Sign in with an identity provider's ID token")),
    HttpApiEndpoint.post("refresh", "/refresh", {
      payload: RefreshInput,
      success: data(RefreshResult, "RefreshBody"),
      error: wireErrors.unauthorized
    })
      .annotateMerge(neverRepeated)
      .annotateMerge(summary("A new pair of tokens for a refresh token, which is used up by that")),
    HttpApiEndpoint.post("logout", "/logout", {
      payload: [LogoutInput, Schema.Null],
      success: data(LogoutResult, "LogoutBody"),
      error: [wireErrors.unauthorized, wireErrors.forbidden]
    })
      .annotateMerge(
        summary("End the session of a refresh token, or of the access token that is sent as Bearer")
      )
      .annotate(OpenApi.Transform, withoutBodyOrWithToken),
    HttpApiEndpoint.post("requestReset", "/password-reset", {
      payload: SendingInput,
      success: SendingBody
    }).annotateMerge(summary("Mail a code for a new password, if there is such an account")),
    HttpApiEndpoint.post("confirmReset", "/password-reset/confirm", {
      payload: ResetConfirmation,
      success: data(ResetResult, "ResetBody")
    }).annotateMerge(summary("Set a new password with the code that was mailed; every session ends")),
    HttpApiEndpoint.post("acceptInvitation", "/accept-invitation", {
      payload: InvitationAcceptance,
      success: data(InvitationResult, "InvitationAcceptedBody").pipe(created),
      error: wireErrors.conflict
    }).annotateMerge(
      summary("Become a business's driver with the code that was mailed; makes an account, if need be")
    ),
    HttpApiEndpoint.post("resendVerification", "/verify-email/resend", {
      payload: SendingInput,
      success: SendingBody
    }).annotateMerge(summary("Mail a new verification code, if the address still waits for one"))
  )
  .middleware(PublicAuthAccess)
  .prefix(`${basePath}/auth`)
  .annotateMerge(OpenApi.annotations({ title: "Authentication" }))
