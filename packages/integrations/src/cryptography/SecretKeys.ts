/** The keys that are derived from an installation's secret. */
import { createSecretKey, hkdfSync, type KeyObject } from "node:crypto"
import { Context, Effect, Layer, Redacted, Schema } from "effect"

/** The minimum length of `LIVERY_SECRET`, in characters. */
export const secretCharacters = 32

/** The installation's secret is shorter than {@link secretCharacters}. */
export class SecretTooShort extends Schema.TaggedError<SecretTooShort>()("SecretTooShort", {}) {
  override get message() {
    return `LIVERY_SECRET has fewer than ${secretCharacters} characters`
  }
}

// A change here makes every sealed text unreadable and ends every session.
const salt = "livery"

const derive = (secret: string, purpose: string) =>
  createSecretKey(new Uint8Array(hkdfSync("sha256", secret, salt, purpose, 32)))

/**
 * Two independent 256-bit keys, derived by HKDF-SHA256 (RFC 5869). Neither key reveals anything about the other.
 *
 * - `tokens`: signs access tokens.
 * - `sealing`: encrypts secrets at rest.
 */
export class SecretKeys extends Context.Service<
  SecretKeys,
  { readonly tokens: KeyObject; readonly sealing: KeyObject }
>()("@livery/integrations/SecretKeys") {
  /** The keys of a secret (`LIVERY_SECRET`); the same secret gives the same keys on every node. */
  static readonly layer = (secret: Redacted.Redacted): Layer.Layer<SecretKeys, SecretTooShort> =>
    Layer.effect(
      SecretKeys,
      Effect.gen(function* () {
        const value = Redacted.value(secret)
        if (value.length < secretCharacters) return yield* new SecretTooShort()
        return SecretKeys.of({
          tokens: derive(value, "access-tokens"),
          sealing: derive(value, "sealing-at-rest")
        })
      })
    )
}
