/** Checks of the settings that are URLs. The escapes in each part must be valid, because the part is decoded later. */

const isDecodable = (part: string) => {
  try {
    decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}

const parse = (text: string, protocols: ReadonlyArray<string>) => {
  const url = /\s/u.test(text) ? null : URL.parse(text)
  return url !== null &&
    protocols.includes(url.protocol) &&
    [url.username, url.password, url.hostname, url.pathname].every(isDecodable)
    ? url
    : undefined
}

/** Whether a text is an http or https address without a query and a fragment. */
export const isWebAddress = (text: string): boolean =>
  /^https?:\/\/[^?#]+$/u.test(text) && parse(text, ["http:", "https:"]) !== undefined

/** Whether a text is an http or https address, which may have a query. */
export const isHttpUrl = (text: string): boolean =>
  /^https?:\/\/./u.test(text) && parse(text, ["http:", "https:"]) !== undefined

/** Whether a text is the address of a mail server. */
export const isSmtpAddress = (text: string): boolean => {
  const url = parse(text, ["smtp:", "smtps:"])
  return url !== undefined && url.hostname !== ""
}

/** Whether a text is the address of a Redis server, whose path is the number of a database. */
export const isRedisAddress = (text: string): boolean => {
  const url = parse(text, ["redis:", "rediss:"])
  return url !== undefined && /^rediss?:\/\/./u.test(text) && /^\/?\d*$/u.test(url.pathname)
}
