const quoted = (text: string): string =>
  `"${text.includes('"') || text.includes("\\") ? text.replaceAll(/["\\]/gu, String.raw`\$&`) : text}"`

/**
 * An array as PostgreSQL reads it, `{1,NULL,"two"}`, for a parameter with a cast. pg writes arrays too, but letter by
 * letter, which shows where thousands of values are written a second.
 */
export const pgArray = (values: ReadonlyArray<string | number | boolean | null>): string => {
  const written = values.map((value) => (typeof value === "string" ? quoted(value) : (value ?? "NULL")))
  return `{${written.join(",")}}`
}
