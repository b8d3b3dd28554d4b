/**
 * A server that does the least for a request: it runs the request's statements over `pg`, leaves the values as text, and
 * responds with a text that never changes. A server on one thread of Node with `pg` has about this rate at most, unless
 * several requests share a statement.
 */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Pool } from "pg"
import type { Statement } from "./Statements.ts"

/** What a bare server does. */
interface BareOptions {
  readonly url: string
  /** The number of its sessions. */
  readonly sessions: number
  readonly statements: ReadonlyArray<Statement>
  /** The body of each response. */
  readonly body: string
}

const asText = { getTypeParser: () => (value: unknown) => value }

/** Runs `use` with the port of a bare server, and stops it. */
export const withBareServer = async <A>(
  { body, sessions, statements, url }: BareOptions,
  use: (port: number) => Promise<A>
): Promise<A> => {
  const pool = new Pool({ connectionString: url, max: sessions })
  const prepared = statements.map(({ text, values }, index) => ({
    name: `statement ${index}`,
    text,
    values: [...values],
    rowMode: "array",
    types: asText
  }))
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) }
  const server = createServer((_, response) => {
    const answer = async () => {
      for (const statement of prepared) await pool.query(statement)
      response.writeHead(200, headers).end(body)
    }
    answer().catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  try {
    return await use((server.address() as AddressInfo).port)
  } finally {
    server.closeAllConnections()
    server.close()
    await pool.end()
  }
}
