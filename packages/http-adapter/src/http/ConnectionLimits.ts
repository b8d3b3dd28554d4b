/**
 * The limits on open connections. A process that has no descriptor left cannot reach its database either: connections
 * of clients end before that, and one address cannot take them all.
 */
import { readFileSync } from "node:fs"
import type { Server } from "node:http"
import type { Socket } from "node:net"

/** The most connections that a server keeps open, in total and from one address. */
export interface ConnectionLimits {
  readonly total: number
  /** Without it, an address may have as many as all: behind a proxy, all connections have one address. */
  readonly perAddress: number | undefined
}

/** The descriptors kept for the database, receivers of webhooks, mail and files. */
const reserved = 256

/** Where the limit of descriptors is unknown, it is taken to be this. */
const usualDescriptors = 1024

/** No process gains from more connections than this. */
const mostConnections = 20_000

const descriptors = (): number => {
  try {
    const line = /^Max open files\s+(\d+)/mu.exec(readFileSync("/proc/self/limits", "utf8"))
    return line === null ? usualDescriptors : Number(line[1])
  } catch {
    return usualDescriptors
  }
}

/**
 * The limits for a process: all descriptors but a reserve, which grows with the pool of the database, and an eighth of
 * them for one address.
 */
export const connectionLimits = (options: {
  readonly databasePool: number
  readonly trustedProxies: number
  readonly descriptors?: number
}): ConnectionLimits => {
  const available = (options.descriptors ?? descriptors()) - reserved - options.databasePool
  const total = Math.min(mostConnections, Math.max(64, available))
  return {
    total,
    perAddress: options.trustedProxies > 0 ? undefined : Math.max(32, Math.floor(total / 8))
  }
}

/** Closes new connections of a server beyond the limits at once. */
export const limitConnections = (server: Server, { perAddress, total }: ConnectionLimits): Server => {
  server.maxConnections = total
  if (perAddress === undefined) return server
  const open = new Map<string, number>()
  return server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? ""
    const count = open.get(address) ?? 0
    if (count >= perAddress) {
      socket.destroy()
      return
    }
    open.set(address, count + 1)
    socket.once("close", () => {
      const left = (open.get(address) ?? 1) - 1
      if (left === 0) open.delete(address)
      else open.set(address, left)
    })
  })
}
