/** Reads the header of a signature (docs/api/webhooks.md) and checks its secret, without any dependency. */

/** A signature that does not verify, with the reason. */
export class SignatureRefused extends Error {
  readonly _tag = "SignatureRefused"
  override readonly name = "SignatureRefused"
  readonly reason: "malformed" | "mismatch" | "too_old"

  constructor({ reason }: { readonly reason: "malformed" | "mismatch" | "too_old" }) {
    super(
      {
        malformed: "The signature header is malformed",
        mismatch: "No signature matches the body and the secret",
        too_old: "The signature's time is outside the tolerance"
      }[reason]
    )
    this.reason = reason
  }
}

/**
 * Throws a `RangeError` unless the secret is a text that is not empty. HMAC turns a missing one into the key "", "null"
 * or "NaN", with which anyone can sign.
 */
export const requireSecret = (secret: unknown): void => {
  if (typeof secret !== "string" || secret === "") throw new RangeError("secret is missing or empty")
}

/** Returns the time as it was written, in Unix seconds, and the signatures; undefined if the header is malformed. */
export const parseHeader = (header: string) => {
  const signatures: Array<string> = []
  let time: string | undefined
  for (const untrimmed of header.split(",")) {
    const part = untrimmed.trim()
    // The value is everything after the first "=", so that no other data can be hidden behind it.
    if (part.startsWith("v1=")) signatures.push(part.slice(3))
    else if (part.startsWith("t=")) {
      if (time !== undefined) return undefined
      time = part.slice(2)
    }
  }
  return time === undefined || !/^\d{1,12}$/u.test(time) || signatures.length === 0
    ? undefined
    : { time, signatures }
}

/**
 * Whether one of the signatures is the expected one. All are compared, so that the duration does not reveal which
 * matched.
 */
export const includesSignature = (
  signatures: ReadonlyArray<string>,
  expected: string,
  areEqual: (left: string, right: string) => boolean
): boolean => {
  let matches = false
  for (const signature of signatures) if (areEqual(expected, signature)) matches = true
  return matches
}
