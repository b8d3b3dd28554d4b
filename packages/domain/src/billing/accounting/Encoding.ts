/** The encodings of exported files. */
import { Schema } from "effect"

/** `utf-8-bom` begins with a byte order mark, by which Excel recognises UTF-8. */
export const FileEncoding = Schema.Literals(["utf-8", "utf-8-bom", "windows-1252"])
export type FileEncoding = typeof FileEncoding.Type

declare const TextEncoder: new () => { readonly encode: (text: string) => Uint8Array<ArrayBuffer> }

const utf8 = new TextEncoder()

/** The characters of Windows-1252 from 0x80 to 0x9F, with a space where there is none. */
const upper = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ"

const codes = new Map(
  Array.from(upper).flatMap((character, at) => (character === " " ? [] : [[character, 0x80 + at]]))
)

const isDirect = (code: number) => code < 0x80 || (code >= 0xa0 && code <= 0xff)

/** The bytes of a text in Windows-1252. A character that it lacks loses its accents, and otherwise becomes a question mark. */
const windows1252 = (text: string): Uint8Array<ArrayBuffer> => {
  const bytes: Array<number> = []
  const codeOf = (character: string) => {
    const code = character.codePointAt(0) ?? 0
    return isDirect(code) ? code : codes.get(character)
  }
  for (const character of text.normalize("NFC")) {
    const plain = character.normalize("NFKD").replaceAll(/\p{M}/gu, "")
    const known = codeOf(character)
    if (known === undefined) for (const part of plain) bytes.push(codeOf(part) ?? 0x3f)
    else bytes.push(known)
  }
  return Uint8Array.from(bytes)
}

/** The bytes with which a file begins. */
export const byteOrderMark = (encoding: FileEncoding): string => (encoding === "utf-8-bom" ? "\uFEFF" : "")

/** The bytes of a text in an encoding. */
export const encoded = (text: string, encoding: FileEncoding): Uint8Array<ArrayBuffer> =>
  encoding === "windows-1252" ? windows1252(text) : utf8.encode(text)
