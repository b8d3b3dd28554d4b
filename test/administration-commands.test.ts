import { existsSync } from "node:fs"
import { readFile, stat } from "node:fs/promises"
import { userInfo } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Installation, installation } from "./support/Installation.ts"
import type { Server } from "./support/Server.ts"

type Json = Readonly<Record<string, unknown>>

const business = ["--json", "--reason", "A test"]
const password = "bletchley park"

/** An invoice of the platform that can be recorded. */
const recordable = {
  number: "P-1",
  business_id: 1,
  currency: "USD",
  issued_on: "2026-11-20",
  lines: [{ description: "Pro", unit_price: 40 }]
}

describe("administrative commands", () => {
  let place: Installation
  let server: Server
  let url: string
  let settings: Readonly<Record<string, string>>
  beforeAll(async () => {
    place = await installation()
    server = await place.serve()
    url = new URL(server.api).origin
    settings = { XDG_CONFIG_HOME: join(place.directory, "configuration") }
    const root = ["--name", "Root", "--email", "root@example.com", "--account-type", "S"]
    await done(["users", "create", ...root], `${password}\n`)
    await done(["demo"])
  })
  afterAll(async () => {
    await server.stop()
    await place.remove()
  })

  const run = (args: ReadonlyArray<string>, input = "") => place.command(args, { input, settings })

  const done = async (args: ReadonlyArray<string>, input = "") => {
    const { code, stderr, stdout } = await run(args, input)
    assert.strictEqual(code, 0, stderr)
    assert.notInclude(stdout, "\u001B", "no colour where the output is no terminal")
    return stdout
  }

  const json = async (args: ReadonlyArray<string>, input = "") =>
    JSON.parse(await done([...args, "--json"], input)) as Json

  /** One line on standard error that begins with the type, and nothing else. */
  const refused = async (args: ReadonlyArray<string>, type: string, input = "") => {
    const { code, stderr, stdout } = await run(args, input)
    assert.strictEqual(code, 1, stderr)
    assert.strictEqual(stdout, "")
    assert.match(stderr, new RegExp(`^${type}: [^\\n]+\\n$`, "u"))
    return stderr
  }

  const audit = async (action: string) => {
    const { entries } = await json(["audit", "list", "--action", action])
    return entries as ReadonlyArray<Json>
  }

  it("businesses: list, show, usage, credits and update change the record and the audit log", async () => {
    const { businesses, pagination } = await json(["businesses", "list", "--search", "demonstration"])
    assert.deepInclude(pagination, { page: 1, per_page: 20, count: 1 })
    const [found] = businesses as ReadonlyArray<Json>
    assert.deepInclude(found, { business_id: 1, status: "A" })
    assert.match(await done(["businesses", "list"]), /^ID +NAME +SLUG .*\n1 +Demonstration Cars /u)
    assert.match(
      await done(["businesses", "show", "1"]),
      /^business_id +1\nbusiness_name +Demonstration Cars\n/u
    )
    assert.deepInclude(await json(["businesses", "usage", "1"]), { business_id: 1, email_credits: 0 })
    assert.deepInclude(await json(["businesses", "credits", "1", "7", "--reason", "Hello"]), {
      email_credits: 7
    })
    assert.include(
      await refused(["businesses", "credits", "1", "--reason", "Test", "--", "-8"], "invalid_request"),
      "credits out_of_range. The business has 7 credits, and the balance stays from 0 to 1000000000"
    )
    assert.deepInclude(await json(["businesses", "update", "1", "--plan", "2"]), { subscription_plan_id: 2 })
    for (const [item, stored] of [
      ["si_9", "si_9"],
      ["", null]
    ] as const)
      assert.deepInclude(await json(["businesses", "update", "1", "--subscription-item", item]), {
        subscription_item_id: stored
      })
    await refused(["businesses", "update", "1", "--plan", "99"], "invalid_request")
    await refused(["businesses", "show", "999"], "not_found")
    const [entry, ...more] = await audit("business.credits_changed")
    assert.lengthOf(more, 0)
    assert.deepInclude(entry, {
      actor: `cli:${userInfo().username}`,
      before: { email_credits: 0 },
      after: { email_credits: 7 },
      reason: "Hello",
      request_id: null
    })
  })

  it("suspending asks for confirmation, and changes nothing without it", async () => {
    assert.include(await refused(["businesses", "suspend", "1"], "confirmation_required"), "--yes")
    assert.deepInclude(await json(["businesses", "show", "1"]), { status: "A" })
    assert.include(await done(["businesses", "suspend", "1", "--yes", ...business]), '"status":"D"')
    assert.include(await done(["businesses", "activate", "1", ...business]), '"status":"A"')
    assert.deepInclude((await audit("business.suspended"))[0], { reason: "A test", after: { status: "D" } })
  })

  it("users: list, show, reset-password, assign and unassign", async () => {
    const { users } = await json(["users", "list", "--account-type", "S"])
    const [root] = users as ReadonlyArray<Json>
    const id = String(root?.["id"])
    assert.match(await done(["users", "list"]), /^ID +NAME +EMAIL/u)
    assert.deepInclude(await json(["users", "show", id]), { email: "root@example.com", business_ids: [] })
    assert.deepInclude(await json(["users", "assign", id, "1"]), { business_ids: [1], action: "assign" })
    await refused(["users", "unassign", id, "1"], "confirmation_required")
    assert.deepInclude(await json(["users", "unassign", id, "1", "--yes"]), { business_ids: [] })
    await refused(["users", "assign", id, "999"], "invalid_request")
    await refused(["users", "reset-password", id], "confirmation_required", `${password}\n`)
    await refused(["users", "reset-password", id, "--yes"], "invalid_request", "short\n")
    assert.include(await done(["users", "reset-password", id, "--yes"], `${password}\n`), `User ${id} has`)
    await refused(["users", "show", "999"], "not_found")
  })

  it("plans and coupons: list, show, and create within limits", async () => {
    assert.match(await done(["plans", "list"]), /^ID +CODE .*\n1 +free /u)
    assert.deepInclude(await json(["plans", "show", "2"]), { code: "pro", seat_price: 15 })
    await refused(["plans", "show", "9"], "not_found")
    assert.strictEqual(await done(["coupons", "list"]), "None\n")
    assert.deepInclude(await json(["coupons", "create", "WELCOME20", "--percent-off", "20"]), {
      coupon_id: 1
    })
    await refused(["coupons", "create", "WELCOME20", "--percent-off", "20"], "conflict")
    assert.include(
      await refused(["coupons", "create", "none"], "invalid_request"),
      "code invalid (accepted: 3 to 40 of A to Z"
    )
    const endless = ["coupons", "create", "MONTHS", "--percent-off", "5", "--duration", "repeating"]
    assert.include(await refused(endless, "invalid_request"), "--months required")
    assert.deepInclude(await json(["coupons", "show", "1"]), { code: "WELCOME20", active: true })
  })

  it("coupons: an inactive one is refused with an invoice, until it is activated", async () => {
    const limits = ["--max-redemptions", "1", "--valid-until", "2026-11-30"]
    const limited = await json(["coupons", "create", "FIRST", "--percent-off", "5", ...limits])
    assert.deepInclude(limited, { max_redemptions: 1, valid_until: "2026-11-30" })
    const coupon = String(limited["coupon_id"])
    assert.include(
      await refused(
        ["coupons", "create", "SOON", "--percent-off", "5", "--valid-until", "soon"],
        "invalid_request"
      ),
      "--valid-until invalid"
    )
    assert.deepInclude(await json(["coupons", "deactivate", coupon]), { code: "FIRST", active: false })
    assert.include(
      await refused(
        ["invoices", "record"],
        "invalid_request",
        JSON.stringify({ ...recordable, coupon_id: Number(coupon) })
      ),
      "coupon_id invalid. Coupon FIRST is not active"
    )
    assert.deepInclude(await json(["coupons", "activate", coupon]), { active: true })
    await refused(["coupons", "deactivate", "99"], "not_found")
    assert.deepInclude((await audit("coupon.deactivated"))[0], {
      subject: `coupon:${coupon}`,
      after: { active: false }
    })
  })

  it("invoices: record, list, show, pay and void", async () => {
    const recorded = await json(["invoices", "record"], JSON.stringify(recordable))
    assert.deepInclude(recorded, { saas_invoice_id: 1, status: "unpaid", total_amount: 40 })
    await refused(["invoices", "record"], "conflict", JSON.stringify(recordable))
    await refused(["invoices", "record"], "invalid_request", "not JSON")
    assert.match(await done(["invoices", "list", "--status", "unpaid"]), /^ID +NUMBER .*\n1 +P-1 /u)
    assert.deepInclude(await json(["invoices", "show", "1"]), { amount_due: 40 })
    const payment = (amount: string) => [
      "invoices",
      "pay",
      "1",
      "--amount",
      amount,
      "--paid-on",
      "2026-11-21"
    ]
    assert.include(
      await refused(payment("40.01"), "invalid_request"),
      "amount out_of_range (accepted: more than 0, at most the 40.00 USD that are due)"
    )
    assert.include(
      await refused([...payment("1").slice(0, -1), "soon"], "invalid_request"),
      "paid_on invalid"
    )
    assert.deepInclude(await json(payment("40")), { status: "paid", amount_due: 0 })
    assert.include(await refused(["invoices", "void", "1"], "confirmation_required"), "--yes")
    await refused(["invoices", "void", "1", "--yes"], "conflict")
    const second = await json(["invoices", "record"], JSON.stringify({ ...recordable, number: "P-2" }))
    const voided = await json(["invoices", "void", String(second["saas_invoice_id"]), "--yes"])
    assert.deepInclude(voided, { status: "void", amount_due: 0 })
    await refused(["invoices", "void", "99", "--yes"], "not_found")
  })

  it("the author of the key that demo makes is the user of the operating system", async () => {
    const authors = (await audit("api_key.created")).map(({ actor }) => actor)
    assert.include(authors, `cli:${userInfo().username}`)
    assert.notInclude(authors, "user:1")
    assert.notInclude(authors, "user:2")
  })

  it("settings: list and set", async () => {
    assert.match(await done(["settings", "list"]), /^CATEGORY +KEY +VALUE/u)
    assert.deepInclude(await json(["settings", "set", "rate_limit_auth", "30"]), { value: 30 })
    await refused(["settings", "set", "rate_limit_auth", "many"], "invalid_request")
    await refused(["settings", "set", "nothing", "1"], "not_found")
    assert.include(JSON.stringify(await json(["settings", "list"])), '"key":"rate_limit_auth"')
    assert.deepInclude((await audit("setting.changed"))[0], { before: { value: 20 }, after: { value: 30 } })
  })

  it("doctor finds a working installation, and migrate --plan nothing to do", async () => {
    const { findings } = await json(["doctor"])
    const statuses = Object.fromEntries(
      (findings as ReadonlyArray<Json>).map(({ check, status }) => [check, status])
    )
    assert.deepInclude(statuses, {
      database: "ok",
      migrations: "ok",
      writes: "ok",
      privileges: "ok",
      clocks: "ok",
      secret: "ok",
      storage: "ok",
      counters: "ok",
      mail: "warning",
      payments: "warning"
    })
    assert.deepStrictEqual(await json(["migrate", "--plan"]), { pending: [] })
  })

  it("doctor names a mail server that does not answer, and exits with 1", async () => {
    const { code, stderr, stdout } = await place.run(["doctor"], {
      settings: { ...settings, SMTP_URL: "smtp://127.0.0.1:1" }
    })
    assert.strictEqual(code, 1)
    assert.match(stdout, /^mail +failed +127\.0\.0\.1:1 accepts no connection/mu)
    assert.match(stderr, /^unhealthy: Failed checks: mail\n$/u)
  })

  it("refuse an address that is none", async () => {
    for (const [wrong, ...command] of [
      ["livery.example", "login", "--email", "root@example.com"],
      ["ftp://livery.example", "plans", "list"],
      ["http://", "logout"]
    ] as const)
      assert.include(await refused([...command, "--url", wrong], "invalid_request"), `--url ${wrong} is not`)
  })

  it("work on a server with --url, signed in by a file that only its user can read", async () => {
    const list = ["businesses", "list", "--url", url]
    assert.include(await refused(list, "unauthenticated"), "livery login")
    const login = ["login", "--url", `${url}/api/v1/`, "--email", "root@example.com"]
    await refused(login, "invalid_credentials", "wrong password\n")
    assert.include(await done(login, `${password}\n`), `Signed in to ${url}`)
    const file = join(settings["XDG_CONFIG_HOME"] ?? "", "livery", "tokens.json")
    assert.strictEqual((await stat(file)).mode & 0o777, 0o600)
    assert.notInclude(await readFile(file, "utf8"), password)
    assert.isFalse(existsSync(`${file}.lock`))
    assert.deepStrictEqual(await json(list), await json(["businesses", "list"]))
    for (const filter of [
      ["businesses", "list", "--search", " Demonstration "],
      ["users", "list", "--search", " ROOT "],
      ["audit", "list", "--subject", " business:1 "]
    ])
      assert.deepStrictEqual(await json(filter), await json([...filter, "--url", url]))
    for (const [wrong, field] of [
      [["businesses", "list", "--search"], "search"],
      [["users", "list", "--search"], "search"],
      [["audit", "list", "--action"], "action"]
    ] as const)
      for (const place of [[], ["--url", url]])
        assert.include(
          await refused([...wrong, "a".repeat(201), ...place], "invalid_request"),
          `${field} too_long`
        )
    const change = ["settings", "set", "rate_limit_auth"]
    const remote = [...change, "40", "--reason", "Größe 京", "--url", url]
    assert.deepInclude(await json(remote), { value: 40 })
    assert.include(
      await refused(["settings", "set", "rate_limit_auth", "0", "--url", url], "invalid_request"),
      "value out_of_range"
    )
    await refused(["businesses", "show", "999", "--url", url], "not_found")
    assert.deepInclude(await json([...change, "41", "--reason", "A test"]), { value: 41 })
    assert.include(
      await refused([...change, "42", "--reason", "a".repeat(501)], "invalid_request"),
      "reason too_long"
    )
    const [direct, entry] = await audit("setting.changed")
    assert.deepInclude(direct, { reason: "A test" })
    assert.deepInclude(entry, { reason: "Größe 京", after: { value: 40 } })
    assert.match(String(entry?.["actor"]), /^user:\d+$/u)
    assert.match(String(entry?.["request_id"]), /^req_/u)
    assert.include(await done(["logout", "--url", url]), "Signed out")
    await refused(list, "unauthenticated")
    await refused(["plans", "list", "--url", "http://127.0.0.1:1"], "unauthenticated")
  })

  it("log a change to standard error, and print only the changed record to standard output", async () => {
    const { code, stderr, stdout } = await run(["settings", "set", "rate_limit_public", "121", "--json"])
    assert.strictEqual(code, 0, stderr)
    assert.deepInclude(JSON.parse(stdout), { key: "rate_limit_public", value: 121 })
    assert.match(stderr, /"action":"setting\.changed"/u)
  })

  it("list audit entries with long values in at most 200 columns where the output is no terminal", async () => {
    const reason = "a".repeat(500)
    await json(["settings", "set", "rate_limit_public", "122", "--reason", reason])
    const lines = (await done(["audit", "list"])).split("\n")
    assert.isAtMost(Math.max(...lines.map((line) => line.length)), 200)
    assert.deepInclude((await audit("setting.changed"))[0], { reason })
  })

  it("say how to sign in again if another command has ended the session", async () => {
    const own = ["--name", "Grace", "--email", "grace@example.com", "--account-type", "S"]
    const { id } = await json(["users", "create", ...own], `${password}\n`)
    await done(["login", "--url", url, "--email", "grace@example.com"], `${password}\n`)
    await done(["users", "reset-password", String(id), "--yes"], "nanosecond\n")
    const message = await refused(["plans", "list", "--url", url], "unauthenticated")
    assert.include(message, `The sign-in has ended. Sign in again: livery login --url ${url}`)
  })
})
