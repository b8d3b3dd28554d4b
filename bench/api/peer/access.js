/** Who may call: API keys and driver tokens, and the rate limit of each caller. */
import { hash } from "node:crypto"
import { rateHeaders } from "./counters.js"
import { suspended, tooMany, unauthorized } from "./errors.js"
import { findBusinessByKey, findDriverByToken } from "./statements.js"

const sha256 = (text) => hash("sha256", text, "hex")

/** A found key is remembered for 900 ms from before its look-up, so that a revocation takes effect within a second. */
const rememberedMillis = 900
const rememberedAtMost = 10_000

/** Gives `find(keyHash, done)`: the business of an API key, from the cache or the database; undefined if it has none. */
const businessesByKey = (pool) => {
  const remembered = new Map()
  const pending = new Map()

  const isFresh = (entry) => entry !== undefined && Date.now() - entry.since < rememberedMillis

  const lookUp = (keyHash, done) => {
    const since = Date.now()
    const waiting = [done]
    const underWay = { since, waiting }
    pending.set(keyHash, underWay)
    pool.query({ ...findBusinessByKey, values: [keyHash] }, (error, result) => {
      if (pending.get(keyHash) === underWay) pending.delete(keyHash)
      const business = result?.rows[0]
      if (business !== undefined) {
        if (remembered.size >= rememberedAtMost) remembered.clear()
        remembered.set(keyHash, { since, business })
      }
      for (const each of waiting) each(error, business)
    })
  }

  return (keyHash, done) => {
    const known = remembered.get(keyHash)
    const underWay = pending.get(keyHash)
    if (isFresh(known)) done(null, known.business)
    else if (isFresh(underWay)) underWay.waiting.push(done)
    else lookUp(keyHash, done)
  }
}

/** A driver's token, and the business that it names. */
const driverToken = /^drv_([1-9]\d{0,15})_[\w-]{43}$/u

/** Hooks that a route names as its `onRequest`. They call back at once where nothing has to be waited for. */
export const makeAccess = ({ counters, limits, pool }) => {
  const findBusiness = businessesByKey(pool)

  /** Counts the request against a limit, puts its headers on the reply, and refuses what is over the limit. */
  const count = (kind, key, reply, done) => {
    counters.count(`${kind}:${key}`, (error, counted) => {
      if (error) return done(error)
      const limit = limits[kind]
      reply.headers(rateHeaders(limit, counted))
      return counted.used > limit ? done(tooMany()) : done()
    })
  }

  /** A refused credential counts against the caller's address: guessing must not be free. */
  const refuse = (request, reply, refusal, done) =>
    count("public", request.ip, reply, (error) => done(error ?? refusal))

  /** Serves callers with an API key: sets `request.business` and `request.actor`. */
  const withApiKey = (request, reply, done) => {
    const { authorization } = request.headers
    if (authorization === undefined || !authorization.startsWith("Bearer lvk_")) {
      refuse(request, reply, unauthorized(), done)
      return
    }
    const key = authorization.slice(7)
    findBusiness(sha256(key), (error, business) => {
      if (error) return done(error)
      if (business === undefined) return refuse(request, reply, unauthorized(), done)
      if (business.status === "D") return refuse(request, reply, suspended(), done)
      request.business = business
      request.actor = `api_key:${key.slice(0, 8)}…${key.slice(-4)}`
      return count("business", String(business.business_id), reply, done)
    })
  }

  /** Serves drivers by the token of one assignment, looked up at each request: sets `request.driver`. */
  const withDriverToken = (request, reply, done) => {
    const { token } = request.query
    const [, businessId] = typeof token === "string" ? (driverToken.exec(token) ?? []) : []
    if (businessId === undefined) {
      refuse(request, reply, unauthorized(), done)
      return
    }
    pool.query({ ...findDriverByToken, values: [businessId, sha256(token)] }, (error, result) => {
      if (error) return done(error)
      const [driver] = result.rows
      if (driver === undefined) return refuse(request, reply, unauthorized(), done)
      if (driver.status === "D") return refuse(request, reply, suspended(), done)
      request.business = driver
      request.driver = driver
      return count("business", `driver:${driver.business_id}/${driver.driver_id}`, reply, done)
    })
  }

  return { count, withApiKey, withDriverToken }
}
