/** Searching by a part of a text. */

/** The pattern of `ILIKE` that finds a text anywhere, with the wildcards in it taken literally. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/gu, "\\$&")}%`
