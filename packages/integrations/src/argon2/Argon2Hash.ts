/** The encoded form of an argon2 hash (the PHC string format), and whether a hash is outdated. */

/** The costs of a hash: memory in KiB, passes, and lanes. */
export interface Argon2Costs {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** The costs of new hashes: OWASP's recommended minimum for argon2id. */
export const currentCosts: Argon2Costs = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The length of new hashes, in bytes. */
export const hashBytes = 32

const saltBytes = 16

const base64Length = (bytes: number) => Math.ceil((bytes * 4) / 3)

const currentVersion = 19

const phcFormat =
  /^\$(argon2id|argon2i|argon2d)\$v=(16|19)\$([mtp=,\d]{1,40})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{16,86})$/u

/** The costs in a hash, in any order: libraries differ in it. `undefined` if they are not acceptable. */
const costsIn = (parameters: string): Argon2Costs | undefined => {
  const pairs = parameters.split(",").map((pair) => pair.split("=", 2))
  const cost = (name: string) => {
    const [, digits = ""] = pairs.find(([key]) => key === name) ?? []
    return /^[1-9]\d{0,6}$/u.test(digits) ? Number(digits) : 0
  }
  const [memoryCost, timeCost, parallelism] = [cost("m"), cost("t"), cost("p")]
  const isAcceptable = timeCost >= 1 && timeCost < 100 && parallelism >= 1 && memoryCost >= 8 * parallelism
  return pairs.length === 3 && isAcceptable ? { memoryCost, timeCost, parallelism } : undefined
}

/**
 * Whether a hash is weaker in any respect than new hashes with `costs`. `undefined` for a text that is not an argon2
 * hash, and for costs that argon2 refuses or that no machine can afford (10 GiB and more, 100 passes and more).
 */
export const inspectHash = (
  encoded: string,
  costs: Argon2Costs = currentCosts
): { readonly outdated: boolean } | undefined => {
  const [, variant, version, parameters = "", salt = "", hash = ""] = phcFormat.exec(encoded) ?? []
  const hashCosts = costsIn(parameters)
  return hashCosts === undefined
    ? undefined
    : {
        outdated:
          variant !== "argon2id" ||
          Number(version) < currentVersion ||
          hashCosts.memoryCost < costs.memoryCost ||
          hashCosts.timeCost < costs.timeCost ||
          salt.length < base64Length(saltBytes) ||
          hash.length < base64Length(hashBytes)
      }
}

/** A hash with those costs whose bytes are all zero. No password is known to match it. */
export const dummyHashOf = ({ memoryCost, parallelism, timeCost }: Argon2Costs): string =>
  [
    "",
    "argon2id",
    `v=${currentVersion}`,
    `m=${memoryCost},t=${timeCost},p=${parallelism}`,
    "A".repeat(base64Length(saltBytes)),
    "A".repeat(base64Length(hashBytes))
  ].join("$")
