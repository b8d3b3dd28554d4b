/**
 * Signing in with an identity provider (docs/api/authentication.md).
 *
 * The account is, in this order:
 *
 * 1. The account that is linked to the provider's `issuer` and `subject`, even if its email has changed since.
 * 2. The account with the email that the provider has verified. If Livery has not verified that email yet, it counts as
 *    verified now and the password is removed: an attacker may have registered the address before its owner came.
 * 3. A new, verified account without a password and without a business.
 *
 * An account that is linked to another identity of the same issuer is refused: at the provider, the address now belongs
 * to another person.
 */
import { Context, Data, DateTime, Effect, Layer, Option, type Redacted, Schema } from "effect"
import { PlatformSettings } from "../../configuration/PlatformSettings.ts"
import { EmailUnverified, FeatureUnavailable, Unauthorized } from "../../kernel/Errors.ts"
import { EmailAddress } from "../../kernel/fields/EmailAddress.ts"
import { name } from "../../kernel/fields/Name.ts"
import { Transaction } from "../../kernel/Transaction.ts"
import { makeAuditTrail } from "../../audit/AuditTrail.ts"
import { IdentityProviders, type ProvidedIdentity } from "./IdentityProviders.ts"
import { LinkedIdentityRepository } from "./LinkedIdentityRepository.ts"
import { noPassword } from "../users/PasswordHasher.ts"
import { makeReplacePassword } from "../accounts/PasswordReplacement.ts"
import { makeSessionOpening } from "../sessions/SessionOpening.ts"
import { isDriverAccount, type User } from "../users/User.ts"
import { UserRepository } from "../users/UserRepository.ts"
import { traced } from "../../kernel/TracedFunction.ts"
import type {
  ProviderRedirectInput,
  ProviderReturnInput,
  ProviderSignInInput
} from "./ProviderSignInInput.ts"

/** A concurrent sign-in wrote the same record first. This one is retried. */
class ConcurrentSignIn extends Data.TaggedError("ConcurrentSignIn") {}

const emailIn = Schema.decodeUnknownOption(EmailAddress)
const nameIn = Schema.decodeUnknownOption(name(200))

/** The provider's name of the person, or the local part of the email. */
const nameOf = ({ name }: ProvidedIdentity, email: string) =>
  Option.getOrElse(nameIn(name), () => email.slice(0, email.indexOf("@")))

export class ProviderSignIn extends Context.Service<ProviderSignIn>()("@livery/domain/ProviderSignIn", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const providers = yield* IdentityProviders
    const identities = yield* LinkedIdentityRepository
    const users = yield* UserRepository
    const writeAudit = yield* makeAuditTrail
    const settings = yield* PlatformSettings
    const opening = yield* makeSessionOpening
    const replacePassword = yield* makeReplacePassword

    /** Verifies the email of an account, if it is not verified, and removes its password. */
    const verifyEmail = Effect.fnUntraced(function* (user: User, now: DateTime.Utc): Effect.fn.Return<User> {
      if (user.email_verified) return user
      yield* users.markVerified(user.user_id, now)
      const subject = `user:${user.user_id}`
      yield* writeAudit({
        actor: subject,
        action: "user.email_verified",
        subject,
        reason: "An identity provider has verified the address"
      })
      yield* replacePassword({
        userId: user.user_id,
        passwordHash: noPassword,
        action: "password.removed",
        reason: "The password was set before the address was verified"
      })
      return { ...user, email_verified: true }
    })

    const createAccount = Effect.fnUntraced(function* (name: string, email: string, now: DateTime.Utc) {
      if (!settings.current().registration_open)
        return yield* new FeatureUnavailable({ feature: "Registration" })
      const userId = yield* users
        .insert({
          email,
          name,
          mobilePhone: null,
          accountType: "A",
          passwordHash: noPassword,
          verifiedAt: now
        })
        .pipe(Effect.mapError(() => new ConcurrentSignIn()))
      const subject = `user:${userId}`
      yield* writeAudit({
        actor: subject,
        action: "user.created",
        subject,
        after: { by: "identity_provider" }
      })
      return yield* Effect.orDie(Effect.flatMap(users.find(userId), Effect.fromOption))
    })

    const accountOf = Effect.fnUntraced(function* (
      identity: ProvidedIdentity,
      email: string
    ): Effect.fn.Return<User, ConcurrentSignIn | FeatureUnavailable> {
      const { issuer, subject } = identity
      const linked = yield* identities.userOf({ issuer, subject })
      if (Option.isSome(linked)) return linked.value
      const now = yield* DateTime.now
      const account = yield* users.lockByEmail(email)
      const user = Option.isSome(account)
        ? yield* verifyEmail(account.value.user, now)
        : yield* createAccount(nameOf(identity, email), email, now)
      if (!(yield* identities.link({ issuer, subject, userId: user.user_id, at: now })))
        return yield* new ConcurrentSignIn()
      const actor = `user:${user.user_id}`
      yield* writeAudit({ actor, action: "identity.linked", subject: actor, after: { issuer, subject } })
      return user
    })

    const openSession = Effect.fnUntraced(function* (
      identity: ProvidedIdentity,
      email: string,
      deviceName: string | null
    ) {
      const user = yield* accountOf(identity, email)
      const opened = yield* opening.open(user, deviceName)
      const actor = `user:${user.user_id}`
      yield* writeAudit({
        actor,
        action: "session.opened",
        subject: actor,
        after: { session_id: opened.sessionId, by: "identity_provider", issuer: identity.issuer }
      })
      return { user, opened }
    })

    const logRefusal = (reason: string, identity?: ProvidedIdentity) =>
      writeAudit(
        {
          actor: "anonymous",
          action: "session.refused",
          subject: identity === undefined ? "identity:unknown" : `identity:${identity.subject}`,
          after: { by: "identity_provider", issuer: identity?.issuer ?? null },
          reason
        },
        "warning"
      )

    /** A new session for an identity; `EmailUnverified` if the provider has not verified its email. */
    const sessionOf = Effect.fnUntraced(function* (identity: ProvidedIdentity, deviceName: string | null) {
      const email = emailIn(identity.email)
      if (!identity.emailVerified || Option.isNone(email)) {
        yield* logRefusal("The provider has not verified the email", identity)
        return yield* new EmailUnverified()
      }
      const { opened, user } = yield* transaction.run(openSession(identity, email.value, deviceName)).pipe(
        // The concurrent sign-in has committed by then, so the next attempt finds its record.
        Effect.retry({ times: 2, while: (error) => error._tag === "ConcurrentSignIn" }),
        Effect.tapErrorTag("ConcurrentSignIn", () =>
          logRefusal("The account has another identity of that issuer", identity)
        ),
        Effect.catchTag("ConcurrentSignIn", () => Effect.fail(new Unauthorized()))
      )
      const result = yield* opening.result(user, opened)
      return {
        ...result,
        needs_business_setup: result.businesses.length === 0 && !isDriverAccount(user)
      }
    })

    return {
      /** The providers with which a browser can sign in by redirect. */
      offered: providers.offered,

      /**
       * A new session for the person whom an identity token identifies; the comment at the top of this file defines
       * the account. `Unauthorized` if the token is refused, if the provider has not verified the email, or if the
       * address belongs to another identity. `FeatureUnavailable` if no provider is configured, or the person has no
       * account and the platform's setting `registration_open` is false. `needs_business_setup` is true for every user
       * without a business, except drivers, who may not create one.
       */
      signIn: traced("ProviderSignIn.signIn")(function* (input: ProviderSignInInput) {
        const identity = yield* providers
          .verify(input.id_token)
          .pipe(Effect.tapErrorTag("Unauthorized", () => logRefusal("The identity token was refused")))
        return yield* sessionOf(identity, input.device_name).pipe(
          Effect.catchTag("EmailUnverified", () => Effect.fail(new Unauthorized()))
        )
      }),

      /** Begins a sign-in by redirect: the address to which the browser goes, and the secret that it keeps. */
      begin: (input: ProviderRedirectInput) => providers.begin(input.issuer),

      /**
       * A new session for the person who came back from a provider, as by `signIn`. `Unauthorized` if the browser did not
       * begin this sign-in, or the provider refuses its code. `EmailUnverified` if the provider has not verified the email.
       */
      finish: traced("ProviderSignIn.finish")(function* (
        secret: Redacted.Redacted | undefined,
        { code, device_name, iss, state }: ProviderReturnInput
      ) {
        const returned =
          secret === undefined
            ? Effect.fail(new Unauthorized())
            : providers.finish({ secret, code, state, iss })
        const identity = yield* returned.pipe(
          Effect.tapErrorTag("Unauthorized", () => logRefusal("The return from the provider was refused"))
        )
        return yield* sessionOf(identity, device_name)
      })
    }
  })
}) {
  static readonly layer = Layer.effect(ProviderSignIn, ProviderSignIn.make)
}
