/**
 * The domain's `SecretBox` with AES-256-GCM.
 *
 *     v1.<base64url of: 12 bytes of nonce, the ciphertext, 16 bytes of tag>
 *
 * The version is authenticated together with the text. Nonces are random, which is safe for about four billion texts under
 * one key, far more than the secrets and messages of an installation.
 */
import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from "node:crypto"
import { SecretBox } from "@livery/domain"
import { Effect, Layer } from "effect"
import { SecretKeys } from "./SecretKeys.ts"

const algorithm = "aes-256-gcm"
const version = "v1."
const nonceBytes = 12
const tagBytes = 16
const authenticated = Buffer.from(version)

const seal = (key: KeyObject, plain: string): string => {
  // UTF-8 cannot express a lone surrogate: the text would be another one after decryption.
  if (!plain.isWellFormed()) throw new Error("The text to seal is not well formed")
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(authenticated)
  const sealed = [nonce, cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]
  return version + Buffer.concat(sealed).toString("base64url")
}

const openWith = (key: KeyObject, sealed: string): string => {
  const encoded = sealed.slice(version.length)
  const bytes = Buffer.from(encoded, "base64url")
  // Node's decoder ignores invalid characters and spare bits. Only the canonical encoding is accepted.
  const isCanonical = sealed.startsWith(version) && bytes.toString("base64url") === encoded
  if (!isCanonical || bytes.length < nonceBytes + tagBytes) throw new Error("Not a sealed text")
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes
  })
    .setAAD(authenticated)
    .setAuthTag(bytes.subarray(-tagBytes))
  return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, "utf8") + decipher.final("utf8")
}

const open = ({ current, previous }: SecretKeys["Service"], sealed: string): string => {
  if (previous === undefined) return openWith(current.sealing, sealed)
  try {
    return openWith(current.sealing, sealed)
  } catch {
    return openWith(previous.sealing, sealed)
  }
}

/** The layer, under the keys `sealing` of {@link SecretKeys}: it seals under the current secret and opens under both. */
export const layer: Layer.Layer<SecretBox, never, SecretKeys> = Layer.effect(
  SecretBox,
  Effect.map(SecretKeys, (keys) =>
    SecretBox.of({
      seal: (plain) => Effect.sync(() => seal(keys.current.sealing, plain)),
      open: (sealed) => Effect.sync(() => open(keys, sealed))
    })
  )
)
