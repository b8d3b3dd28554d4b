/** The image's final stage without a container engine: its files, user, variables, commands and health check. */
import { Effect, Exit, Redacted, Scope } from "effect"
import { execFile, execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { chmod, chown, cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { type DatabaseProxy, databaseProxy } from "./support/DatabaseProxy.ts"
import { fixedPort } from "./support/FixedPort.ts"
import { launch, outcomeOf, type Program } from "./support/Program.ts"
import { TestDatabase } from "./support/TestDatabase.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const read = (path: string) => readFileSync(join(root, path), "utf8")
const dockerfile = read("Dockerfile")
const finalStage = dockerfile.slice(dockerfile.lastIndexOf("\nFROM "))
const compose = read("compose.yaml")

const found = (text: string, pattern: RegExp) => {
  const match = pattern.exec(text)?.[1]
  assert.isDefined(match, pattern.source)
  return match
}
const words = (pattern: RegExp) => JSON.parse(found(finalStage, pattern)) as ReadonlyArray<string>

const entryPoint = words(/^ENTRYPOINT (\[.*\])$/mu)
const healthCheck = words(/^HEALTHCHECK [^\n]*\n +CMD (\[.*\])$/mu)
const volume = found(finalStage, /^VOLUME (\S+)$/mu)
const copied = [...finalStage.matchAll(/^COPY --from=build \/livery\/(\S+) /gmu)].map(([, name = ""]) => name)
/** The executable that the image links into the path, and its place below `/livery`. */
const linked = /ln -s \/livery\/(?<target>\S+) \/usr\/local\/bin\/(?<name>\S+)/u.exec(finalStage)?.groups
const variables = Object.fromEntries(
  [...found(finalStage, /^ENV (.*)$/mu).matchAll(/(\S+)=(\S+)/gu)].map(([, name = "", value = ""]) => [
    name,
    value
  ])
)

/** The arguments of a service in compose.yaml. */
const commandOf = (service: string) =>
  found(compose, new RegExp(`^ {2}${service}:\\n(?: {4}.*\\n)*? {4}command: \\[(.*)\\]$`, "mu")).split(", ")

/** `nobody` on Debian; any user without rights does. */
const userId = 65534
const asUser = ["setpriv", `--reuid=${userId}`, `--regid=${userId}`, "--clear-groups", "--no-new-privs"]
const isPossible = (() => {
  try {
    const [file = "", ...args] = asUser
    execFileSync(file, [...args, "test", "-x", tmpdir()], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
})()

/** All files below a directory but those below the excluded ones, with the time of their last change. */
const filesBelow = (directory: string, excluded: ReadonlyArray<string>): ReadonlyArray<string> =>
  readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name)
    if (excluded.includes(path)) return []
    if (entry.isDirectory()) return filesBelow(path, excluded)
    return entry.isFile() ? [`${path} ${statSync(path).mtimeMs}`] : []
  })

describe.skipIf(!isPossible)(
  `the image${isPossible ? "" : " (needs root, setpriv and a temporary directory that all users reach)"}`,
  () => {
    const scope = Scope.makeUnsafe()
    const programs: Array<Program> = []
    let base: string
    let proxy: DatabaseProxy
    const place = (name: "livery" | "bin" | "volume" | "tmp") => join(base, name)

    beforeAll(async () => {
      const { url } = await Effect.runPromise(Scope.provide(scope)(TestDatabase.empty))
      // The user cannot reach the socket of an embedded database.
      proxy = await databaseProxy(Redacted.value(url))
      base = await mkdtemp(join(tmpdir(), "livery-image-"))
      await chmod(base, 0o755)
      await mkdir(place("livery"))
      await promisify(execFile)("cp", ["-dR", "--parents", ...copied, place("livery")], { cwd: root })
      // The strictest modes that a clone can have, then those that the build makes of them.
      execFileSync("chmod", ["-R", "go=", place("livery")])
      const modes = /&& chmod (?<args>-R \S+) \.$/mu.exec(dockerfile)?.groups?.["args"]
      if (modes !== undefined) execFileSync("chmod", [...modes.split(" "), place("livery")])
      await mkdir(place("bin"))
      await cp(process.execPath, join(place("bin"), "node"))
      await symlink(
        join(place("livery"), linked?.["target"] ?? ""),
        join(place("bin"), linked?.["name"] ?? "")
      )
      for (const name of ["volume", "tmp"] as const) {
        await mkdir(place(name), { mode: 0o700 })
        await chown(place(name), userId, userId)
      }
    })
    afterAll(async () => {
      for (const program of programs) {
        if (program.ending() === undefined) program.signal("SIGKILL")
        await program.ended
      }
      await rm(base, { recursive: true, force: true })
      await proxy.close()
      await Effect.runPromise(Scope.close(scope, Exit.void))
    })

    const inImage = (command: ReadonlyArray<string>) => ["env", "-C", place("livery"), ...asUser, ...command]

    /** Starts a service of compose.yaml, or the image without arguments. */
    const start = async (service?: string) => {
      const environment = {
        ...variables,
        PATH: `${place("bin")}:/usr/bin:/bin`,
        HOME: "/nonexistent",
        TMPDIR: place("tmp"),
        PORT: String(await fixedPort()),
        WORKERS_PORT: String(await fixedPort()),
        LIVERY_DATA_DIR: variables["LIVERY_DATA_DIR"]?.replace(volume, place("volume")) ?? "",
        DATABASE_URL: proxy.url,
        LIVERY_SECRET: secret
      }
      const args = service === undefined ? words(/^CMD (\[.*\])$/mu) : commandOf(service)
      const program = launch(args, { environment, command: inImage(entryPoint) })
      programs.push(program)
      return { program, environment }
    }
    const secret = randomBytes(24).toString("hex")

    /** The exit code of the health check in the environment of a service. */
    const health = (env: Readonly<Record<string, string>>) =>
      new Promise<number>((resolve) => {
        const [file = "", ...args] = inImage(healthCheck)
        execFile(file, args, { env }, (error) => resolve(error === null ? 0 : Number(error.code)))
      })
    const untilHealthy = (env: Readonly<Record<string, string>>, program: Program) =>
      vi
        .waitUntil(async () => (await health(env)) === 0, { timeout: 60_000, interval: 100 })
        .catch((cause: unknown) => {
          throw new Error(`It is not healthy:\n${program.stdout()}${program.stderr()}`, { cause })
        })

    it(
      "serves as a user without rights, is healthy while it is ready, ends on SIGTERM, and writes only to its volume",
      { timeout: 240_000 },
      async () => {
        const before = filesBelow(base, [place("volume")])
        const services = [await start("api-1"), await start("workers-1")]
        for (const { environment, program } of services) {
          await vi.waitUntil(() => program.stderr().includes("waiting for the database"), { timeout: 60_000 })
          assert.notStrictEqual(await health(environment), 0, "before the migrations")
        }
        const migrated = await outcomeOf((await start("migrate")).program)
        assert.strictEqual(migrated.code, 0, migrated.stderr)
        services.push(await start())
        const limit = Number(found(compose, /stop_grace_period: (\d+)s/u)) * 1000
        for (const { environment, program } of services) {
          await untilHealthy(environment, program)
          const status = readFileSync(`/proc/${program.pid}/status`, "utf8").split("\n")
          assert.include(status, `Uid:\t${userId}\t${userId}\t${userId}\t${userId}`)
          assert.include(status, "CapEff:\t0000000000000000")
        }
        for (const { program } of services) program.signal("SIGTERM")
        for (const { environment, program } of services) {
          const { code, signal, stderr } = await outcomeOf(program, limit)
          assert.deepStrictEqual({ code, signal }, { code: 0, signal: null }, stderr)
          assert.notStrictEqual(await health(environment), 0, "after its end")
        }
        // Short commands keep compiled code, in the directory that compose.yaml makes writable.
        const cache = join(place("tmp"), "node-compile-cache")
        assert.include(compose, "tmpfs: [/tmp]")
        assert.deepStrictEqual(filesBelow(base, [place("volume"), cache]), before)
      }
    )
  }
)
