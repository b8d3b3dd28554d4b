import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it, vi } from "vitest"
import { bash } from "./support/Bash.ts"
import { installation } from "./support/Installation.ts"

const root = join(import.meta.dirname, "..")
const textOf = (file: string) => readFileSync(join(root, file), "utf8")

/** The code block in a language below a heading. */
const codeIn = (file: string, heading: string, language: string) =>
  new RegExp(`## ${heading}\n.*?\`\`\`${language}\n(?<code>.*?)\`\`\``, "su").exec(textOf(file))?.groups?.[
    "code"
  ] ?? ""

const documents = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].concat(
  globSync(["docs/**/*.md", "packages/*/README.md"], { cwd: root })
)

describe("the README", () => {
  it("books a trip with the key that the first start printed", async () => {
    const booking = codeIn("README.md", "Book a trip", "sh")
    const place = await installation({ embedded: true })
    try {
      const server = await place.serve()
      const key = /lvk_\S+/u.exec(server.program.stdout())?.[0]
      assert.isDefined(key)
      const script = booking.replace("lvk_…", key ?? "").replace("http://127.0.0.1:3000", server.address)
      assert.include(script, server.address)
      const { stdout } = await bash(script)
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

/** Runs a program that a page shows, as printed: the first one, or the one after a heading. Returns its output. */
const outputOfProgram = (
  page: string,
  {
    args = [],
    heading,
    settings = {}
  }: { heading?: string; args?: ReadonlyArray<string>; settings?: Readonly<Record<string, string>> } = {}
) =>
  inProject(async (directory) => {
    const program = heading === undefined ? programsOf(page)[0] : codeIn(page, heading, "ts")
    assert.isTrue(program !== undefined && program !== "")
    const file = join(directory, "embed.ts")
    writeFileSync(file, program ?? "")
    const { stdout } = await run(process.execPath, [file, ...args], {
      cwd: root,
      env: { PATH: process.env["PATH"], ...settings }
    })
    return stdout
  })

describe("the pages in docs", () => {
  it("show a program that embeds the domain without a database, and it runs as printed", async () => {
    const output = await outputOfProgram("docs/embedding.md")
    assert.match(output, /TR-[0-9A-Z]{7} is confirmed; it may become completed, cancelled/u)
    assert.include(output, "trip.created was recorded")
  })

  it("show a program on the ports in memory, and it runs as printed", async () => {
    assert.include(await outputOfProgram("packages/memory/README.md"), "Ada's phone")
  })

  it("show programs on PostgreSQL, which run as printed for an active business only", async () => {
    const place = await installation()
    try {
      // The programs and the commands join the database of the server.
      await place.serve(["--only", "api"])
      const { business_id } = JSON.parse((await place.command(["demo", "--json"])).stdout)
      const booked = (id: number) =>
        outputOfProgram("docs/embedding.md", {
          heading: "On PostgreSQL",
          args: [String(id)],
          settings: place.environment
        })
      const uploaded = () =>
        outputOfProgram("docs/embedding.md", {
          heading: "Your own adapters",
          args: [String(business_id), join(root, "docs/invoice.png")],
          settings: place.environment
        })
      await place.command(["businesses", "update", String(business_id), "--currency", "EUR"])
      const failureOf = (output: Promise<string>) => output.then(String, (error: Error) => error.message)
      const [book, upload, absent] = await Promise.all([
        booked(business_id),
        uploaded(),
        failureOf(booked(business_id + 1))
      ])
      assert.match(book, /TR-[0-9A-Z]{7} of .*: 129\.5 EUR/u)
      assert.match(upload, /image\/png of \d+ bytes/u)
      assert.isFalse(existsSync(join(place.directory, "uploads")))
      assert.include(absent, "NotFound")
      const suspended = await place.command(["businesses", "suspend", String(business_id), "--yes"])
      assert.strictEqual(suspended.code, 0, suspended.stderr)
      assert.include(await failureOf(booked(business_id)), "This business is suspended")
    } finally {
      await place.remove()
    }
  })

  it("show a program that follows events, which prints the trip that another program books", async () => {
    const place = await installation()
    try {
      await place.serve(["--only", "api"])
      const { business_id } = JSON.parse((await place.command(["demo", "--json"])).stdout)
      const options = (heading: string) => ({
        heading,
        args: [String(business_id)],
        settings: place.environment
      })
      await inProject(async (directory) => {
        const file = join(directory, "follow.ts")
        writeFileSync(file, codeIn("docs/embedding.md", "Following events", "ts"))
        const following = spawn(process.execPath, [file, String(business_id)], {
          cwd: root,
          env: { PATH: process.env["PATH"], ...place.environment }
        })
        let output = ""
        following.stdout.setEncoding("utf8").on("data", (text: string) => (output += text))
        try {
          await vi.waitUntil(() => output.includes("Following from"), { timeout: 20_000 })
          const [reference] = /TR-[0-9A-Z]{7}/u.exec(
            await outputOfProgram("docs/embedding.md", options("On PostgreSQL"))
          ) ?? ["none"]
          await vi.waitFor(() => assert.include(output, `trip.created: ${reference}`), { timeout: 10_000 })
        } finally {
          following.kill("SIGKILL")
          await once(following, "exit")
        }
      })
    } finally {
      await place.remove()
    }
  })

  it("show only programs in TypeScript that compile", () =>
    inProject(async (directory) => {
      for (const page of documents)
        for (const [index, program] of programsOf(page).entries())
          writeFileSync(join(directory, `${page.replaceAll(/\W/gu, "-")}-${index}.ts`), program)
      const files = globSync("*.ts", { cwd: directory }).sort()
      assert.isAtLeast(files.length, 6)
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

  it("show a tour from the sign-up to the driver under way, which works after the first curl, and twice", async () => {
    const tour = codeIn("docs/getting-started.md", "From sign-up to the drive", "sh")
    const place = await installation({ embedded: true, settings: { WEBHOOKS_ALLOW_INSECURE: "false" } })
    try {
      const server = await place.serve()
      const typed = tour
        .replaceAll("http://127.0.0.1:3000", server.address)
        .replaceAll(".livery/", `${place.directory}/`)
      assert.notStrictEqual(typed, tour)
      // The demonstration's curl books the first trip, and the tour is repeated: no id is the first of its kind.
      const greeting = /curl -s [\s\S]*?'\n\n/u.exec(`${server.program.stdout()}\n\n`)?.[0] ?? ""
      assert.include((await bash(greeting)).stdout, '"status":"confirmed"')
      const seen = new Set<string>()
      for (let time = 1; time <= 2; time++) {
        const { stderr, stdout } = await bash(typed)
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
