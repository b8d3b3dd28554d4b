import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { run as runScript } from "./support/Shell.ts"
import { bearer, clientOf } from "./support/Client.ts"
import { type Installation, installation } from "./support/Installation.ts"
import type { Server } from "./support/Server.ts"

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const root = join(import.meta.dirname, "..")

const sandboxOf = ({ program }: Server) => /^ {2}Sandbox +(\S+)/mu.exec(program.stdout())?.[1] ?? "none"

describe("`livery serve --sandbox`", () => {
  let place: Installation
  let server: Server
  beforeAll(async () => {
    place = await installation({ embedded: "copied" })
    server = await place.serve(["--sandbox"])
  })
  afterAll(() => place.remove())

  /** The commands of the first page, for this server. */
  const commands = () => {
    const page = readFileSync(join(root, "docs/getting-started.md"), "utf8")
    const [, part = ""] = /## An invoice is paid\n(.*?)\n## /su.exec(page) ?? []
    const [, paying = "", disputing = ""] = [...part.matchAll(/```sh\n(.*?)```/gsu)].map(([, code]) => code)
    const key = /lvk_\S+/u.exec(server.program.stdout())?.[0] ?? "none"
    const typed = paying
      .replaceAll("http://127.0.0.1:3000", server.address)
      .replaceAll("http://127.0.0.1:12111", sandboxOf(server))
      .replaceAll("lvk_…", key)
    assert.notStrictEqual(typed, paying)
    return { paying: typed, disputing }
  }

  it("lets a new user see an invoice paid, by the commands of the first page", async () => {
    const { stderr, stdout } = await runScript(commands().paying)
    assert.strictEqual(stderr, "")
    assert.match(stdout, /"status": "succeeded"/u)
    assert.match(stdout, /"status":"paid"[^\n]*\n?$/u)
  })

  it("lets a new user see a disputed payment returned, by the commands of the first page", async () => {
    const { disputing, paying } = commands()
    const paid = paying.replace("payment_method=pm_card_visa\n", "payment_method=pm_card_createDispute\n")
    assert.notStrictEqual(paid, paying)
    const { stderr, stdout } = await runScript(`${paid}\n${disputing}`)
    assert.strictEqual(stderr, "")
    assert.match(stdout, /"status": "lost"/u)
    assert.match(stdout, /"kind":"refund","amount":129\.5[^\n]*"reference":"Dispute du_[^\n]*\n?$/u)
  })

  it("declines Stripe's declined test card, and the invoice stays unpaid", async () => {
    const key = /lvk_\S+/u.exec(server.program.stdout())?.[0] ?? "none"
    const api = clientOf(server.api, bearer(key))
    const invoice = await api.post<{ invoice_id: number; payment_hash: string }>("/invoices", {
      items: [{ description: "Transfer", unit_price: 50 }]
    })
    const { invoice_id, payment_hash } = invoice.body.data
    const begun = await api.post<{ client_secret: string }>(`/public/invoices/${payment_hash}/pay`, {})
    const secret = begun.body.data.client_secret
    const [intent] = secret.split("_secret_")
    const declined = await fetch(`${sandboxOf(server)}/v1/payment_intents/${intent}/confirm`, {
      method: "POST",
      headers: { Authorization: `Bearer pk_test_sandbox` },
      body: new URLSearchParams({ client_secret: secret, payment_method: "pm_card_visa_chargeDeclined" })
    })
    assert.strictEqual(declined.status, 402)
    const read = await api.get<{ status: string }>(`/invoices/${invoice_id}`)
    assert.strictEqual(read.body.data.status, "unpaid")
  })

  it("is refused with Stripe settings and with --only", async () => {
    const stripe = { STRIPE_SECRET_KEY: "sk_live_1" }
    for (const [args, settings, reason] of [
      [[], stripe, "with STRIPE_SECRET_KEY"],
      [["--only", "api"], {}, "with --only"]
    ] as const) {
      const { code, stderr } = await place.run(["serve", "--sandbox", ...args], { settings })
      assert.strictEqual(code, 1)
      assert.include(stderr, `--sandbox cannot be used ${reason}`)
    }
  })

  it("marks its data, which a real Stripe account is not used with afterwards", async () => {
    const { code, stderr } = await place.run(["serve"], { settings: { STRIPE_SECRET_KEY: "sk_live_1" } })
    assert.strictEqual(code, 1)
    assert.include(stderr, "STRIPE_SECRET_KEY cannot be used with the data in LIVERY_DATA_DIR")
  })
})
