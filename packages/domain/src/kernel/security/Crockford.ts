/**
 * Codes that people read aloud and type: Crockford's base 32, which has no I, L, O or U to mistake.
 */

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

/** One symbol for each byte, of its low five bits: uniform if the bytes are. */
export const crockford = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => alphabet.charAt(byte & 31)).join("")

/**
 * What a person typed, as it was printed: upper case, without spaces and hyphens, O read as 0, I and L as 1.
 */
export const readCrockford = (typed: string): string =>
  typed.toUpperCase().replaceAll(/[\s-]/gu, "").replaceAll("O", "0").replaceAll(/[IL]/gu, "1")
