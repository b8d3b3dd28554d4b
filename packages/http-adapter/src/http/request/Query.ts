/** Query parameters: a repeated one is a list, `+` is a space, and a malformed escape stays as it was sent. */

/** The parameters of a request target. */
export type Query = Readonly<Record<string, string | ReadonlyArray<string>>>

const none: Query = Object.create(null)

const decoded = (text: string): string => {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text
  if (!spaced.includes("%")) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

const parse = (text: string): Query => {
  const query: Record<string, string | Array<string>> = Object.create(null)
  for (const pair of text.split("&")) {
    const equals = pair.indexOf("=")
    const name = decoded(equals === -1 ? pair : pair.slice(0, equals))
    if (pair === "") continue
    const value = equals === -1 ? "" : decoded(pair.slice(equals + 1))
    const before = query[name]
    if (before === undefined) query[name] = value
    else if (Array.isArray(before)) before.push(value)
    else query[name] = [before, value]
  }
  return query
}

/** The query parameters of a request target. */
export const queryOf = (target: string): Query => {
  const start = target.indexOf("?")
  return start === -1 ? none : parse(target.slice(start + 1))
}
