import { spawn } from "node:child_process"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, assert, beforeAll, it, vi } from "vitest"
import { bearer, type Client, clientOf } from "../support/Client.ts"
import { type Installation, installation } from "../support/Installation.ts"
import { messageTo } from "../support/Mail.ts"
import type { Server } from "../support/Server.ts"
import { assertAccessible, describePages, openPage } from "./support/Browser.ts"

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const root = join(import.meta.dirname, "../..")

/** The pages that need no record. */
const screens = ["login", "sign-up", "verify-email", "password-reset", "accept-invitation", "nowhere"]

const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

describePages("the served pages", () => {
  let place: Installation
  let server: Server
  let api: Client

  beforeAll(async () => {
    const port = String(await freePort())
    const settings = { PORT: port, BASE_URL: `http://127.0.0.1:${port}` }
    place = await installation({ embedded: "copied", settings })
    server = await place.serve()
    api = clientOf(server.api)
  })
  afterAll(() => place.remove())

  it("load scripts and styles with hashed names, compressed and cached for a year, below a strict policy", async () => {
    for (const path of ["login", "track", "quote", "pay", "book/ada-cars", "drive", "docs"]) {
      const page = await fetch(`${server.address}/${path}`)
      assert.strictEqual(page.headers.get("referrer-policy"), "no-referrer")
      const policy = page.headers.get("content-security-policy") ?? ""
      for (const part of ["default-src 'none'", "script-src 'self';", "style-src 'self';", "frame-ancestors"])
        assert.include(policy, part, path)
      assert.notInclude(policy, "frame-src", path)
      const html = await page.text()
      assert.notMatch(html, /<script>|style=|\son\w+=/u)
      const assets = [...html.matchAll(/(?:src|href)="(?<at>[^"]+\.(?:js|css))"/gu)].map(
        ({ groups }) => groups?.["at"] ?? ""
      )
      assert.isNotEmpty(assets, path)
      for (const asset of assets) {
        const address = new URL(asset, `${server.address}/${path}`)
        assert.strictEqual(address.origin, server.address)
        assert.match(address.pathname, /^\/assets\/[\w.-]+-[\w-]{8,}\.(?:js|css)$/u)
        const answer = await fetch(address, { headers: { "accept-encoding": "br" } })
        assert.strictEqual(answer.headers.get("cache-control"), "public, max-age=31536000, immutable")
        if ((await answer.arrayBuffer()).byteLength > 2048)
          assert.strictEqual(answer.headers.get("content-encoding"), "br", asset)
      }
    }
  })

  it("may show no frame; the office shows the PDFs that it reads, and no frame of another origin", async () => {
    const { headers } = await fetch(`${server.address}/app`)
    assert.match(headers.get("content-security-policy") ?? "", /; frame-src blob:; /u)
  })

  it("name the licenses of the packages in their scripts, and of the icons", async () => {
    const text = await (await fetch(`${server.address}/licenses.txt`)).text()
    for (const name of [
      "preact - ",
      "@preact/signals - ",
      "uqr - ",
      "Lucide Icons and Contributors",
      "Cole Bemis"
    ])
      assert.include(text, name)
    assert.include(text, "Permission is hereby granted")
  })

  it("fit a narrow phone in German and Arabic, and print without the choice of a language", async () => {
    const opened = await openPage(`${server.address}/login`, { viewport: { width: 360, height: 740 } })
    const { page } = opened
    for (const language of ["de", "ar"])
      for (const screen of screens) {
        await page.goto(`${server.address}/${screen}?lang=${language}`)
        await page.locator("h1").waitFor()
        assert.strictEqual(await page.locator("html").getAttribute("lang"), language)
        const overflow = Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth"))
        assert.isAtMost(overflow, 0, `${screen} in ${language}`)
        await assertAccessible(page)
      }
    await page.emulateMedia({ media: "print" })
    assert.isFalse(await page.getByRole("combobox").isVisible())
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("say in the reader's language that an address leads to nothing, also below other paths", async () => {
    const opened = await openPage(`${server.address}/nowhere`, { locale: "de-CH" })
    await opened.page.getByRole("heading", { name: "Diese Seite gibt es nicht" }).waitFor()
    const answer = await opened.page.goto(`${server.address}/nowhere/at/all`)
    assert.strictEqual(answer?.status(), 404)
    await opened.page.getByRole("heading", { name: "Diese Seite gibt es nicht" }).waitFor()
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("work in a browser whose language has an unusual form", async () => {
    const opened = await openPage(`${server.address}/sign-up`)
    const { page } = opened
    await page.addInitScript(
      "Object.defineProperty(navigator, 'languages', { get: () => ['en-US@posix', 'de-CH'] })"
    )
    await page.reload()
    await page.getByRole("heading", { name: "Konto anlegen" }).waitFor()
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("are where messages lead if there is no other app, and are absent if they are switched off", async () => {
    const person = { name: "Ada", password: "a good password", business_name: "Ada Cars" }
    await api.post("/auth/register", { ...person, email: "ada@cars.example" })
    const message = await messageTo(place.directory, "ada@cars.example")
    assert.include(message, `${server.address}/verify-email#code=`)
    await server.stop()
    const without = await place.serve([], { LIVERY_PAGES: "off" })
    for (const path of ["/login", "/track", "/nowhere", "/licenses.txt"])
      assert.strictEqual(
        (await fetch(without.address + path, { headers: { accept: "text/html" } })).status,
        404,
        path
      )
    await clientOf(without.api, bearer("none")).post("/auth/register", {
      ...person,
      email: "eve@cars.example"
    })
    assert.notInclude(await messageTo(place.directory, "eve@cars.example"), "http://")
    await without.stop()
    server = await place.serve()
  })

  it("are served while they are written, with the API of a running server", async () => {
    const port = await freePort()
    const vite = spawn(
      process.execPath,
      [join(root, "node_modules/vite/bin/vite.js"), "--port", String(port), "--host", "127.0.0.1"],
      { cwd: join(root, "packages/pages"), env: { ...process.env, LIVERY_SERVER: server.address } }
    )
    const address = `http://127.0.0.1:${port}`
    try {
      await vi.waitFor(() => fetch(`${address}/login`), { timeout: 60_000, interval: 300 })
      const opened = await openPage(`${address}/login?lang=de`)
      const { page } = opened
      await page.getByRole("heading", { name: "Anmelden" }).waitFor({ timeout: 60_000 })
      await page.getByLabel("E-Mail-Adresse").fill("nobody@cars.example")
      await page.getByLabel("Passwort", { exact: true }).fill("a wrong password")
      await page.getByRole("button", { name: "Anmelden" }).click()
      await page.getByText("Die E-Mail-Adresse oder das Passwort ist falsch.").waitFor()
      assert.deepStrictEqual(opened.faults, [])
      await opened.close()
    } finally {
      vite.kill()
    }
  })
})
