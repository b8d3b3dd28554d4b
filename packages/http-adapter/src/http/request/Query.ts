/** Query parameters as Effect's router reads them: a repeated one is a list, `+` is a space. */

/** The parameters of a request target. */
export type Query = Readonly<Record<string, string | ReadonlyArray<string>>>

const none: Query = Object.create(null)

const decoded = (text: string): string => {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text
  return spaced.includes("%") ? decodeURIComponent(spaced) : spaced
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

/** The query parameters of a request target; `undefined` if they are not well encoded. */
export const queryOf = (target: string): Query | undefined => {
  const start = target.indexOf("?")
  if (start === -1) return none
  try {
    return parse(target.slice(start + 1))
  } catch {
    return undefined
  }
}
