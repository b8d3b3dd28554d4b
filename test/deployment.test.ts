import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"
import { nginxIsThere } from "./support/Nginx.ts"
import { runCommand } from "./support/CommandProcess.ts"
import { scratchPrefix } from "./support/ScratchDirectory.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const read = (path: string) => readFileSync(join(root, path), "utf8")

/** The source of all packages. */
const source = readdirSync(join(root, "packages"))
  .flatMap((name) => {
    const folder = join("packages", name, "src")
    return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => read(join(folder, file)))
  })
  .join("\n")

const metric = /livery_(?:http|webhook|event|trip|mail)_[a-z_]+/gu

/** The metrics that the source defines: it names each as a string of its own, or in the line of its type. */
const defined = new Set(
  source
    .match(new RegExp(`"${metric.source}"|# TYPE ${metric.source}`, "gu"))
    ?.flatMap((found) => found.match(metric) ?? [])
)

interface Dashboard {
  readonly panels: ReadonlyArray<{
    readonly title: string
    readonly targets: ReadonlyArray<{ readonly expr: string }>
  }>
}

const namedIn = (text: string) =>
  (text.match(metric) ?? []).map((name) => name.replace(/_(?:bucket|sum|count)$/u, ""))

describe("the files for deployment", () => {
  it("alert rules name only metrics that exist, and each says what to do", () => {
    const alerts = read("deploy/alerts.yaml")
    const names = namedIn(alerts)
    assert.isAbove(names.length, 4)
    for (const name of names) assert.isTrue(defined.has(name), name)
    const count = (word: string) => alerts.split(`${word}: `).length - 1
    assert.isAbove(count("- alert"), 4)
    for (const field of ["expr", "summary", "action", "severity"])
      assert.strictEqual(count(field), count("- alert"), field)
  })

  it("the dashboard parses, and each panel shows metrics that exist", () => {
    const { panels } = JSON.parse(read("deploy/grafana-dashboard.json")) as Dashboard
    assert.isAbove(panels.length, 4)
    for (const { targets, title } of panels)
      for (const { expr } of targets) {
        const names = namedIn(expr)
        assert.isNotEmpty(names, title)
        for (const name of names) assert.isTrue(defined.has(name), name)
      }
  })

  it("the servers behind nginx are services of compose.yaml", () => {
    const servers = [...read("deploy/nginx.conf").matchAll(/server (\S+):3000/gu)].map(([, name]) => name)
    assert.deepStrictEqual(servers, ["api-1", "api-2"])
    for (const name of servers) assert.match(read("compose.yaml"), new RegExp(`^ {2}${name}:$`, "mu"))
  })

  it.skipIf(!nginxIsThere)(
    `nginx accepts its file${nginxIsThere ? "" : " (nginx is not installed)"}`,
    async () => {
      const directory = await mkdtemp(scratchPrefix)
      const file = join(directory, "nginx.conf")
      // The names of the services are known inside of the containers only.
      await writeFile(file, read("deploy/nginx.conf").replaceAll(/api-\d:/gu, "127.0.0.1:"))
      const args = ["-t", "-c", file, "-g", `pid ${directory}/pid; error_log stderr;`]
      assert.include(spawnSync("nginx", args, { encoding: "utf8" }).stderr, "test is successful")
      await rm(directory, { recursive: true })
    }
  )

  it("every route that erases a person may take 15 minutes behind nginx", () => {
    const [, pattern = "", time] =
      /location ~ (\S+) \{[^}]*proxy_read_timeout (\w+);/u.exec(read("deploy/nginx.conf")) ?? []
    assert.strictEqual(time, "15m")
    const routes = [...source.matchAll(/"(\/[^"\s]*erase[^"\s]*)"/gu)].map(([, route = ""]) => route)
    assert.isAtLeast(routes.length, 5)
    for (const route of routes) assert.match(route, new RegExp(pattern, "u"))
  })

  it("their settings are settings that Livery reads", () => {
    const settings = read("docs/settings.md")
    const named = [
      ...(read("Dockerfile").match(/(?<=\bENV .*)\b[A-Z_]{4,}(?==)/gu) ?? []),
      ...(read("deploy/livery.service").match(/(?<=^Environment=.*)\b[A-Z_]{4,}(?==)/gmu) ?? []),
      ...(read("compose.yaml").match(/(?<=^ {4})[A-Z_]{4,}(?=:)/gmu) ?? [])
    ].filter((name) => name !== "NODE_ENV")
    assert.includeMembers(named, ["LIVERY_DATA_DIR", "DATABASE_URL", "TRUSTED_PROXIES"])
    for (const name of named) assert.include(settings, `\`${name}\``)
  })

  it("compose.yaml gives every variable of .env to Livery, except those that fit its own containers", () => {
    const [, livery = ""] = /^x-livery:.*\n((?: .*\n)+)/mu.exec(read("compose.yaml")) ?? []
    assert.include(livery, "env_file: [{ path: .env, required: false }]")
    // `environment` overrides `env_file`.
    for (const [, name = "", value = ""] of read("Dockerfile").matchAll(
      /(HOST|\w*PORT|LIVERY_DATA_DIR)=(\S+)/gu
    ))
      assert.match(livery, new RegExp(`^ {4}${name}: "?${value}"?$`, "mu"))
  })

  it("the image runs without privileges, and has a health check", () => {
    const dockerfile = read("Dockerfile")
    assert.match(dockerfile, /^USER node$/mu)
    assert.match(dockerfile, /^HEALTHCHECK /mu)
  })

  it("each service of compose.yaml runs a command that exists, with options that exist", async () => {
    const commands = [...read("compose.yaml").matchAll(/command: \[(.*)\]/gu)].map(([, words = ""]) =>
      words.split(", ")
    )
    assert.lengthOf(commands, 5)
    for (const [command = "", ...args] of commands) {
      const { code, stderr, stdout } = await runCommand([command, "--help"])
      assert.strictEqual(code, 0, stderr)
      assert.match(stdout, new RegExp(`^  livery ${command} `, "mu"))
      for (const option of args.filter((word) => word.startsWith("--")))
        assert.match(stdout, new RegExp(`^  ${option}\\b`, "mu"), command)
    }
  })

  it("the health check of the database asks for the database that it creates", () => {
    const compose = read("compose.yaml")
    const [, user] = /POSTGRES_USER: (\S+)/u.exec(compose) ?? []
    const [, database] = /POSTGRES_DB: (\S+)/u.exec(compose) ?? []
    assert.include(compose, `"pg_isready -U ${user} -d ${database}"`)
    assert.match(
      compose,
      new RegExp(`DATABASE_URL: postgresql://${user}:\\S+@postgres:5432/${database}$`, "mu")
    )
  })
})
