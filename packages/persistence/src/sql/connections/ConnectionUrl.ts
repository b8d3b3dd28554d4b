/**
 * Parses `postgresql://` URLs, and says why one is refused. The error never contains the URL, because that contains a
 * password.
 */
import { Result, Schema } from "effect"
import { readFileSync } from "node:fs"
import type { ConnectionOptions } from "node:tls"

/** A host of an address. `name` may be the directory of a Unix socket. */
export interface DatabaseHost {
  readonly name: string
  readonly port: number
}

/** The parameters for connecting to a database. */
export interface ConnectionAddress {
  /** In the order of the address. */
  readonly hosts: readonly [DatabaseHost, ...ReadonlyArray<DatabaseHost>]
  readonly user: string | undefined
  readonly password: string | undefined
  readonly database: string | undefined
  /** `false`: without TLS. */
  readonly tls: false | ConnectionOptions
  /** Command-line options for the server, `-c name=value`. */
  readonly options: string | undefined
  readonly applicationName: string | undefined
}

/** A URL that cannot be used. `expected` completes the sentence "It must be …". */
export class ConnectionUrlRefused extends Schema.TaggedError<ConnectionUrlRefused>()("ConnectionUrlRefused", {
  expected: Schema.String
}) {
  override get message() {
    return `The address of the database must be ${this.expected}`
  }
}

const refuse = (expected: string) => new ConnectionUrlRefused({ expected })

/** The URL of a server that listens on a Unix socket in a directory. */
export const socketUrl = (server: {
  readonly directory: string
  readonly port: number
  readonly database: string
  readonly user: string
}): string =>
  `postgresql:///${encodeURIComponent(server.database)}?` +
  `host=${encodeURIComponent(server.directory)}&port=${server.port}&user=${encodeURIComponent(server.user)}`

const scheme = /^postgres(?:ql)?:\/\/(?=\S+$)/u

const parseOne = (text: string): URL => {
  try {
    // A URL with a user or a port needs a host, but the URL of a socket omits it.
    return new URL(text.replace(/^([^:]+:\/\/(?:[^/?#]*@)?)(?=[:/?#]|$)/u, "$1localhost"))
  } catch {
    throw refuse("a postgresql:// address")
  }
}

/** The URL with its first host only, and the URL of each host. */
const parse = (text: string): { readonly url: URL; readonly each: ReadonlyArray<URL> } => {
  if (!scheme.test(text)) throw refuse("a postgresql:// address")
  const [, start = "", hosts = "", rest = ""] = /^([^/]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/u.exec(text) ?? []
  const each = hosts.split(",")
  return {
    url: parseOne(`${start}${each[0] ?? ""}${rest}`),
    each: each.map((host) => parseOne(`postgresql://${host}`))
  }
}

/**
 * Security restrictions that are not implemented. They are refused, because ignoring them would weaken the connection.
 */
const unsupported = ["sslcrl", "sslcrldir", "requirepeer"]

const refuseUnsupported = (parameters: URLSearchParams, purpose: "writes" | "reads") => {
  const refused = unsupported.find((name) => parameters.has(name))
  if (refused !== undefined) throw refuse(`an address without ${refused}, which is not supported`)
  if (parameters.get("sslnegotiation") === "direct")
    throw refuse("an address without sslnegotiation=direct, which is not supported")
  if (purpose === "reads") return
  if (!["any", "read-write", "primary", null].includes(parameters.get("target_session_attrs")))
    throw refuse("the address of a server that takes writes: its target_session_attrs asks for another")
}

const fileOf = (parameters: URLSearchParams, name: string) => {
  const path = parameters.get(name)
  if (path === null || (name === "sslrootcert" && path === "system")) return {}
  try {
    return {
      [{ sslrootcert: "ca", sslcert: "cert", sslkey: "key" }[name] ?? name]: readFileSync(path, "utf8")
    }
  } catch {
    throw refuse(`an address whose ${name} is a file that can be read`)
  }
}

const modes = ["disable", "no-verify", "allow", "prefer", "require", "verify-ca", "verify-full"]

/** Every mode except `disable` and `no-verify` verifies the certificate and its host name, as `verify-full` does. */
const tlsOf = (parameters: URLSearchParams): false | ConnectionOptions => {
  const mode = parameters.get("sslmode")
  if (mode !== null && !modes.includes(mode)) throw refuse(`an address whose sslmode is ${modes.join(", ")}`)
  const files = ["sslrootcert", "sslcert", "sslkey"].map((name) => fileOf(parameters, name))
  const isAsked =
    mode !== null || ["true", "1"].includes(parameters.get("ssl") ?? "") || parameters.has("sslrootcert")
  if (mode === "disable" || (!isAsked && !parameters.has("sslcert"))) return false
  const passphrase = parameters.get("sslpassword")
  return Object.assign(
    mode === "no-verify" ? { rejectUnauthorized: false } : {},
    passphrase === null ? {} : { passphrase },
    ...files
  )
}

/** Decodes escapes, and keeps a `%` that starts none: passwords are often not escaped. */
const decoded = (text: string) => {
  try {
    return decodeURIComponent(text.replaceAll(/%(?![\da-f]{2})/giu, "%25"))
  } catch {
    throw refuse("an address that is UTF-8 where it is escaped with %")
  }
}

const portOf = (text: string) => {
  if (text === "") return 5432
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw refuse("an address with a port from 1 to 65535")
  return port
}

/** Names and ports come from the parameters `host` and `port`, each with one value or one for each host, or else from the URL. */
const hostsOf = (each: ReadonlyArray<URL>, parameters: URLSearchParams): ConnectionAddress["hosts"] => {
  const names =
    parameters.get("host")?.split(",") ??
    each.map(({ hostname }) => decoded(hostname.replace(/^\[(.*)\]$/u, "$1")))
  const ports = parameters.get("port")?.split(",") ?? each.map(({ port }) => port)
  if (ports.length !== 1 && ports.length !== names.length)
    throw refuse("an address with one port, or one for each host")
  const [first = { name: "localhost", port: 5432 }, ...others] = names.map((name, index) => ({
    name: name === "" ? "localhost" : name,
    port: portOf(ports[index] ?? ports[0] ?? "")
  }))
  return [first, ...others]
}

const read = (text: string, purpose: "writes" | "reads"): ConnectionAddress => {
  const { each, url } = parse(text)
  const { searchParams: parameters } = url
  refuseUnsupported(parameters, purpose)
  const valueOf = (name: string, part: string) =>
    parameters.get(name) ?? (part === "" ? undefined : decoded(part))
  return {
    hosts: hostsOf(each, parameters),
    user: valueOf("user", url.username) ?? process.env["PGUSER"],
    password: valueOf("password", url.password) ?? process.env["PGPASSWORD"],
    database: valueOf("dbname", url.pathname.slice(1)),
    tls: tlsOf(parameters),
    options: parameters.get("options") ?? undefined,
    applicationName: parameters.get("application_name") ?? undefined
  }
}

/** The URL of the same database on another server: `host` may be the directory of its socket. */
export const urlAt = (text: string, host: string, port: number): string => {
  const { url } = parse(text)
  url.searchParams.set("host", host)
  url.searchParams.set("port", String(port))
  return url.href
}

/**
 * Parses a URL, of a server that takes writes or of replicas that reads may use. Parameters of libpq that this program does not
 * use are ignored.
 */
export const readConnectionUrl = (
  text: string,
  purpose: "writes" | "reads" = "writes"
): Result.Result<ConnectionAddress, ConnectionUrlRefused> =>
  Result.try({
    try: () => read(text, purpose),
    catch: (error) => (error instanceof ConnectionUrlRefused ? error : refuse("a postgresql:// address"))
  })
