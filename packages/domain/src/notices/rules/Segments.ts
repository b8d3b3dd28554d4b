/** How text messages are divided into segments (3GPP TS 23.038): gateways charge each. */

const basic = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
)
const extended = new Set("\f^{}\\[~]|€")

/** The encoding of a text message, and the number of its segments. */
export interface Segments {
  readonly encoding: "gsm-7" | "ucs-2"
  readonly segments: number
}

/** The segments of units of these sizes: a character is never divided between two segments. */
const divided = (sizes: ReadonlyArray<number>, alone: number, joined: number): number => {
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (total <= alone) return 1
  let segments = 1
  let used = 0
  for (const size of sizes) {
    if (used + size > joined) {
      segments += 1
      used = 0
    }
    used += size
  }
  return segments
}

/**
 * The segments of a text: up to 160 septets alone and 153 in each part of a longer one; with any character outside of GSM-7, 70 and
 * 67 code units. An empty text is one segment.
 */
export const segmentsOf = (text: string): Segments => {
  const characters = Array.from(text)
  return characters.every((one) => basic.has(one) || extended.has(one))
    ? {
        encoding: "gsm-7",
        segments: divided(
          characters.map((one) => (extended.has(one) ? 2 : 1)),
          160,
          153
        )
      }
    : {
        encoding: "ucs-2",
        segments: divided(
          characters.map(({ length }) => length),
          70,
          67
        )
      }
}
