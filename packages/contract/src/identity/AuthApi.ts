/** The public routes of authentication (docs/api/authentication.md, docs/api/accounts.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  AcceptedInvitation,
  InvitationAcceptance,
  LoginInput,
  LoginResult,
  LogoutInput,
  LogoutResult,
  OfferedProviderRecord,
  ProviderRedirect,
  ProviderRedirectInput,
  ProviderReturnInput,
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
} from "@livery/domain/records"
import { PublicAuthAccess } from "../http/Access.ts"
import { callsOut, basePath, created, neverRepeated, noQuery, summary } from "../http/Contract.ts"
import { data } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { yields } from "../http/Traits.ts"

/** The field of a sign-in or a refresh, which is absent if the token is in a cookie. */
const orInCookie = { refresh_token: Schema.optionalKey(Schema.String) }

const sessionHeader =
  (required: boolean, description: string) =>
  (operation: Record<string, unknown>): Record<string, unknown> => ({
    ...operation,
    parameters: [
      ...(Array.isArray(operation["parameters"]) ? operation["parameters"] : []),
      {
        name: "Livery-Session",
        in: "header",
        required,
        description,
        schema: { type: "string", enum: ["cookie"] }
      }
    ]
  })

/** Documents the header with which a page keeps its refresh token in a cookie. */
const withSessionHeader = sessionHeader(
  false,
  "`cookie`: for pages of the server's own origin. The refresh token is kept in a cookie that scripts cannot read, and is taken from it where the body has none"
)

/** Documents a sign-in by redirect, whose secret is in a cookie. */
const inBrowser = sessionHeader(
  true,
  "`cookie`: the request comes from a page of the server's own origin, and its browser keeps the cookie"
)

/** Documents a refresh: the token is in the body, or in the cookie. */
const refreshForms = (operation: Record<string, unknown>): Record<string, unknown> => ({
  ...withSessionHeader(operation),
  requestBody: { ...Object(operation["requestBody"]), required: false }
})

const SendingBody = data(SendingResult, "SendingBody")

/** Documents the two forms of a logout: with an access token and no body, or with a refresh token in the body alone. */
const withoutBodyOrWithToken = (operation: Record<string, unknown>): Record<string, unknown> => ({
  ...withSessionHeader(operation),
  security: [{}, { user_token: [] }],
  requestBody: { ...Object(operation["requestBody"]), required: false }
})

/** The routes under `/auth`: registration, sign-in, tokens, codes by email. For anyone, limited by address. */
export const AuthApi = HttpApiGroup.make("auth")
  .add(
    HttpApiEndpoint.post("register", "/register", {
      payload: RegistrationInput,
      success: data(RegistrationResult, "RegistrationBody").pipe(created),
      error: [wireErrors.emailExists, wireErrors.featureUnavailable]
    }).annotateMerge(summary("Sign up: a user and a business on the default plan")),
    HttpApiEndpoint.post("verifyEmail", "/verify-email", {
      payload: VerificationInput,
      success: data(VerificationResult, "VerificationBody")
    }).annotateMerge(summary("Verify an email address with the code that was mailed to it")),
    HttpApiEndpoint.post("login", "/login", {
      payload: LoginInput,
      success: data(Schema.Struct({ ...LoginResult.fields, ...orInCookie }), "LoginBody"),
      error: [wireErrors.invalidCredentials, wireErrors.emailUnverified]
    })
      .annotateMerge(summary("Sign in with email and password"))
      .annotate(OpenApi.Transform, withSessionHeader),
    HttpApiEndpoint.post("signInWithProvider", "/idp", {
      payload: ProviderSignInInput,
      success: data(Schema.Struct({ ...ProviderSignInResult.fields, ...orInCookie }), "ProviderSignInBody"),
      error: [wireErrors.unauthorized, wireErrors.featureUnavailable]
    })
      .annotateMerge(callsOut)
      .annotateMerge(summary("Sign in with an identity provider's ID token"))
      .annotate(OpenApi.Transform, withSessionHeader),
    HttpApiEndpoint.get("listProviders", "/idp", {
      query: noQuery,
      success: data(Schema.Array(OfferedProviderRecord), "OfferedProvidersBody")
    }).annotateMerge(summary("List the identity providers with which a browser can sign in by redirect")),
    HttpApiEndpoint.post("beginWithProvider", "/idp/begin", {
      payload: ProviderRedirectInput,
      success: data(ProviderRedirect, "ProviderRedirectBody"),
      error: [wireErrors.unauthorized, wireErrors.featureUnavailable]
    })
      .annotateMerge(callsOut)
      .annotateMerge(neverRepeated)
      .annotateMerge(
        summary("Begin a sign-in by redirect: the provider's address, and a cookie for the return")
      )
      .annotate(OpenApi.Transform, inBrowser),
    HttpApiEndpoint.post("finishWithProvider", "/idp/finish", {
      payload: ProviderReturnInput,
      success: data(Schema.Struct({ ...ProviderSignInResult.fields, ...orInCookie }), "ProviderReturnBody"),
      error: [wireErrors.unauthorized, wireErrors.emailUnverified, wireErrors.featureUnavailable]
    })
      .annotateMerge(callsOut)
      .annotateMerge(neverRepeated)
      .annotateMerge(summary("Finish a sign-in by redirect with what the provider sent back"))
      .annotate(OpenApi.Transform, inBrowser),
    HttpApiEndpoint.post("openDemonstration", "/demonstration", {
      payload: VerificationInput,
      success: data(Schema.Struct({ ...LoginResult.fields, ...orInCookie }), "DemonstrationBody"),
      error: wireErrors.unauthorized
    })
      .annotateMerge(neverRepeated)
      .annotateMerge(
        summary(
          "Sign in to the demonstration business with the code that the server printed: once, within 15 minutes, on its own machine"
        )
      )
      .annotate(OpenApi.Transform, withSessionHeader),
    HttpApiEndpoint.post("refresh", "/refresh", {
      payload: [RefreshInput, Schema.Null],
      success: data(Schema.Struct({ ...RefreshResult.fields, ...orInCookie }), "RefreshBody"),
      error: wireErrors.unauthorized
    })
      .annotateMerge(neverRepeated)
      .annotateMerge(summary("Exchange a refresh token for a new pair of tokens"))
      .annotate(OpenApi.Transform, refreshForms),
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
    }).annotateMerge(summary("Mail a code to set a new password, if the account exists")),
    HttpApiEndpoint.post("confirmReset", "/password-reset/confirm", {
      payload: ResetConfirmation,
      success: data(ResetResult, "ResetBody")
    }).annotateMerge(summary("Set a new password with the mailed code, and end every session")),
    HttpApiEndpoint.post("acceptInvitation", "/accept-invitation", {
      payload: InvitationAcceptance,
      success: data(AcceptedInvitation, "InvitationAcceptedBody").pipe(created),
      error: wireErrors.conflict
    }).annotateMerge(
      summary(
        "Accept an invitation as a driver or a member with the mailed code; creates the account if there is none"
      )
    ),
    HttpApiEndpoint.post("resendVerification", "/verify-email/resend", {
      payload: SendingInput,
      success: SendingBody
    }).annotateMerge(summary("Mail a new verification code, if the address is not verified"))
  )
  .middleware(PublicAuthAccess)
  .prefix(`${basePath}/auth`)
  .annotateMerge(OpenApi.annotations({ title: "Authentication" }))
  .annotateMerge(yields)
