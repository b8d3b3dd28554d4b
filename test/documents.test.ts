import { execFile } from "node:child_process"
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "vitest"
import { installation } from "./support/Installation.ts"
import { installedShells, run as runScript } from "./support/Shell.ts"

const root = join(import.meta.dirname, "..")
const textOf = (file: string) => readFileSync(join(root, file), "utf8")

/** The commands below a heading, up to the next one of its level, in their order. */
const commandsIn = (file: string, heading: string) => {
  const part =
    new RegExp(`\n## ${heading}\n(?<part>.*?)\n## `, "su").exec(textOf(file))?.groups?.["part"] ?? ""
  return [...part.matchAll(/```sh\n(?<code>.*?)```/gsu)].map(({ groups }) => groups?.["code"] ?? "").join("")
}

const documents = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"].concat(
  globSync(["docs/**/*.md", "examples/*.md", "packages/*/README.md"], { cwd: root })
)

describe("the README", () => {
  it("books a trip with the key that the first start printed", async () => {
    const booking = commandsIn("README.md", "Book a trip")
    const place = await installation({ embedded: "absent" })
    try {
      const server = await place.serve()
      const key = /lvk_\S+/u.exec(server.program.stdout())?.[0]
      assert.isDefined(key)
      const script = booking.replace("lvk_…", key ?? "").replace("http://127.0.0.1:3000", server.address)
      assert.include(script, server.address)
      const { stdout } = await runScript(script)
      assert.match(stdout, /"reference":"TR-[0-9A-Z]{7}","status":"confirmed"/u)
    } finally {
      await place.remove()
    }
  })
})

/** The programs in TypeScript that a page shows, in their order. Code that is marked `ts fragment` is not one. */
const programsOf = (page: string) =>
  [...textOf(page).matchAll(/```ts\n(?<code>.*?)```/gsu)].map(({ groups }) => groups?.["code"] ?? "")

/** Calls `use` with a directory within the project, so that programs in it find the packages as their reader would. */
const inProject = async <A>(use: (directory: string) => Promise<A>): Promise<A> => {
  const directory = mkdtempSync(join(root, ".livery-embedding-"))
  try {
    return await use(directory)
  } finally {
    rmSync(directory, { recursive: true })
  }
}

const run = promisify(execFile)

describe("the pages", () => {
  it("show a program on the ports in memory, and it runs as printed", () =>
    inProject(async (directory) => {
      const file = join(directory, "embed.ts")
      writeFileSync(file, programsOf("packages/memory/README.md")[0] ?? "")
      const { stdout } = await run(process.execPath, [file], { cwd: root })
      assert.include(stdout, "Ada's phone")
    }))

  it("show only programs in TypeScript that compile", () =>
    inProject(async (directory) => {
      for (const page of documents)
        for (const [index, program] of programsOf(page).entries())
          writeFileSync(join(directory, `${page.replaceAll(/\W/gu, "-")}-${index}.ts`), program)
      const files = globSync("*.ts", { cwd: directory }).sort()
      assert.isAtLeast(files.length, 3)
      const compilerOptions = {
        noEmit: true,
        composite: false,
        declarationMap: false,
        types: ["node"],
        plugins: []
      }
      writeFileSync(
        join(directory, "tsconfig.json"),
        JSON.stringify({ extends: "../tsconfig.base.json", compilerOptions, files })
      )
      const compiler = join(root, "node_modules/.bin/tsc")
      const { stdout } = await run(compiler, ["-p", basename(directory)], { cwd: root }).catch(
        (error) => error
      )
      assert.strictEqual(stdout, "")
    }))

  it.each(installedShells)(
    "show a tour from the sign-up to the driver under way, which works in %s",
    async (shell) => {
      const tour = commandsIn("docs/getting-started.md", "From sign-up to the drive")
      const place = await installation({ embedded: "copied", settings: { WEBHOOKS_ALLOW_INSECURE: "false" } })
      try {
        const server = await place.serve()
        const typed = tour
          .replaceAll("http://127.0.0.1:3000", server.address)
          .replaceAll(".livery/", `${place.directory}/`)
        assert.notStrictEqual(typed, tour)
        // The demonstration's curl books the first trip, and the tour is repeated: no id is the first of its kind.
        const greeting = /curl -s [\s\S]*?'\n\n/u.exec(`${server.program.stdout()}\n\n`)?.[0] ?? ""
        assert.include((await runScript(greeting, shell)).stdout, '"status":"confirmed"')
        const seen = new Set<string>()
        for (let time = 1; time <= 2; time++) {
          const { stderr, stdout } = await runScript(typed, shell)
          assert.strictEqual(stderr, "")
          assert.notInclude(stdout, `"error":{`, stdout)
          assert.include(stdout, '"verified":true')
          assert.include(stdout, '"customer_name":"Charles Babbage"')
          assert.match(stdout, /"delivery_id":\d+,.*"event_type":"trip.created"/u)
          assert.include(stdout, '"recorded":true')
          assert.match(stdout, /"driver_status":"en_route".*"lat":47.45/u)
          for (const [id] of stdout.matchAll(/"trip_id":\d+/gu)) seen.add(id)
        }
        assert.strictEqual(seen.size, 2)
      } finally {
        await place.remove()
      }
    }
  )

  it("show no comment in a tour, because an interactive zsh takes it for a command", () => {
    for (const heading of ["From sign-up to the drive", "Plans and credits", "An invoice is paid"])
      assert.notMatch(commandsIn("docs/getting-started.md", heading), /^\s*#|\s#\s/mu)
    assert.notMatch(commandsIn("README.md", "Book a trip"), /^\s*#|\s#\s/mu)
  })

  it("show commands that lift the limits of the free plan", async () => {
    const place = await installation({ embedded: "copied" })
    try {
      await place.serve(["--only", "api"])
      for (const line of commandsIn("docs/getting-started.md", "Plans and credits").trim().split("\n")) {
        const args = [...line.matchAll(/'(?<quoted>[^']*)'|\S+/gu)].map(([word, quoted]) => quoted ?? word)
        const { code, stderr } = await place.run(args.slice(2).map((arg) => (arg === "2" ? "1" : arg)))
        assert.strictEqual(code, 0, stderr)
      }
    } finally {
      await place.remove()
    }
  })

  it("have no paragraph of more than 90 words", () => {
    const long = documents.flatMap((page) =>
      textOf(page)
        .replaceAll(/```.*?```|<!--.*?-->/gsu, "")
        .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/u)
        .filter((paragraph) => !paragraph.trimStart().startsWith("|"))
        .filter((paragraph) => paragraph.trim().split(/\s+/u).length > 90)
        .map((paragraph) => `${page}: ${paragraph.trim().slice(0, 60)}`)
    )
    assert.deepStrictEqual(long, [])
  })

  it("list every table of the schema, and no other", () => {
    const shown = textOf("docs/what-is-stored-where.md").split("\n## ").slice(1).join("\n")
    const listed = [...shown.matchAll(/^\| (?<names>`[^|]+`) +\|/gmu)].flatMap(
      ({ groups }) => groups?.["names"]?.match(/\w+/gu) ?? []
    )
    const created = globSync("packages/persistence/src/migrations/*.ts", { cwd: root })
      .flatMap((file) => [...textOf(file).matchAll(/^(?: *`)?CREATE (?:UNLOGGED )?TABLE (?<name>\w+)/gmu)])
      .map(({ groups }) => groups?.["name"] ?? "")
    assert.deepStrictEqual(listed.sort(), [...created, "livery_migrations"].sort())
  })

  it("name files of the code that exist", () => {
    const absent = ["docs/how-to-add.md", "docs/tests.md", "docs/architecture.md", "docs/why.md"].flatMap(
      (page) =>
        [...textOf(page).matchAll(/`(?<path>[\w-]+\/[\w./-]*?\.ts)`/gu)]
          .map(({ groups }) => groups?.["path"] ?? "")
          .filter(
            (path) =>
              !["", "packages", "packages/domain/src"].some((base) => existsSync(join(root, base, path)))
          )
          .map((path) => `${page}: ${path}`)
    )
    assert.deepStrictEqual(absent, [])
  })

  it("list every setting that the executable reads, and no other", () => {
    const listed = [...textOf("docs/settings.md").matchAll(/^\| (`[^|]+`) +\|/gmu)]
      .filter(([line]) => !line.includes("npx"))
      .flatMap(([, names = ""]) => names.match(/[A-Z][A-Z_]+/gu) ?? [])
    const sources = ["Settings", "TelemetrySettings"]
      .map((name) => textOf(`packages/cli/src/settings/${name}.ts`))
      .join("\n")
    const read = [...sources.matchAll(/^ {2}([A-Z][A-Z_]+): /gmu)]
    assert.deepStrictEqual(listed.sort(), read.map(([, name = ""]) => name).sort())
  })
})

describe("links", () => {
  it.each(documents)("of %s lead to files that exist", (file) => {
    const broken = [...textOf(file).matchAll(/\]\((?<target>[^)#\s]+)(?:#[^)\s]*)?\)/gu)]
      .map(({ groups }) => groups?.["target"] ?? "")
      .filter((target) => !/^[a-z]+:/u.test(target) && !existsSync(join(root, dirname(file), target)))
    assert.deepStrictEqual(broken, [])
  })

  it("of a package lead to files of the package, because others are not published with it", () => {
    for (const file of globSync("packages/*/README.md", { cwd: root }))
      assert.notInclude(textOf(file), "](../", file)
  })

  it("in source comments name pages that exist", () => {
    const broken = globSync("packages/*/src/**/*.ts", { cwd: root }).flatMap((file) =>
      [...textOf(file).matchAll(/\bdocs\/[\w./-]+\.md\b/gu)]
        .filter(([page]) => !existsSync(join(root, page)))
        .map(([page]) => `${relative(root, file)}: ${page}`)
    )
    assert.deepStrictEqual(broken, [])
  })
})
