import { linksBelow, secretIn } from "@livery/contract/links"
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"

const links = linksBelow("https://app.example.com")
const withSecrets = [
  "track",
  "quote",
  "drive",
  "pay",
  "acceptInvitation",
  "verifyEmail",
  "resetPassword"
] as const

describe("the addresses of pages", () => {
  it("a page reads the secret that a mail's link has, and no server sees it", () => {
    for (const secret of ["trk_1_aB-9_z", "1A-7KQ2-XXXX-YYYY-ZZZZ", "inv_23_gBI", "a=b&c#d/é %"])
      for (const page of withSecrets) {
        const { hash, pathname, search } = new URL(links[page](secret))
        assert.strictEqual(secretIn(hash), secret, page)
        assert.notInclude(decodeURIComponent(pathname + search), secret, page)
      }
  })

  it("are the ones that the documents state", () => {
    assert.deepStrictEqual(
      [...withSecrets, "book" as const].map((page) =>
        links[page]("X").slice("https://app.example.com".length)
      ),
      [
        "/track#X",
        "/quote#X",
        "/drive#X",
        "/pay#invoice=X",
        "/accept-invitation#code=X",
        "/verify-email#code=X",
        "/password-reset#code=X",
        "/book/X"
      ]
    )
    const { app, docs, login } = linksBelow("")
    assert.deepStrictEqual([login, app, docs], ["/login", "/app", "/docs"])
  })

  it("a fragment without a secret, or with a broken one, has none", () => {
    for (const hash of ["", "#", "#code=", "#code=%E0%A4%A"]) assert.isUndefined(secretIn(hash), hash)
  })

  it("need no other module", () => {
    assert.notMatch(readFileSync(join(import.meta.dirname, "../src/Links.ts"), "utf8"), /^import /mu)
  })
})
