import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { brotliDecompressSync, brotliCompressSync, gzipSync } from "node:zlib"
import { BookingPages } from "@livery/domain"
import { HttpServerRequest } from "effect/http"
import { staticPages } from "../../src/StaticPages.ts"
import { Ports } from "../support/TestPorts.ts"
import { bookingPage } from "../sales/BookingPage.ts"
import { driverUnderWay } from "../driving/DriverUnderWay.ts"
import { openServer, record } from "../support/TestServer.ts"

const html = `<!doctype html><title>Track</title><script src="./assets/track-AbCd1234.js"></script>${" ".repeat(3000)}`
const script = `export default 1;${"/".repeat(3000)}`

/** A folder of pages, removed with the scope. */
const folder = Effect.acquireRelease(
  Effect.sync(() => {
    const directory = mkdtempSync(join(tmpdir(), "livery-pages-"))
    const write = (file: string, text: string) => {
      writeFileSync(join(directory, file), text)
      writeFileSync(join(directory, `${file}.br`), brotliCompressSync(text))
      writeFileSync(join(directory, `${file}.gz`), gzipSync(text))
    }
    mkdirSync(join(directory, "assets"))
    mkdirSync(join(directory, "book"))
    for (const page of ["track", "pay", "404", "book/[slug]"]) write(`${page}.html`, `${html}${page}`)
    write("assets/track-AbCd1234.js", script)
    writeFileSync(join(directory, "assets/secret.key"), "secret")
    return directory
  }),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true }))
)

const opened = (paymentOrigins: ReadonlyArray<string> = []) =>
  Effect.flatMap(folder, (directory) => openServer({ pages: { directory, paymentOrigins } }))

const browser = { headers: { accept: "text/html,*/*" } }

layer(Ports)("pages", (it) => {
  it.effect("are served with a policy that lets them load nothing from other servers", () =>
    Effect.gen(function* () {
      const server = yield* opened()
      const answer = yield* server.sendTo("GET", "/track")
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(answer.text, `${html}track`)
      const headers = Object.fromEntries(answer.headers)
      assert.deepInclude(headers, {
        "cache-control": "no-cache",
        "content-type": "text/html; charset=utf-8",
        "cross-origin-opener-policy": "same-origin",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "content-security-policy":
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
          "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
          "require-trusted-types-for 'script'"
      })
      assert.notProperty(headers, "access-control-allow-origin")
      assert.notProperty(headers, "set-cookie")
    })
  )

  it.effect(
    "name the payment provider in the policy of the payment page alone, and only if there is one",
    () =>
      Effect.gen(function* () {
        const policyOf = (server: Effect.Success<ReturnType<typeof openServer>>, path: string) =>
          Effect.map(
            server.sendTo("GET", path),
            ({ headers }) => headers.get("content-security-policy") ?? ""
          )
        const withProvider = yield* opened(["https://js.stripe.com"])
        assert.include(yield* policyOf(withProvider, "/pay"), "script-src 'self' https://js.stripe.com;")
        assert.include(yield* policyOf(withProvider, "/pay"), "frame-src https://js.stripe.com;")
        assert.notInclude(yield* policyOf(withProvider, "/track"), "stripe")
        assert.notInclude(yield* policyOf(yield* opened(), "/pay"), "stripe")
      })
  )

  it.effect(
    "name the origin of the map in the policy of the tracking page alone, and only if there is one",
    () =>
      Effect.gen(function* () {
        const directory = yield* folder
        const server = yield* openServer({ pages: { directory, mapOrigin: "https://maps.example.com" } })
        const policyOf = (path: string) =>
          Effect.map(
            server.sendTo("GET", path),
            ({ headers }) => headers.get("content-security-policy") ?? ""
          )
        const track = yield* policyOf("/track")
        assert.include(track, "connect-src 'self' https://maps.example.com;")
        assert.include(track, "img-src 'self' data: blob: https://maps.example.com;")
        assert.include(track, "script-src 'self';")
        for (const path of ["/pay", "/book/acme"])
          assert.notInclude(yield* policyOf(path), "maps.example.com")
      })
  )

  it.effect("cannot be shown in a frame, but for a booking page by the sites that its business names", () =>
    Effect.gen(function* () {
      const server = yield* opened()
      const { settings, slug } = yield* bookingPage(server)
      const framing = Effect.fnUntraced(function* (path: string, etag = "") {
        const { headers, status } = yield* server.sendTo("GET", path, { headers: { "if-none-match": etag } })
        const policy = headers.get("content-security-policy") ?? ""
        return { status, etag: headers.get("etag") ?? "", by: /frame-ancestors [^;]*/u.exec(policy)?.[0] }
      })
      const before = yield* framing(`/book/${slug}`)
      assert.strictEqual(before.by, "frame-ancestors 'none'")
      const origins = ["https://www.acme.com", "https://acme.ch"]
      yield* settings({ embed_origins: origins })
      const allowed = "frame-ancestors https://www.acme.com https://acme.ch"
      const after = yield* framing(`/book/${slug}`, before.etag)
      assert.deepInclude(after, { status: 200, by: allowed })
      assert.strictEqual((yield* framing(`/book/${slug.toUpperCase()}`)).by, allowed)
      assert.strictEqual((yield* framing(`/book/${slug}`, after.etag)).status, 304)
      for (const path of ["/book/nobody", "/book/%00", "/track", "/pay"])
        assert.strictEqual((yield* framing(path)).by, "frame-ancestors 'none'", path)
    })
  )

  it.effect(
    "are served while the sites that may frame a booking page cannot be read: framed by none, and not kept",
    () =>
      Effect.gen(function* () {
        const { handlers } = yield* staticPages({ directory: yield* folder }).pipe(
          Effect.provideService(
            BookingPages,
            BookingPages.of({ embedOrigins: () => Effect.die("the database is away") } as never)
          )
        )
        const [, respond] = handlers.find(([{ pattern }]) => pattern === "/book/:slug") ?? []
        const request = HttpServerRequest.fromWeb(new Request("http://localhost/book/acme"))
        const { headers, status } = yield* (
          respond?.(["acme"], Effect.die("no such page") as never) ?? Effect.die("no such page")
        ).pipe(Effect.provideService(HttpServerRequest.HttpServerRequest, request))
        assert.deepEqual([status, headers["cache-control"]], [200, "no-store"])
        assert.include(headers["content-security-policy"], "frame-ancestors 'none'")
        assert.notProperty(headers, "etag")
      })
  )

  it.effect("are compressed for clients that accept it, and not sent again while they are unchanged", () =>
    Effect.gen(function* () {
      const server = yield* opened()
      const path = "/assets/track-AbCd1234.js"
      const plain = yield* server.sendTo("GET", path)
      assert.strictEqual(plain.headers.get("cache-control"), "public, max-age=31536000, immutable")
      const small = yield* server.sendTo("GET", path, { headers: { "accept-encoding": "gzip, br" } })
      assert.strictEqual(small.headers.get("content-encoding"), "br")
      assert.strictEqual(String(brotliDecompressSync(small.bytes)), script)
      const etag = small.headers.get("etag") ?? ""
      assert.strictEqual(etag, `W/${plain.headers.get("etag") ?? ""}`)
      const again = yield* server.sendTo("GET", path, { headers: { "if-none-match": etag } })
      assert.deepStrictEqual([again.status, again.text], [304, ""])
    })
  )

  it.effect("are served below one parameter, and only files of a known kind", () =>
    Effect.gen(function* () {
      const server = yield* opened()
      assert.include((yield* server.sendTo("GET", "/book/ada-cars")).text, "book/[slug]")
      for (const path of [
        "/book/ada/cars",
        "/assets/secret.key",
        "/assets/track-AbCd1234.js.br",
        "/assets/..%2ftrack.html",
        "/%2e%2e/package.json",
        "/track.html"
      ])
        assert.strictEqual((yield* server.sendTo("GET", path)).status, 404, path)
    })
  )

  it.effect("answer HEAD without a body, and other methods with 405", () =>
    Effect.gen(function* () {
      const server = yield* opened()
      const head = yield* server.sendTo("HEAD", "/track")
      assert.deepStrictEqual([head.status, head.text], [200, ""])
      assert.strictEqual(head.headers.get("content-length"), String(html.length + "track".length))
      const post = yield* server.sendTo("POST", "/track")
      assert.deepStrictEqual([post.status, post.headers.get("allow")], [405, "GET, HEAD, OPTIONS"])
    })
  )

  it.effect(
    "have one for unknown paths, which browsers get and other clients do not, nor anyone below the API",
    () =>
      Effect.gen(function* () {
        const server = yield* opened()
        const page = yield* server.sendTo("GET", "/nowhere", browser)
        assert.deepStrictEqual([page.status, page.text], [404, `${html}404`])
        assert.include(page.headers.get("content-security-policy") ?? "", "default-src 'none'")
        const deep = yield* server.sendTo("GET", "/no/where/at%2Fall?x=/", browser)
        assert.deepStrictEqual([deep.status, deep.text], [404, page.text.replace("./assets", "../../assets")])
        assert.strictEqual(deep.headers.get("content-type"), page.headers.get("content-type"))
        assert.include(deep.headers.get("content-security-policy") ?? "", "default-src 'none'")
        const program = yield* server.sendTo("GET", "/nowhere")
        assert.strictEqual(program.body.error?.type, "not_found")
        const api = yield* server.sendTo("GET", "/api/v1/nowhere", browser)
        assert.strictEqual(api.body.error?.type, "not_found")
      })
  )

  it.effect("are where the links of tracking tokens lead", () =>
    Effect.gen(function* () {
      const server = yield* opened()
      const { acme, job } = yield* driverUnderWay(server)
      const link = record(
        yield* server.send("POST", `/trips/${job.tripId}/tracking-link`, { credential: acme.key })
      )
      assert.strictEqual(link["url"], `http://localhost/track#${String(link["token"])}`)
    })
  )

  it.effect("are absent without a folder", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const answer = yield* server.sendTo("GET", "/track", browser)
      assert.strictEqual(answer.body.error?.type, "not_found")
    })
  )
})
