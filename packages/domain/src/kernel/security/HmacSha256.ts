/** The platform's HMAC-SHA256, without a dependency: by `node:crypto` where there is one, else by WebCrypto. */

declare const TextEncoder: new () => { readonly encode: (text: string) => Uint8Array<ArrayBuffer> }

/** The part of WebCrypto that is used here. The domain compiles without the types of any platform. */
declare const crypto: {
  readonly subtle: {
    readonly importKey: (
      format: "raw",
      key: Uint8Array<ArrayBuffer>,
      algorithm: { readonly name: "HMAC"; readonly hash: "SHA-256" | "SHA-1" },
      extractable: false,
      usages: ReadonlyArray<"sign">
    ) => Promise<object>
    readonly sign: (algorithm: "HMAC", key: object, bytes: Uint8Array<ArrayBuffer>) => Promise<ArrayBuffer>
  }
}

interface NodeHmac {
  readonly update: (data: string | Uint8Array) => NodeHmac
  readonly digest: (encoding: "hex") => string
}

declare const process:
  | {
      readonly getBuiltinModule?: (
        name: "node:crypto"
      ) => { readonly createHmac: (algorithm: "sha256", key: string) => NodeHmac } | undefined
    }
  | undefined

/** Computes the HMAC of `prefix` and `message` together, in hexadecimal. Texts count as their UTF-8 bytes. */
export type Hmac = (secret: string, prefix: string, message: string | Uint8Array) => string | Promise<string>

const utf8 = new TextEncoder()

const hexOf = (bytes: ArrayBuffer) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("")

/** By WebCrypto, which browsers, edge runtimes, Deno, Bun and Node have. */
export const webCryptoHmac = async (
  secret: string,
  prefix: string,
  message: string | Uint8Array,
  hash: "SHA-256" | "SHA-1" = "SHA-256"
): Promise<string> => {
  // WebCrypto refuses an empty key. HMAC pads keys with zeros, so that one zero byte is the same key.
  const raw = utf8.encode(secret === "" ? "\u0000" : secret)
  const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash }, false, ["sign"])
  const head = utf8.encode(prefix)
  const tail = typeof message === "string" ? utf8.encode(message) : message
  const bytes = new Uint8Array(head.length + tail.length)
  bytes.set(head)
  bytes.set(tail, head.length)
  return hexOf(await crypto.subtle.sign("HMAC", key, bytes))
}

/** The faster one of this platform: WebCrypto computes in another thread, which costs more than the computation. */
export const platformHmac = (): Hmac => {
  const node = typeof process === "undefined" ? undefined : process.getBuiltinModule?.("node:crypto")
  return node === undefined
    ? webCryptoHmac
    : (secret, prefix, message) =>
        node.createHmac("sha256", secret).update(prefix).update(message).digest("hex")
}
