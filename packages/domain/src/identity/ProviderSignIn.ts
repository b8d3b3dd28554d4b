/**
 * Signing in with an identity provider (specification, `POST /auth/idp`).
 *
 * Whose account it is, in this order:
 *
 * 1. The account that the provider's `issuer` and `subject` are linked to, whatever its email is by now.
 * 2. The account with the email that the provider has verified. If we have not verified that email ourselves, the
 *    provider's word does it, and the account's password goes: whoever typed it may have signed up with an
 *    address that was not theirs, to wait for its owner.
 * 3. A new account, verified and without a password or a business.
 *
 * An account that has an identity of the same issuer already is not given to a second one: at the provider, the
 * address has passed to somebody else.
 */
import { Context, Data, DateTime, Effect, Layer, Option, Schema } from "effect"
import { type FeatureUnavailable, Unauthorized } from "../kernel/Errors.ts"
import { EmailAddress } from "../kernel/fields/EmailAddress.ts"
import { optionalText, text } from "../kernel/fields/Text.ts"
import { Transaction } from "../kernel/Transaction.ts"
import { auditTrail } from "../audit/AuditTrail.ts"
import { IdentityProviders, type ProvidedIdentity } from "./IdentityProviders.ts"
import { LinkedIdentityRepository } from "./LinkedIdentityRepository.ts"
import { noPassword } from "./PasswordHasher.ts"
import { passwordReplacement } from "./PasswordReplacement.ts"
import { LoginResult } from "./Session.ts"
import { sessionOpening } from "./SessionOpening.ts"
import type { User } from "./User.ts"
import { UserRepository } from "./UserRepository.ts"

const longestToken = 16_384

/** What `POST /auth/idp` takes. */
export const ProviderSignInInput = Schema.Struct({
  id_token: text(longestToken).pipe(Schema.RedactedFromValue),
  device_name: optionalText(200)
})
export type ProviderSignInInput = typeof ProviderSignInInput.Type

/** What it answers: a login result, and whether the user has to make a business before anything else. */
export const ProviderSignInResult = Schema.Struct({
  ...LoginResult.fields,
  needs_business_setup: Schema.Boolean
})
export type ProviderSignInResult = typeof ProviderSignInResult.Type

/** Somebody else wrote first what this sign-in was about to: it looks again. */
class Overtaken extends Data.TaggedError("Overtaken") {}

const emailIn = Schema.decodeUnknownOption(EmailAddress)
const nameIn = Schema.decodeUnknownOption(text(200))

/** The provider's name for them, or what stands before the `@`. */
const nameOf = ({ name }: ProvidedIdentity, email: string) =>
  Option.getOrElse(nameIn(name), () => email.slice(0, email.indexOf("@")))

/**
 * - `signIn`: a new session for whom an identity token is about; the file's head says whose account that is.
 *   `Unauthorized` for a token that is refused, for an email that the provider does not vouch for and for an
 *   address that has passed to somebody else; `FeatureUnavailable` where no provider is configured. Drivers sign
 *   in as well. `needs_business_setup` holds for everyone who has no business and may found one.
 */
export class ProviderSignIn extends Context.Service<
  ProviderSignIn,
  {
    readonly signIn: (
      input: ProviderSignInInput
    ) => Effect.Effect<ProviderSignInResult, FeatureUnavailable | Unauthorized>
  }
>()("@livery/domain/ProviderSignIn") {
  static readonly layer = Layer.effect(
    ProviderSignIn,
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const providers = yield* IdentityProviders
      const identities = yield* LinkedIdentityRepository
      const users = yield* UserRepository
      const trail = yield* auditTrail
      const opening = yield* sessionOpening
      const replace = yield* passwordReplacement

      const existing = Effect.fnUntraced(function* (user: User, now: DateTime.Utc): Effect.fn.Return<User> {
        if (user.email_verified) return user
        yield* users.markVerified(user.user_id, now)
        const subject = `user:${user.user_id}`
        yield* trail({
          actor: subject,
          action: "user.email_verified",
          subject,
          reason: "An identity provider vouches for the address"
        })
        yield* replace({
          userId: user.user_id,
          passwordHash: noPassword,
          action: "password.removed",
          reason: "It was set before the address was proved"
        })
        return { ...user, email_verified: true }
      })

      const brandNew = Effect.fnUntraced(function* (name: string, email: string, now: DateTime.Utc) {
        const userId = yield* users
          .insert({
            email,
            name,
            mobilePhone: null,
            accountType: "A",
            passwordHash: noPassword,
            verifiedAt: now
          })
          .pipe(Effect.mapError(() => new Overtaken()))
        const subject = `user:${userId}`
        yield* trail({ actor: subject, action: "user.created", subject, after: { by: "identity_provider" } })
        return yield* Effect.orDie(Effect.flatMap(users.find(userId), Effect.fromOption))
      })

      const whose = Effect.fnUntraced(function* (
        identity: ProvidedIdentity,
        email: string
      ): Effect.fn.Return<User, Overtaken> {
        const { issuer, subject } = identity
        const linked = yield* identities.userOf({ issuer, subject })
        if (Option.isSome(linked)) return linked.value
        const now = yield* DateTime.now
        const account = yield* users.holdByEmail(email)
        const user = Option.isSome(account)
          ? yield* existing(account.value.user, now)
          : yield* brandNew(nameOf(identity, email), email, now)
        if (!(yield* identities.link({ issuer, subject, userId: user.user_id, at: now })))
          return yield* new Overtaken()
        const actor = `user:${user.user_id}`
        yield* trail({ actor, action: "identity.linked", subject: actor, after: { issuer, subject } })
        return user
      })

      const enter = Effect.fnUntraced(function* (
        identity: ProvidedIdentity,
        email: string,
        deviceName: string | null
      ) {
        const user = yield* whose(identity, email)
        const opened = yield* opening.open(user, deviceName)
        const actor = `user:${user.user_id}`
        yield* trail({
          actor,
          action: "session.opened",
          subject: actor,
          after: { session_id: opened.sessionId, by: "identity_provider", issuer: identity.issuer }
        })
        return { user, opened }
      })

      const refused = (reason: string, identity?: ProvidedIdentity) =>
        trail(
          {
            actor: "anonymous",
            action: "session.refused",
            subject: identity === undefined ? "identity:unknown" : `identity:${identity.subject}`,
            after: { by: "identity_provider", issuer: identity?.issuer ?? null },
            reason
          },
          "alarming"
        )

      const signIn = Effect.fn("ProviderSignIn.signIn")(function* (input: ProviderSignInInput) {
        const identity = yield* providers
          .verify(input.id_token)
          .pipe(Effect.tapErrorTag("Unauthorized", () => refused("The identity token was refused")))
        const email = emailIn(identity.email)
        if (!identity.emailVerified || Option.isNone(email)) {
          yield* refused("The provider does not vouch for the email", identity)
          return yield* new Unauthorized()
        }
        const { opened, user } = yield* transaction.run(enter(identity, email.value, input.device_name)).pipe(
          // Who overtook has committed by then, so that the second look finds it.
          Effect.retry({ times: 2 }),
          Effect.tapError(() => refused("The account has another identity of that issuer", identity)),
          Effect.mapError(() => new Unauthorized())
        )
        const result = yield* opening.result(user, opened)
        return {
          ...result,
          needs_business_setup: result.businesses.length === 0 && user.account_type !== "D"
        }
      })

      return ProviderSignIn.of({ signIn })
    })
  )
}
