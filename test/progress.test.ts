import type { CreatedEndpointRecord } from "@livery/domain"
import { execFile, execFileSync } from "node:child_process"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { signUp } from "./support/Account.ts"
import { type Installation, installation } from "./support/Installation.ts"
import { executable } from "./support/Program.ts"

/** Whether a terminal can be emulated here. */
const hasTerminal = (() => {
  try {
    execFileSync("script", ["--version"], { stdio: "ignore" })
    return process.platform === "linux"
  } catch {
    return false
  }
})()

describe.skipIf(!hasTerminal)(
  "on a terminal, long work shows its progress, and removes it at its end",
  () => {
    let place: Installation
    beforeAll(async () => {
      place = await installation({ embedded: "absent" })
    })
    afterAll(() => place.remove())

    /** Runs a command on a terminal, and returns what it shows. */
    const shown = (command: string) =>
      new Promise<string>((resolve, reject) => {
        execFile(
          "script",
          ["-qec", `${process.execPath} ${executable} ${command}`, "/dev/null"],
          { env: { PATH: process.env["PATH"], ...place.environment } },
          (error, stdout, stderr) => (error === null ? resolve(stdout) : reject(new Error(stdout + stderr)))
        )
      })

    const assertBar = (text: string, label: string, result: RegExp) => {
      assert.match(text, new RegExp(`\\r${label} \\[=+ *\\] +\\d+ %`, "u"))
      assert.match(text, new RegExp(`\\r +\\r[^=]*${result.source}`, "u"))
    }

    it("livery migrate shows the share of the migrations that it has applied", async () => {
      const text = await shown("migrate")
      assertBar(text, "Migrating", /Applied 0001_/u)
      assert.notInclude(await shown("migrate"), "Migrating")
    })

    it("livery secrets reseal shows the share of the endpoints that it has resealed, and livery check money that of the invoices", async () => {
      const server = await place.serve()
      const { client } = await signUp(place, server)
      const endpoint = await client.post<CreatedEndpointRecord>("/webhooks", {
        url: "https://example.com/hooks",
        events: ["trip.created"]
      })
      assert.strictEqual(endpoint.status, 201, endpoint.text)
      const invoice = await client.post("/invoices", { items: [{ description: "A ride", unit_price: 100 }] })
      assert.strictEqual(invoice.status, 201, invoice.text)
      assertBar(await shown("secrets reseal"), "Encrypting", /The secrets of 1 webhook endpoint/u)
      assertBar(await shown("check money"), "Checking", /Every sum equals its ledger/u)
    })
  }
)
