import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { join } from "node:path"
import { TLSSocket } from "node:tls"
import { inspect } from "node:util"
import { scratchPrefix } from "../../../../test/support/ScratchDirectory.ts"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import { readConnectionUrl } from "../../src/sql/connections/ConnectionUrl.ts"
import { layer as pgLayer } from "../../src/sql/connections/PgClient.ts"
import { certificate, privateKey } from "./TestCertificate.ts"

/** The files of the certificate and its key, which are removed with the scope. */
const files = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(scratchPrefix)),
    (directory) => Effect.sync(() => rmSync(directory, { recursive: true }))
  ),
  (directory) => {
    const [cert, key] = [join(directory, "cert.pem"), join(directory, "key.pem")]
    writeFileSync(cert, certificate)
    writeFileSync(key, privateKey)
    return { cert: encodeURIComponent(cert), key: encodeURIComponent(key) }
  }
)

/**
 * A server in front of the test's PostgreSQL that speaks TLS with the certificate, or refuses TLS. `names` are those in
 * the certificates of its clients; null for a client without one.
 */
const encrypted = Effect.fnUntraced(function* (options: { readonly refusesTls?: boolean } = {}) {
  const { url } = yield* TestDatabase.create
  const { database, hosts, user } = yield* Effect.fromResult(readConnectionUrl(Redacted.value(url)))
  const [{ name: host, port }] = hosts
  const names: Array<string | null> = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => undefined)
    // A client asks for TLS with eight bytes, which the server answers with `S` or `N`.
    socket.once("data", () => {
      if (options.refusesTls === true) return socket.end("N")
      socket.write("S")
      const secure = new TLSSocket(socket, {
        isServer: true,
        cert: certificate,
        key: privateKey,
        ca: certificate,
        requestCert: true
      })
      secure.on("error", () => socket.destroy())
      secure.on("secure", () => {
        const { subject } = secure.getPeerCertificate()
        names.push(subject === undefined ? null : String(subject.CN))
        const upstream = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
        upstream.on("error", () => socket.destroy())
        secure.pipe(upstream)
        upstream.pipe(secure)
      })
      return undefined
    })
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.callback<void>((resume) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resume(Effect.void))
      })
  )
  const at = (serverName: string, parameters: string) =>
    `postgresql://${user}:hunter2@${serverName}:${(server.address() as AddressInfo).port}/${database}?${parameters}`
  return { at, names }
})

const query = (url: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return yield* sql`SELECT 1 AS one`
  }).pipe(Effect.provide(pgLayer({ url: Redacted.make(url) })))

it.live("a connection trusts the certificate of sslrootcert, and sends that of sslcert", () =>
  Effect.gen(function* () {
    const { cert, key } = yield* files
    const { at, names } = yield* encrypted()
    assert.deepStrictEqual(yield* query(at("localhost", `sslrootcert=${cert}`)), [{ one: 1 }])
    const withBoth = `sslmode=verify-full&sslrootcert=${cert}&sslcert=${cert}&sslkey=${key}`
    assert.deepStrictEqual(yield* query(at("localhost", withBoth)), [{ one: 1 }])
    assert.deepStrictEqual(names, [null, "localhost"])
  })
)

it.live("a connection with sslmode=no-verify accepts any certificate", () =>
  Effect.gen(function* () {
    const { at, names } = yield* encrypted()
    assert.deepStrictEqual(yield* query(at("127.0.0.1", "sslmode=no-verify")), [{ one: 1 }])
    assert.deepStrictEqual(names, [null])
  })
)

it.live.each([
  ["the certificate is not trusted", "localhost", () => "sslmode=require", {}],
  [
    "the certificate is of another host",
    "127.0.0.1",
    (cert: string) => `sslmode=require&sslrootcert=${cert}`,
    {}
  ],
  ["the server has no TLS", "localhost", () => "sslmode=prefer", { refusesTls: true }]
] as const)(
  "a connection is refused if %s, and the error does not contain the password",
  ([, serverName, parametersOf, options]) =>
    Effect.gen(function* () {
      const { cert } = yield* files
      const { at } = yield* encrypted(options)
      const error = yield* Effect.flip(query(at(serverName, parametersOf(cert))))
      assert.strictEqual(error.reason._tag, "ConnectionError")
      assert.notInclude(inspect(error, { depth: 10 }) + error.message, "hunter2")
    })
)
