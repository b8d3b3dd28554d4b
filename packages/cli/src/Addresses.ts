/** What may stand in a setting that is an address: what whoever uses it later can read to its last part. */

const decodes = (part: string) => {
  try {
    decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}

const read = (text: string, protocols: ReadonlyArray<string>) => {
  const url = /\s/u.test(text) ? null : URL.parse(text)
  return url !== null &&
    protocols.includes(url.protocol) &&
    [url.username, url.password, url.hostname, url.pathname].every(decodes)
    ? url
    : undefined
}

/** An address of ours that others are given: nothing follows its path. */
export const isWebAddress = (text: string): boolean =>
  /^https?:\/\/[^?#]+$/u.test(text) && read(text, ["http:", "https:"]) !== undefined

/** A mail server. */
export const isSmtpAddress = (text: string): boolean => {
  const url = read(text, ["smtp:", "smtps:"])
  return url !== undefined && url.hostname !== ""
}

/** A Redis, whose path is the number of a database. */
export const isRedisAddress = (text: string): boolean => {
  const url = read(text, ["redis:", "rediss:"])
  return url !== undefined && /^rediss?:\/\/./u.test(text) && /^\/?\d*$/u.test(url.pathname)
}
