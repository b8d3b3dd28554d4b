/** The zeros of the digits that keyboards have: Arabic, Persian, Hindi, Bengali, Thai, and the wide ones of Japanese. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10]

/** A typed text with the digits 0 to 9 in place of the digits of other scripts. */
export const plainDigits = (typed: string): string =>
  typed.replaceAll(/\p{Nd}/gu, (digit) => {
    const code = digit.charCodeAt(0)
    const zero = zeros.find((first) => code >= first && code < first + 10)
    return zero === undefined ? digit : String(code - zero)
  })
