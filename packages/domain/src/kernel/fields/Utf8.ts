/** The number of bytes of a character in UTF-8. */
export const utf8Length = (character: string): number => {
  const codePoint = character.codePointAt(0) ?? 0
  if (codePoint < 0x80) return 1
  if (codePoint < 0x800) return 2
  return codePoint < 0x10000 ? 3 : 4
}
