/**
 * Limits on open connections. A process without free file descriptors cannot reach its database, so client connections
 * are limited before that point, and one address cannot use all of them.
 */
import { readFileSync } from "node:fs"
import type { Server } from "node:http"
import type { Socket } from "node:net"
import { limitKeyOf } from "../request/ClientAddress.ts"

/** The most connections that a server keeps open, in total and from one address. */
export interface ConnectionLimits {
  readonly total: number
  /** Undefined means the same limit as `total`: behind a proxy, all connections come from one address. */
  readonly perAddress: number | undefined
}

/** The descriptors reserved for the database, webhook receivers, mail and files. */
const reserved = 256

/** The assumed limit of descriptors where the system does not report one. */
const defaultDescriptors = 1024

/** The highest total: a process cannot serve more connections usefully. */
const maxConnections = 20_000

const descriptors = (): number => {
  try {
    const line = /^Max open files\s+(\d+)/mu.exec(readFileSync("/proc/self/limits", "utf8"))
    return line === null ? defaultDescriptors : Number(line[1])
  } catch {
    return defaultDescriptors
  }
}

/**
 * The limits for a process. The total is all descriptors except a reserve, which grows with the database's pool; one
 * address may use an eighth of the total.
 */
export const connectionLimits = (options: {
  readonly databasePool: number
  readonly trustedProxies: number
  readonly descriptors?: number
}): ConnectionLimits => {
  const available = (options.descriptors ?? descriptors()) - reserved - options.databasePool
  const total = Math.min(maxConnections, Math.max(64, available))
  return {
    total,
    perAddress: options.trustedProxies > 0 ? undefined : Math.max(32, Math.floor(total / 8))
  }
}

/**
 * Makes a server close each new connection beyond the limits immediately. The addresses of one /64 network of IPv6 have a
 * limit together.
 */
export const limitConnections = (server: Server, { perAddress, total }: ConnectionLimits): Server => {
  server.maxConnections = total
  if (perAddress === undefined) return server
  const open = new Map<string, number>()
  return server.on("connection", (socket: Socket) => {
    const address = limitKeyOf(socket.remoteAddress ?? "")
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
