/** Codes that people read aloud and type, in Crockford's base 32: it lacks I, L, O and U, which are easily confused. */

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

/** One symbol for each byte, of its low five bits. Random bytes give uniformly distributed symbols. */
export const crockford = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => alphabet.charAt(byte & 31)).join("")

/** The code that a person typed, as it was printed: upper case, without spaces and hyphens, O as 0, I and L as 1. */
export const readCrockford = (typed: string): string =>
  typed.toUpperCase().replaceAll(/[\s-]/gu, "").replaceAll("O", "0").replaceAll(/[IL]/gu, "1")
