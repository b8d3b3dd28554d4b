/**
 * How the sender opens connections: it resolves the name itself, judges every address that the name has, and
 * connects to one of the very addresses that it judged. A name that answers differently a moment later, or that
 * has one private address among public ones, reaches nothing.
 */
import { lookup, Resolver } from "node:dns/promises"
import { isIP } from "node:net"
import { buildConnector } from "undici"
import { allowsAddress } from "./AddressGuard.ts"
import type { GuardOptions } from "./AddressGuard.ts"

/** Gives the addresses of a name; rejects, or gives none, if it has none. */
export type Resolve = (name: string) => Promise<ReadonlyArray<string>>

/** The name has an address that may not be called. */
export class AddressNotAllowed extends Error {}

/** The name has no address, or none was found in time. */
export class NameNotResolved extends Error {}

const addressesTried = 3

/** How late a connection may be opened, in milliseconds: undici looks at its clock twice a second. */
const punctuality = 1_000

/**
 * Asks the name servers directly. Unlike the platform's lookup this holds no thread while it waits: names with
 * dead servers do not keep other names, or files, or password hashes, waiting.
 */
const askNameServers = (): Resolve => {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []))
  }
}

/** Knows the machine's own names too, for development. */
const askThePlatform: Resolve = async (name) =>
  (await lookup(name, { all: true, order: "ipv4first" })).map(({ address }) => address)

const within = <A>(promise: Promise<A>, milliseconds: number): Promise<A> => {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new NameNotResolved()), milliseconds)
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

type ConnectorOptions = buildConnector.Options
type Opened = NonNullable<Parameters<buildConnector.Callback>[1]>

const connectOnce = (connector: buildConnector.connector, options: ConnectorOptions): Promise<Opened> => {
  const { promise, reject, resolve } = Promise.withResolvers<Opened>()
  connector(options, (error, socket) => (error === null ? resolve(socket) : reject(error)))
  return promise
}

/**
 * A connector for undici. `connectTimeout` (milliseconds) holds for the name and the connection together; TLS is
 * checked against the name in the URL, whatever address was dialled.
 */
export const guardedConnector = (
  options: GuardOptions & { readonly connectTimeout: number; readonly resolve?: Resolve | undefined }
): buildConnector.connector => {
  const resolve = options.resolve ?? (options.allowInsecure === true ? askThePlatform : askNameServers())

  const addressesOf = async (host: string): Promise<ReadonlyArray<string>> => {
    const addresses =
      isIP(host) === 0
        ? await within(resolve(host), options.connectTimeout).catch(() => {
            throw new NameNotResolved()
          })
        : [host]
    if (addresses.length === 0) throw new NameNotResolved()
    if (!addresses.every((address) => allowsAddress(address, options))) throw new AddressNotAllowed()
    return addresses.slice(0, addressesTried)
  }

  const open = async (request: ConnectorOptions): Promise<Opened> => {
    const deadline = performance.now() + options.connectTimeout
    const addresses = await addressesOf(request.hostname)
    let failure: unknown = new NameNotResolved()
    for (const [index, hostname] of addresses.entries()) {
      const left = (deadline - performance.now()) / (addresses.length - index)
      const connector = buildConnector({ allowH2: false, maxCachedSessions: 0, timeout: Math.max(left, 1) })
      try {
        const servername = request.servername ?? (isIP(request.hostname) === 0 ? request.hostname : undefined)
        // Naming the server is for TLS alone: on plain connections undici would take it for the one to dial.
        const named = request.protocol === "https:" && servername !== undefined ? { servername } : {}
        const { servername: _, ...rest } = request
        const socket = await connectOnce(connector, { ...rest, ...named, hostname })
        // undici's own clock stands still while the process does; what comes after that is too late to be used.
        if (performance.now() <= deadline + punctuality) return socket
        socket.destroy()
        break
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }

  const answer = async (request: ConnectorOptions, callback: buildConnector.Callback): Promise<void> => {
    let socket: Opened
    try {
      socket = await open(request)
    } catch (error) {
      callback(error instanceof Error ? error : new Error(String(error)), null)
      return
    }
    callback(null, socket)
  }
  return (request, callback) => void answer(request, callback)
}
