/** A proxy in front of a test's PostgreSQL, which reads what clients ask and breaks connections where a test says so. */
import { connect, createServer, type Server, type Socket } from "node:net"
import { readConnectionUrl } from "../../packages/persistence/src/sql/connections/ConnectionUrl.ts"
import { Result } from "effect"

/**
 * How the proxy treats a statement:
 *
 * - `pass`: it is passed on.
 * - `cut`: its connection is cut before the server gets it.
 * - `lose the answer`: the server carries it out, and the connection is cut before the client gets the answer.
 * - `hold`: neither it nor a later statement of the connection is passed on, and the connection stays open.
 */
export type Passage = "pass" | "cut" | "lose the answer" | "hold"

/** A proxy that runs. */
export interface DatabaseProxy {
  /** The address of the database through the proxy. */
  readonly url: string
  /** Decides on each statement; all are passed on at first. */
  passage: (statement: string) => Passage
  /** Whether new connections are accepted; true at first. */
  admits: boolean
  /** Whether requests to cancel a statement are passed on; true at first. */
  cancels: boolean
  /** The parameters that each connection began with, by name. */
  readonly startups: ReadonlyArray<ReadonlyArray<string>>
  /** How many statements are held. */
  readonly held: () => number
  /** How many connections are open. */
  readonly open: () => number
  /** Ends every connection that is open. */
  readonly cutAll: () => void
  readonly close: () => Promise<void>
}

const cancelRequest = 80_877_102

const text = (bytes: Buffer, from: number) => {
  const end = bytes.indexOf(0, from)
  return { value: bytes.toString("utf8", from, end), next: end + 1 }
}

const protocol3 = 3 << 16

const isStartup = (bytes: Buffer) => bytes.length > 8 && bytes.readInt32BE(4) === protocol3

const startupParameters = (bytes: Buffer): ReadonlyArray<string> =>
  bytes
    .toString("utf8", 8)
    .split("\0")
    .filter((part, index) => index % 2 === 0 && part !== "")

/** Reads the messages of a client as they come: gives each with its type, and the statement that it runs, if it runs one. */
const messages = () => {
  let pending = Buffer.alloc(0)
  let isStarted = false
  const statements = new Map<string, string>()
  const statementOf = (type: string, body: Buffer) => {
    if (type === "Q") return text(body, 0).value
    if (type === "P") {
      const name = text(body, 0)
      statements.set(name.value, text(body, name.next).value)
    }
    if (type !== "B") return undefined
    return statements.get(text(body, text(body, 0).next).value)
  }
  return (
    chunk: Buffer
  ): ReadonlyArray<{ readonly bytes: Buffer; readonly statement: string | undefined }> => {
    pending = Buffer.concat([pending, chunk])
    const found: Array<{ bytes: Buffer; statement: string | undefined }> = []
    for (;;) {
      const header = isStarted ? 1 : 0
      if (pending.length < header + 4) return found
      const length = header + pending.readInt32BE(header)
      if (pending.length < length) return found
      const bytes = pending.subarray(0, length)
      const type = isStarted ? bytes.toString("latin1", 0, 1) : ""
      pending = pending.subarray(length)
      isStarted = true
      found.push({ bytes, statement: statementOf(type, bytes.subarray(header + 4)) })
    }
  }
}

/** Starts a proxy in front of the database of that address, which is not encrypted. */
export const databaseProxy = async (url: string): Promise<DatabaseProxy> => {
  const [{ name: host, port }] = Result.getOrThrow(readConnectionUrl(url)).hosts
  const open = new Set<Socket>()
  const startups: Array<ReadonlyArray<string>> = []
  let held = 0
  const serve = (client: Socket) => {
    if (!proxy.admits) {
      client.destroy()
      return
    }
    const server = host.startsWith("/")
      ? connect(`${host}/.s.PGSQL.${port}`)
      : connect({ port, host, noDelay: true })
    const cut = () => {
      client.destroy()
      server.destroy()
      open.delete(client)
    }
    open.add(client)
    for (const socket of [client, server]) socket.on("error", cut).on("close", cut)
    let isLosing = false
    let isHolding = false
    const read = messages()
    client.on("data", (chunk) => {
      for (const { bytes, statement } of read(chunk)) {
        if (isHolding) return
        if (isStartup(bytes)) startups.push(startupParameters(bytes))
        if (!proxy.cancels && bytes.length === 16 && bytes.readInt32BE(4) === cancelRequest) return cut()
        const passage = statement === undefined ? "pass" : proxy.passage(statement)
        if (passage === "cut") return cut()
        if (passage === "hold") {
          isHolding = true
          held += 1
          return
        }
        if (passage === "lose the answer") isLosing = true
        server.write(bytes)
      }
    })
    server.on("data", (chunk) => {
      if (!isLosing) client.write(chunk)
      // What ends the answer to a statement: ReadyForQuery, out of a transaction.
      else if (chunk.subarray(-6).equals(Buffer.from("Z\0\0\0\u0005I", "latin1"))) cut()
    })
  }
  const listener: Server = createServer({ noDelay: true }, serve)
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve))
  const address = listener.address()
  const through = new URL(url)
  through.searchParams.set("host", "127.0.0.1")
  through.searchParams.set("port", String(typeof address === "object" ? address?.port : 0))
  const cutAll = () => {
    for (const client of open) client.destroy()
  }
  const proxy: DatabaseProxy = {
    url: through.href,
    passage: () => "pass",
    admits: true,
    cancels: true,
    startups,
    held: () => held,
    open: () => open.size,
    cutAll,
    close: () => {
      cutAll()
      return new Promise((resolve) => listener.close(() => resolve()))
    }
  }
  return proxy
}
