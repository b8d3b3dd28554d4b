import { assert, describe, it } from "@effect/vitest"
import { readIssuers } from "@livery/integrations"
import { Redacted } from "effect"

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

  it("parses the button of a provider: its name, and the client's secret if there is one", () => {
    const read = readIssuers(
      "https://id.example.com;ios,https://id.example.com;web;Example %26%2C Co;s%3Bcret,https://other.example;web;Other"
    )
    const [first, second] = read ?? []
    assert.deepStrictEqual(first?.audiences, ["ios", "web"])
    assert.deepInclude(first?.button, { name: "Example &, Co", clientId: "web" })
    assert.strictEqual(Redacted.value(first?.button?.clientSecret ?? Redacted.make("")), "s;cret")
    assert.deepStrictEqual(second?.button, { name: "Other", clientId: "web", clientSecret: undefined })
    assert.notInclude(JSON.stringify(read), "s;cret")
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
      "https://id.example.com;a;",
      "https://id.example.com;a;Name;",
      "https://id.example.com;a;%E0%A4%A;secret",
      "https://id.example.com;a;Name;secret;more",
      "https://id.example.com;a;Name,https://id.example.com;b;Other",
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
