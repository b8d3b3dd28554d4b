/**
 * Synchronous HMAC-SHA256 without a dependency: by Node's own implementation where there is one, else by the one below
 * (FIPS 180-4, RFC 2104). WebCrypto computes in another thread, and switching to it costs more than the whole
 * computation for a message of a few kilobytes.
 */

declare const TextEncoder: new () => { readonly encode: (text: string) => Uint8Array<ArrayBuffer> }

/** Computes the HMAC of `prefix` and `message` together, in hexadecimal. Texts count as their UTF-8 bytes. */
export type Hmac = (secret: string, prefix: string, message: string | Uint8Array) => string

interface NodeHmac {
  readonly update: (data: string | Uint8Array) => NodeHmac
  readonly digest: (encoding: "hex") => string
}

interface NodeProcess {
  readonly getBuiltinModule?: (
    name: "node:crypto"
  ) => { readonly createHmac: (algorithm: "sha256", key: string) => NodeHmac } | undefined
}

declare const process: NodeProcess | undefined

const blockBytes = 64
const utf8 = new TextEncoder()

const isPrime = (number: number) => {
  for (let divisor = 2; divisor * divisor <= number; divisor++) if (number % divisor === 0) return false
  return true
}

/** The first 32 bits of the fractions of these roots of the first primes: the constants of SHA-256. */
const fractionsOfRoots = (count: number, root: (prime: number) => number) => {
  const words = new DataView(new ArrayBuffer(count * 4))
  for (let nth = 0, number = 2; nth < count; number++)
    if (isPrime(number)) words.setUint32(4 * nth++, Math.floor((root(number) % 1) * 2 ** 32))
  return words
}

const initialState = fractionsOfRoots(8, Math.sqrt)
const constants = fractionsOfRoots(64, Math.cbrt)
const roundConstants = Int32Array.from({ length: 64 }, (_, nth) => constants.getInt32(4 * nth))
const schedule = new Int32Array(64)

const copyOf = (state: DataView<ArrayBuffer>) => new DataView(state.buffer.slice(0))

/** Adds one block of the message to the state: eight words, as bytes. */
const addBlock = (state: DataView, message: DataView, offset: number): void => {
  for (let nth = 0; nth < 16; nth++) schedule[nth] = message.getInt32(offset + 4 * nth)
  for (let nth = 16; nth < 64; nth++) {
    const x = schedule[nth - 15] ?? 0
    const y = schedule[nth - 2] ?? 0
    const small0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const small1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    schedule[nth] = ((schedule[nth - 16] ?? 0) + small0 + (schedule[nth - 7] ?? 0) + small1) | 0
  }
  let a = state.getInt32(0)
  let b = state.getInt32(4)
  let c = state.getInt32(8)
  let d = state.getInt32(12)
  let e = state.getInt32(16)
  let f = state.getInt32(20)
  let g = state.getInt32(24)
  let h = state.getInt32(28)
  for (let nth = 0; nth < 64; nth++) {
    const big1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const choice = (e & f) ^ (~e & g)
    const one = (h + big1 + choice + (roundConstants[nth] ?? 0) + (schedule[nth] ?? 0)) | 0
    const big0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const majority = (a & b) ^ (a & c) ^ (b & c)
    h = g
    g = f
    f = e
    e = (d + one) | 0
    d = c
    c = b
    b = a
    a = (one + big0 + majority) | 0
  }
  state.setInt32(0, state.getInt32(0) + a)
  state.setInt32(4, state.getInt32(4) + b)
  state.setInt32(8, state.getInt32(8) + c)
  state.setInt32(12, state.getInt32(12) + d)
  state.setInt32(16, state.getInt32(16) + e)
  state.setInt32(20, state.getInt32(20) + f)
  state.setInt32(24, state.getInt32(24) + g)
  state.setInt32(28, state.getInt32(28) + h)
}

/** Adds the end of a message to the state. `before` bytes of it were added already: whole blocks. */
const addEnd = (state: DataView, parts: ReadonlyArray<Uint8Array>, before: number): void => {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const padded = new Uint8Array(Math.ceil((length + 9) / blockBytes) * blockBytes)
  let at = 0
  for (const part of parts) {
    padded.set(part, at)
    at += part.length
  }
  padded[length] = 0x80
  const message = new DataView(padded.buffer)
  const bits = (before + length) * 8
  message.setUint32(padded.length - 8, Math.floor(bits / 2 ** 32))
  message.setUint32(padded.length - 4, bits % 2 ** 32)
  for (let offset = 0; offset < padded.length; offset += blockBytes) addBlock(state, message, offset)
}

const bytesOf = (state: DataView<ArrayBuffer>) => new Uint8Array(state.buffer)

/** The states of the two hashes of an HMAC after the block of the key. */
const statesOf = (secret: string) => {
  let key = utf8.encode(secret)
  if (key.length > blockBytes) {
    const hash = copyOf(initialState)
    addEnd(hash, [key], 0)
    key = bytesOf(hash)
  }
  const stateWith = (padding: number) => {
    const block = new Uint8Array(blockBytes).fill(padding)
    for (const [at, byte] of key.entries()) block[at] = byte ^ padding
    const state = copyOf(initialState)
    addBlock(state, new DataView(block.buffer), 0)
    return state
  }
  return { inner: stateWith(0x36), outer: stateWith(0x5c) }
}

const maxCachedStates = 100

/** Makes the implementation that runs everywhere. It prepares a secret once and keeps the last hundred. */
export const makePortableHmac = (): Hmac => {
  const states = new Map<string, ReturnType<typeof statesOf>>()
  const prepared = (secret: string) => {
    const known = states.get(secret)
    if (known !== undefined) return known
    const made = statesOf(secret)
    states.set(secret, made)
    const [oldest] = states.keys()
    if (states.size > maxCachedStates && oldest !== undefined) states.delete(oldest)
    return made
  }
  return (secret, prefix, message) => {
    const { inner, outer } = prepared(secret)
    const state = copyOf(inner)
    const parts =
      typeof message === "string" ? [utf8.encode(prefix + message)] : [utf8.encode(prefix), message]
    addEnd(state, parts, blockBytes)
    const result = copyOf(outer)
    addEnd(result, [bytesOf(state)], blockBytes)
    let hex = ""
    for (let at = 0; at < 32; at += 4) hex += result.getUint32(at).toString(16).padStart(8, "0")
    return hex
  }
}

const makeNodeHmac = (): Hmac | undefined => {
  const node = typeof process === "undefined" ? undefined : process.getBuiltinModule?.("node:crypto")
  return node === undefined
    ? undefined
    : (secret, prefix, message) => {
        const hmac = node.createHmac("sha256", secret)
        return typeof message === "string"
          ? hmac.update(prefix + message).digest("hex")
          : hmac.update(prefix).update(message).digest("hex")
      }
}

/** The fastest implementation that this platform has. */
export const makeHmac = (): Hmac => makeNodeHmac() ?? makePortableHmac()
