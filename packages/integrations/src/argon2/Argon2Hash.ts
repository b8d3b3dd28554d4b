/** The encoded form of an argon2 hash (the PHC string format), and how strong one is. */

/** The costs of a hash: memory in KiB, passes over it, lanes. */
export interface Argon2Costs {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** Today's costs, OWASP's recommended minimum for argon2id. */
export const todaysCosts: Argon2Costs = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The bytes of a hash made today. */
export const hashBytes = 32

const saltBytes = 16

const unpadded = (bytes: number) => Math.ceil((bytes * 4) / 3)

const currentVersion = 19

const form =
  /^\$(argon2id|argon2i|argon2d)\$v=(16|19)\$([mtp=,\d]{1,40})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{16,86})$/u

/** The costs in their standard order or in another: what made the hash may have written them differently. */
const costsIn = (parameters: string): Argon2Costs | undefined => {
  const pairs = parameters.split(",").map((pair) => pair.split("=", 2))
  const cost = (name: string) => {
    const [, digits = ""] = pairs.find(([key]) => key === name) ?? []
    return /^[1-9]\d{0,6}$/u.test(digits) ? Number(digits) : 0
  }
  const [memoryCost, timeCost, parallelism] = [cost("m"), cost("t"), cost("p")]
  const bearable = timeCost >= 1 && timeCost < 100 && parallelism >= 1 && memoryCost >= 8 * parallelism
  return pairs.length === 3 && bearable ? { memoryCost, timeCost, parallelism } : undefined
}

/**
 * What can be told of a hash without its password: whether it is weaker in any respect than one made today.
 * `undefined` for what is no argon2 hash, or has costs that argon2 refuses or no machine bears (10 GiB and more,
 * 100 passes and more).
 */
export const inspect = (encoded: string): { readonly outdated: boolean } | undefined => {
  const [, variant, version, parameters = "", salt = "", hash = ""] = form.exec(encoded) ?? []
  const costs = costsIn(parameters)
  return costs === undefined
    ? undefined
    : {
        outdated:
          variant !== "argon2id" ||
          Number(version) < currentVersion ||
          costs.memoryCost < todaysCosts.memoryCost ||
          costs.timeCost < todaysCosts.timeCost ||
          salt.length < unpadded(saltBytes) ||
          hash.length < unpadded(hashBytes)
      }
}

/** A hash of today's costs that no password is known to make: its bytes are all zero. */
export const nobodysHash = [
  "",
  "argon2id",
  `v=${currentVersion}`,
  `m=${todaysCosts.memoryCost},t=${todaysCosts.timeCost},p=${todaysCosts.parallelism}`,
  "A".repeat(unpadded(saltBytes)),
  "A".repeat(unpadded(hashBytes))
].join("$")
