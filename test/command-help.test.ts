import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { type HelpPages, writtenHelp } from "../packages/cli/src/usage/WrittenHelp.ts"
import { migrations } from "../packages/persistence/src/migrations/index.ts"
import { query } from "./support/DatabaseRows.ts"
import { installation } from "./support/Installation.ts"
import { runCommand } from "./support/CommandProcess.ts"
import { runLivery } from "./support/Program.ts"

const pages = JSON.parse(
  readFileSync(join(import.meta.dirname, "../packages/cli/dist/bundle/help.json"), "utf8")
) as HelpPages

describe("the command line explains itself", () => {
  const wrong = { environment: { PORT: "nonsense", DATABASE_URL: "nonsense" } }

  it("--help lists every command without reading the settings", async () => {
    const { code, stdout } = await runLivery(["--help"], wrong)
    assert.strictEqual(code, 0)
    for (const name of ["serve", "businesses", "settings", "audit", "login", "trigger"])
      assert.match(stdout, new RegExp(`^ +${name} +\\w`, "mu"))
  })

  it.for([
    ["users", "create", "--help"],
    ["users", "create", "-h"],
    ["users", "list", "--search", "--help"]
  ])("explains a command without reading the settings, and runs nothing: %j", async (args) => {
    const { code, stderr, stdout } = await runLivery(args, wrong)
    assert.strictEqual(code, 0, stderr)
    assert.include(stdout, "EXAMPLES")
  })

  it("takes --help behind -- as an operand: the command runs, and its settings are checked", async () => {
    const ran = await runLivery(["coupons", "create", "--", "--help"], wrong)
    assert.deepStrictEqual([ran.code, ran.stdout], [2, ""])
    assert.match(ran.stderr, /^(?:PORT|DATABASE_URL) [^\n]+\n$/u)
  })

  it.for(["bash", "zsh", "fish"])("completions for %s have the subcommands", async (shell) => {
    const { code, stderr, stdout } = await runCommand(["--completions", shell], wrong)
    assert.strictEqual(code, 0, stderr)
    for (const word of ["businesses", "suspend", "settings", "include-inactive"]) assert.include(stdout, word)
    if (shell === "bash") execFileSync("bash", ["-n"], { input: stdout })
  })

  it("the help of every command is written by the build, and has examples of that command", async () => {
    const listed = async (args: ReadonlyArray<string>) => {
      const { stdout } = await runCommand([...args, "--help"])
      return { stdout, names: [...(stdout.split("SUBCOMMANDS")[1] ?? "").matchAll(/^ {2}([a-z-]+) /gmu)] }
    }
    const without: Array<string> = []
    const paths: Array<string> = []
    const visit = async (args: ReadonlyArray<string>): Promise<void> => {
      const { names, stdout } = await listed(args)
      paths.push([...args, "--help"].join(" "))
      // The executable prints written pages, and a command of these tests computes them.
      assert.strictEqual(
        writtenHelp([...args, "--help"], { env: {}, stdout: {} }, () => pages),
        stdout
      )
      for (const [, name = ""] of names) await visit([...args, name])
      if (names.length > 0) return
      const command = `livery ${args.join(" ")}`
      if (!(stdout.split("EXAMPLES")[1] ?? "").includes(command)) without.push(command)
    }
    await visit([])
    assert.deepStrictEqual(without, [])
    assert.sameMembers([...paths, "--version"], Object.keys(pages))
  })
})

describe("an installation that was never migrated", () => {
  it("migrate --plan lists every migration and applies none", async () => {
    const place = await installation({ embedded: "absent" })
    try {
      const plan = await place.run(["migrate", "--plan", "--json"])
      assert.strictEqual(plan.code, 0, plan.stderr)
      const all = Object.keys(migrations)
      assert.deepStrictEqual(JSON.parse(plan.stdout), { pending: all })
      // Neither plan has written anything: the text lists them all again, and no table exists.
      const again = await place.run(["migrate", "--plan"])
      assert.deepStrictEqual(
        [again.code, again.stdout, again.stderr],
        [0, all.map((name) => `Missing ${name}\n`).join(""), ""]
      )
      const tables = "select relname from pg_class where relnamespace = 'public'::regnamespace"
      assert.deepStrictEqual(await query(place, tables), [])
    } finally {
      await place.remove()
    }
  })
})
