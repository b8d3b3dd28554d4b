/**
 * Opens connections for the sender. It resolves the name itself, checks every address of the name, and connects to one
 * of the checked addresses. So a name cannot reach a private address by resolving differently a moment later, or by
 * having a private address among public ones.
 */
import { lookup, Resolver } from "node:dns/promises"
import { isIP } from "node:net"
import { buildConnector } from "undici"
import { allowsAddress } from "./AddressGuard.ts"
import type { GuardOptions } from "./AddressGuard.ts"
import { AddressNotAllowed, NameNotResolved } from "./ConnectErrors.ts"

/** Resolves to the addresses of a name. If the name has none, it rejects or resolves to an empty list. */
export type Resolve = (name: string) => Promise<ReadonlyArray<string>>

const maxAddresses = 3

/** Milliseconds by which a connection may open too late: undici checks its timeouts twice a second. */
const timeoutSlack = 1_000

/**
 * Queries the name servers directly. Unlike the platform's lookup, this blocks no thread while it waits, so a name
 * whose servers are down does not delay other names, files or password hashes.
 */
const resolveByNameServers = (): Resolve => {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []))
  }
}

/** Also resolves local host names, for development. */
const resolveByPlatform: Resolve = async (name) =>
  (await lookup(name, { all: true, order: "ipv4first" })).map(({ address }) => address)

/** Rejects with `NameNotResolved` if the promise takes longer. */
const withTimeout = <A>(promise: Promise<A>, milliseconds: number): Promise<A> => {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new NameNotResolved()), milliseconds)
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer))
}

/** The host as TLS names it: without the dot of a fully qualified name (RFC 6066, 3); undefined for an address. */
const serverNameOf = (host: string): string | undefined =>
  isIP(host) === 0 ? host.replace(/\.$/u, "") : undefined

/** Which addresses are allowed, and how long connecting may take. */
export interface ConnectorOptions extends GuardOptions {
  /** Milliseconds for the resolution and the connection together. */
  readonly connectTimeout: number
  readonly resolve?: Resolve | undefined
}

type Socket = NonNullable<Parameters<buildConnector.Callback>[1]>

const connectOnce = (
  connector: buildConnector.connector,
  options: buildConnector.Options
): Promise<Socket> => {
  const { promise, reject, resolve } = Promise.withResolvers<Socket>()
  connector(options, (error, socket) => (error === null ? resolve(socket) : reject(error)))
  return promise
}

/**
 * Makes a connector for undici. The certificate is checked against the name in the URL, whichever address was connected
 * to.
 */
export const guardedConnector = (options: ConnectorOptions): buildConnector.connector => {
  const resolve =
    options.resolve ?? (options.allowInsecure === true ? resolveByPlatform : resolveByNameServers())

  const addressesOf = async (host: string): Promise<ReadonlyArray<string>> => {
    const addresses =
      isIP(host) === 0
        ? await withTimeout(resolve(host), options.connectTimeout).catch(() => {
            throw new NameNotResolved()
          })
        : [host]
    if (addresses.length === 0) throw new NameNotResolved()
    if (!addresses.every((address) => allowsAddress(address, options))) throw new AddressNotAllowed()
    return addresses.slice(0, maxAddresses)
  }

  const connect = async (request: buildConnector.Options): Promise<Socket> => {
    const deadline = performance.now() + options.connectTimeout
    const addresses = await addressesOf(request.hostname)
    let failure: unknown = new NameNotResolved()
    for (const [index, hostname] of addresses.entries()) {
      // The remaining addresses share the remaining time equally.
      const timeout = (deadline - performance.now()) / (addresses.length - index)
      const connector = buildConnector({
        allowH2: false,
        maxCachedSessions: 0,
        timeout: Math.max(timeout, 1)
      })
      try {
        const servername = request.servername ?? serverNameOf(request.hostname)
        // For TLS only: on plain connections undici would connect to this name instead of the checked address.
        const tlsName = request.protocol === "https:" && servername !== undefined ? { servername } : {}
        const { servername: _, ...rest } = request
        const socket = await connectOnce(connector, { ...rest, ...tlsName, hostname })
        // undici's timers do not run while the process is paused, so a connection may open after the deadline.
        if (performance.now() <= deadline + timeoutSlack) return socket
        socket.destroy()
        break
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }

  const connectAndCallBack = async (
    request: buildConnector.Options,
    callback: buildConnector.Callback
  ): Promise<void> => {
    let socket: Socket
    try {
      socket = await connect(request)
    } catch (error) {
      callback(error instanceof Error ? error : new Error(String(error)), null)
      return
    }
    callback(null, socket)
  }
  return (request, callback) => void connectAndCallBack(request, callback)
}
