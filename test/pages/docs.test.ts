import { documentedOperations } from "@livery/contract"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, assert, beforeAll, it, vi } from "vitest"
import { type Account, signUp } from "../support/Account.ts"
import { type Installation, installation } from "../support/Installation.ts"
import type { Server } from "../support/Server.ts"
import { assertAccessible, describePages, openPage } from "./support/Browser.ts"

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

interface Operations {
  readonly paths: Readonly<Record<string, object>>
}

describePages("the reference of the API", () => {
  let place: Installation
  let server: Server
  let account: Account
  beforeAll(async () => {
    place = await installation()
    server = await place.serve()
    account = await signUp(place, server)
  })
  afterAll(() => place.remove())

  const open = (hash = "") => openPage(`${server.address}/docs${hash}`)

  it("shows every operation of the document, in its group, by a link with the operation's name", async () => {
    const document = (await (await fetch(`${server.address}/openapi.json`)).json()) as Operations
    const ids = documentedOperations(document).map(({ operation }) => String(operation["operationId"]))
    const { close, faults, page } = await open()
    const shown = new Set<string>()
    const groups = page.locator("#groups section a")
    for (let at = 0; at < (await groups.count()); at++) {
      const group = groups.nth(at)
      await group.click()
      await page.locator("#content h2", { hasText: (await group.textContent()) ?? "" }).waitFor()
      for (const id of await page.locator(".docs-operation").evaluateAll((all) => all.map((it) => it.id)))
        shown.add(id)
    }
    assert.deepStrictEqual([...shown].sort(), ids.sort())
    assert.deepStrictEqual(faults, [])
    await close()
    const linked = await open("#trips.create")
    const section = linked.page.locator('[id="trips.create"]')
    await section.waitFor()
    assert.strictEqual(await linked.page.title(), "trips.create · Livery API")
    const text = (await section.textContent()) ?? ""
    for (const part of [
      "POST",
      "/api/v1/trips",
      "Roles of members: owner, dispatcher",
      "201 Created",
      "pickup_address"
    ])
      assert.include(text, part)
    await section.getByRole("button", { name: "TypeScript" }).click()
    assert.include(await section.textContent(), "client.trips.create({")
    await section.getByRole("button", { name: "Python" }).click()
    assert.include(await section.textContent(), "import os, requests")
    await linked.close()
  })

  it("is searched by keyboard alone", async () => {
    const { close, page } = await open()
    await page.locator("#groups a").first().waitFor()
    await page.keyboard.press("/")
    await page.keyboard.type("assign driver")
    await page.locator("#found li").first().waitFor()
    await page.keyboard.type("s trips.assign")
    await page.keyboard.press("Enter")
    await page.locator('[id="trips.assign"]').waitFor()
    assert.match(page.url(), /#trips\.assign$/u)
    await close()
  })

  it("sends a GET with a key that no reload keeps", async () => {
    const { close, page } = await open("#business.ping")
    const section = page.locator('[id="business.ping"]')
    await page.locator("#key").fill(account.apiKey)
    await section.getByText("Try it on this server").click()
    await section.getByRole("button", { name: "Send" }).click()
    await section.getByText(`"business_id": ${account.businessId}`).waitFor()
    await page.reload()
    await section.waitFor()
    assert.strictEqual(await page.locator("#key").inputValue(), "")
    const stored = await page.evaluate("localStorage.length + sessionStorage.length + document.cookie.length")
    assert.strictEqual(stored, 0)
    await close()
  })

  it("can be used by everybody, also on a phone", async () => {
    for (const hash of ["", "#errors", "#events", "#trips.create"]) {
      const { close, faults, page } = await open(hash)
      await page.setViewportSize({ width: 360, height: 740 })
      await page.locator("#content h2").first().waitFor()
      await assertAccessible(page)
      assert.isAtMost(Number(await page.evaluate("document.documentElement.scrollWidth")), 360, hash)
      assert.deepStrictEqual(faults, [])
      await close()
    }
  })

  it("has at most 60 kB of gzip at first view, and loads nothing from elsewhere", async () => {
    const { close, page } = await open()
    const loaded: Array<string> = []
    page.on("request", (request) => loaded.push(request.url()))
    await page.reload()
    await page.locator("#groups a").first().waitFor()
    await close()
    assert.isTrue(
      loaded.every((url) => url.startsWith(server.address)),
      loaded.join("\n")
    )
    const site = join(import.meta.dirname, "../../packages/pages/dist/site")
    const names = new Set(readdirSync(join(site, "assets")))
    const bytes = loaded
      .map((url) => new URL(url).pathname)
      .map((path) => (path === "/docs" ? "docs.html" : path.slice(1)))
      .filter((path) => path === "docs.html" || names.has(path.slice("assets/".length)))
      .reduce((sum, path) => sum + gzipSync(readFileSync(join(site, path)), { level: 9 }).length, 0)
    assert.isAbove(bytes, 10_000)
    assert.isAtMost(bytes, 60 * 1024)
  })
})
