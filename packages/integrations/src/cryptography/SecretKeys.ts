/** The keys that are derived from an installation's secret. */
import { createSecretKey, hkdfSync } from "node:crypto"
import { Context, Effect, Layer, Redacted, Schema } from "effect"

/** The minimum length of `LIVERY_SECRET` and of `LIVERY_SECRET_PREVIOUS`, in characters. */
const secretCharacters = 32

/** A secret of the installation is shorter than {@link secretCharacters}. */
export class SecretTooShort extends Schema.TaggedError<SecretTooShort>()("SecretTooShort", {
  setting: Schema.Literals(["LIVERY_SECRET", "LIVERY_SECRET_PREVIOUS"])
}) {
  override get message() {
    return `${this.setting} has fewer than ${secretCharacters} characters`
  }
}

// A change here makes every sealed text unreadable and ends every session.
const salt = "livery"

const derive = (secret: string, purpose: string) =>
  createSecretKey(new Uint8Array(hkdfSync("sha256", secret, salt, purpose, 32)))

/** The keys of one secret: `tokens` signs access tokens, `sealing` encrypts secrets at rest, `push` signs push messages. */
const keysOf = Effect.fnUntraced(function* (secret: Redacted.Redacted, setting: SecretTooShort["setting"]) {
  const value = Redacted.value(secret)
  if (value.length < secretCharacters) return yield* new SecretTooShort({ setting })
  return {
    tokens: derive(value, "access-tokens"),
    sealing: derive(value, "sealing-at-rest"),
    push: derive(value, "web-push")
  }
})

/** Independent 256-bit keys, derived by HKDF-SHA256 (RFC 5869). No key reveals anything about another. */
export class SecretKeys extends Context.Service<SecretKeys>()("@livery/integrations/SecretKeys", {
  make: Effect.fnUntraced(function* (secret: Redacted.Redacted, previous?: Redacted.Redacted) {
    return {
      /** The keys that sign and encrypt, and the first that verify and decrypt. */
      current: yield* keysOf(secret, "LIVERY_SECRET"),
      /** Keys that only verify and decrypt what `current` does not, while the secret is being rotated. */
      previous: previous === undefined ? undefined : yield* keysOf(previous, "LIVERY_SECRET_PREVIOUS")
    }
  })
}) {
  /**
   * The keys of a secret (`LIVERY_SECRET`) and, if there is one, of the previous secret (`LIVERY_SECRET_PREVIOUS`). The
   * same secrets give the same keys on every node.
   */
  static readonly layer = (secret: Redacted.Redacted, previous?: Redacted.Redacted) =>
    Layer.effect(SecretKeys, SecretKeys.make(secret, previous))
}
