/** Codes that people read aloud and type, in Crockford's base 32: it lacks I, L, O and U, which are easily confused. */

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

/** One symbol for each byte, of its low five bits. Random bytes give uniformly distributed symbols. */
export const crockford = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => alphabet.charAt(byte & 31)).join("")

/**
 * The number that the given symbols of base 32 encode, in the form that {@link readCrockford} returns; NaN for others.
 */
export const readCrockfordNumber = (symbols: string): number =>
  Array.from(symbols).reduce((number, symbol) => {
    const digit = alphabet.indexOf(symbol)
    return digit < 0 ? Number.NaN : number * 32 + digit
  }, 0)

/** The code that a person typed, as it was printed: upper case, without spaces and hyphens, O as 0, I and L as 1. */
export const readCrockford = (typed: string): string =>
  typed.toUpperCase().replaceAll(/[\s-]/gu, "").replaceAll("O", "0").replaceAll(/[IL]/gu, "1")
