import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "vitest"
import { installation } from "./support/Installation.ts"

const root = join(import.meta.dirname, "..")
const readme = readFileSync(join(root, "README.md"), "utf8")

const settingsOf = (text: string) =>
  new Set(
    [...text.matchAll(/^\| (`[^|]+`) +\|/gmu)].flatMap(
      ([, names = ""]) => names.match(/[A-Z][A-Z_]+/gu) ?? []
    )
  )

describe("the README", () => {
  it("shows a program that embeds the domain, and it runs as printed", async () => {
    const program = /## The domain in your program.*?```ts\n(?<code>.*?)```/su.exec(readme)?.groups?.["code"]
    assert.isDefined(program)
    // Within the project, so that the program finds the packages as its reader would.
    const room = mkdtempSync(join(root, ".livery-readme-"))
    try {
      const file = join(room, "embed.ts")
      writeFileSync(file, program ?? "")
      const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: root })
      assert.include(stdout, "trip.created goes out")
      assert.match(stdout, /TR-[0-9A-Z]{7} is confirmed; it may become in_progress, completed, cancelled/u)
    } finally {
      rmSync(room, { recursive: true })
    }
  })

  it("shows a tour from the sign-up to the driver under way, and it works as typed", async () => {
    const tour =
      /## A booking and its drive, by curl.*?```sh\n(?<code>.*?)```/su.exec(readme)?.groups?.["code"] ?? ""
    const place = await installation({ embedded: true, settings: { WEBHOOKS_ALLOW_INSECURE: "false" } })
    try {
      const server = await place.serve()
      const typed = tour
        .replaceAll("http://127.0.0.1:3000", server.address)
        .replaceAll(".livery/", `${place.directory}/`)
      assert.notStrictEqual(typed, tour)
      const { stderr, stdout } = await promisify(execFile)("bash", ["-eu", "-o", "pipefail", "-c", typed])
      assert.strictEqual(stderr, "")
      assert.notInclude(stdout, '"error":{')
      assert.include(stdout, '"verified":true')
      assert.include(stdout, '"customer_name":"Charles Babbage"')
      assert.match(stdout, /"delivery_id":1,.*"event_type":"trip.created"/u)
      assert.include(stdout, '"recorded":true')
      assert.match(stdout, /"driver_status":"en_route".*"lat":47.45/u)
    } finally {
      await place.remove()
    }
  })

  it("tells every setting that the executable reads, and no other", () => {
    const source = readFileSync(join(root, "packages/cli/src/Settings.ts"), "utf8")
    const read = new Set([...source.matchAll(/^ {2}([A-Z][A-Z_]+): /gmu)].map(([, name = ""]) => name))
    assert.deepStrictEqual([...settingsOf(readme)].sort(), [...read].sort())
  })
})
