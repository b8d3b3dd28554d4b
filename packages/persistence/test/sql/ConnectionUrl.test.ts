import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Result } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { scratchPrefix } from "../../../../test/support/ScratchDirectory.ts"
import { readConnectionUrl, socketUrl } from "../../src/sql/connections/ConnectionUrl.ts"
import { connectionConfigs } from "../../src/sql/connections/ConnectionConfig.ts"

const read = (url: string) => Result.getOrThrow(readConnectionUrl(url))

const certificate = "-----BEGIN CERTIFICATE-----"

/** The path of a file with that text, which is removed with the scope. */
const file = (text: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(scratchPrefix)),
      (directory) => Effect.sync(() => rmSync(directory, { recursive: true }))
    ),
    (directory) => {
      const path = join(directory, "some certificate.pem")
      writeFileSync(path, text)
      return path
    }
  )

describe("the address of a database", () => {
  it("is decoded, with defaults for omitted parts", () => {
    assert.include(read("postgresql://ada:p%40ss@db.example:6543/cars"), {
      user: "ada",
      password: "p@ss",
      database: "cars",
      tls: false
    })
    assert.include(read("postgres://ada@/cars"), { user: "ada" })
    assert.include(read("postgresql://ada:50%off@db/cars"), { password: "50%off" })
    const socket = { directory: "/var/run/a b", port: 5433, database: "ca rs", user: "ada" }
    const { database, user } = socket
    assert.include(read(socketUrl(socket)), { user, database })
    assert.include(read("postgresql:///cars?application_name=mine&options=-c%20search_path%3Da"), {
      applicationName: "mine",
      options: "-c search_path=a"
    })
  })

  it.each([
    ["postgresql://ada:p%40ss@db.example:6543/cars", ["db.example:6543"]],
    ["postgres://ada@/cars", ["localhost:5432"]],
    ["postgresql:///cars", ["localhost:5432"]],
    ["postgresql://[::1]/cars", ["::1:5432"]],
    ["postgresql:///cars?host=%2Fvar%2Frun%2Fa%20b&port=5433&user=ada", ["/var/run/a b:5433"]],
    ["postgresql://ada@one:1,two/cars?target_session_attrs=read-write", ["one:1", "two:5432"]],
    ["postgresql://[::1]:1,[::2]:2,three:3/cars", ["::1:1", "::2:2", "three:3"]],
    ["postgresql://ada@/cars?host=one,two&port=6000", ["one:6000", "two:6000"]],
    ["postgresql:///cars?host=one,/var/run&port=1,2", ["one:1", "/var/run:2"]]
  ])("%s has the hosts %j", (url, hosts) => {
    assert.deepStrictEqual(
      read(url).hosts.map(({ name, port }) => `${name}:${port}`),
      hosts
    )
  })

  it("requires TLS with a verified certificate for every sslmode except disable and no-verify", () => {
    for (const mode of ["allow", "prefer", "require", "verify-ca", "verify-full"])
      assert.deepStrictEqual(read(`postgresql://db/cars?sslmode=${mode}`).tls, {}, mode)
    assert.deepStrictEqual(read("postgresql://db/cars?ssl=true").tls, {})
    assert.strictEqual(read("postgresql://db/cars?sslmode=disable").tls, false)
    assert.deepStrictEqual(read("postgresql://db/cars?sslmode=no-verify").tls, { rejectUnauthorized: false })
  })

  it.effect("has the certificates of its files", () =>
    Effect.gen(function* () {
      const path = encodeURIComponent(yield* file(certificate))
      assert.deepStrictEqual(read(`postgresql://db/cars?sslrootcert=${path}`).tls, { ca: certificate })
      assert.deepStrictEqual(
        read(`postgresql://db/cars?sslmode=require&sslcert=${path}&sslkey=${path}&sslpassword=secret`).tls,
        { cert: certificate, key: certificate, passphrase: "secret" }
      )
    })
  )

  const secret = "hunter2"
  it.each([
    ["mysql://ada:hunter2@db/cars", "a postgresql:// address"],
    ["postgresql://ada:hunter2@[nowhere:x/cars", "a postgresql:// address"],
    ["postgresql://ada:hunter2@db:99999/cars", "a postgresql:// address"],
    ["postgresql://ada:hunter2@db/cars?port=0", "a port from 1 to 65535"],
    ["postgresql://ada:hunter2@one,two:99999/cars", "a postgresql:// address"],
    ["postgresql://ada:hunter2@/cars?host=one,two,three&port=1,2", "one port, or one for each host"],
    ["postgresql://ada:hunter2@db/cars?target_session_attrs=standby", "takes writes"],
    ["postgresql://ada:hunter2@db/cars?sslmode=never", "sslmode is disable"],
    ["postgresql://ada:hunter2@db/cars?sslrootcert=/nowhere", "sslrootcert is a file that can be read"],
    ["postgresql://ada:hunter2@db/cars?sslmode=verify-full&sslcrl=/some", "without sslcrl"],
    ["postgresql://ada:hunter2@db/cars?sslmode=require&sslnegotiation=direct", "without sslnegotiation"],
    ["postgresql://ada:hunter2@d%ff/cars", "UTF-8"]
  ])("%s is refused in one line, without its password", (url, why) => {
    const refusal = readConnectionUrl(url)
    assert(Result.isFailure(refusal))
    assert.include(refusal.failure.message, why)
    assert.notInclude(JSON.stringify(refusal.failure) + refusal.failure.message, secret)
    const error = connectionConfigs(Redacted.make(url), "test", 0)
    assert(Result.isFailure(error))
    assert.notInclude(JSON.stringify(error.failure) + error.failure.message, secret)
  })
})
