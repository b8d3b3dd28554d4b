import { assert, describe, it } from "@effect/vitest"
import { readIssuers } from "@livery/integrations"

describe("readIssuers", () => {
  it("parses pairs, and collects the audiences of an issuer", () => {
    assert.deepStrictEqual(
      readIssuers(
        "https://accounts.google.com;web-1, https://id.example.com/tenant/;app ,https://accounts.google.com;ios-2"
      ),
      [
        { issuer: "https://accounts.google.com", audiences: ["web-1", "ios-2"] },
        { issuer: "https://id.example.com/tenant/", audiences: ["app"] }
      ]
    )
  })

  it("trusts http on the loopback interface only", () => {
    for (const host of ["localhost:8080", "127.0.0.1:9", "[::1]"])
      assert.deepStrictEqual(readIssuers(`http://${host};a`), [
        { issuer: `http://${host}`, audiences: ["a"] }
      ])
    for (const host of ["example.com", "10.0.0.1", "localhost.example.com", "127.0.0.1.example.com"])
      assert.isUndefined(readIssuers(`http://${host};a`), host)
  })

  it("refuses the whole text if one pair is wrong", () => {
    for (const text of [
      "",
      "https://id.example.com",
      "https://id.example.com;",
      ";app",
      "https://id.example.com;a;b",
      "https://id.example.com;a,",
      "id.example.com;a",
      "ftp://id.example.com;a",
      "https://user:pass@id.example.com;a",
      "https://id.example.com?x=1;a",
      "https://id.example.com#x;a"
    ])
      assert.isUndefined(readIssuers(text), text)
  })
})
