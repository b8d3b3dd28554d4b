import { assert, describe, it } from "@effect/vitest"
import { canonicalEmail, EmailAddress, optionalText, text } from "@livery/domain"
import { Schema } from "effect"
import { decoded, issuesOf } from "../../support/Decoding.ts"

describe("EmailAddress", () => {
  const good = [
    "a@b.ch",
    "zoe.o'hara+trips@mail.example.co.uk",
    "customer/department=shipping@example.com",
    "1@1.io",
    `${"a".repeat(64)}@example.com`,
    "a@xn--bcher-kva.example"
  ]
  it.each(good)("%s is accepted", (address) => {
    assert.strictEqual(
      decoded(EmailAddress, ` ${address.toUpperCase()}\n`),
      address.toUpperCase().toLowerCase()
    )
  })

  const bad = [
    "nobody",
    "@b.ch",
    "a@",
    "a@b",
    "a@.ch",
    "a@b.",
    "a@b..ch",
    "a@@b.ch",
    "a@b@c.ch",
    "a b@c.ch",
    "a@b c.ch",
    "a@b.ch\r\nBcc: c@d.ch",
    "a\n@b.ch",
    "a\r@b.ch",
    "a\u0001@b.ch",
    "a\u0085@b.ch",
    "a@b\u007f.ch",
    "a\u0000@b.ch",
    "a\ud800@b.ch",
    "a@b.ch, c@d.ch",
    "a@b.ch;c@d.ch",
    "Zoë <a@b.ch>",
    '"a"@b.ch',
    "a@[127.0.0.1]",
    "a:b@c.ch",
    "a\\@b.ch",
    `${"a".repeat(65)}@example.com`,
    `${"é".repeat(33)}@example.com`,
    ".a@b.ch",
    "a.@b.ch",
    "a..b@b.ch",
    "a\u200b@b.ch",
    "a\u00a0b@b.ch",
    "a＠b.ch＠c.ch",
    "a@-b.ch",
    "a@b-.ch",
    "a@b_c.ch",
    "a@b.ch.",
    "a@127.0.0.1",
    "a@0x7f.1",
    "a@exa%6dple.com",
    "a@example.com/b",
    "a@example.com:25",
    "a@example.com?b",
    "a@example.com#b",
    `a@${"b".repeat(64)}.ch`,
    "a@xn--.ch",
    "a@nobody.invalid",
    "a@\u200b.ch"
  ]
  it.each(bad)("%j is refused", (address) => {
    assert.deepStrictEqual(issuesOf(EmailAddress, address), [" invalid"])
  })

  const same = [
    ["zoë@exämple.de", "zoë@xn--exmple-cua.de"],
    ["ZOË@EXÄMPLE.DE", "zoë@xn--exmple-cua.de"],
    ["zoe\u0308@exa\u0308mple.de", "zoë@xn--exmple-cua.de"],
    ["zoë@XN--EXMPLE-CUA.de", "zoë@xn--exmple-cua.de"],
    ["ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ", "ada@example.com"],
    ["ada@例え。jp", "ada@xn--r8jz45g.jp"],
    ["ada@bücher.example", "ada@xn--bcher-kva.example"]
  ] as const
  it.each(same)("%s has the canonical form %s", (typed, canonical) => {
    assert.strictEqual(decoded(EmailAddress, typed), canonical)
    assert.strictEqual(decoded(EmailAddress, canonical), canonical)
    assert.strictEqual(canonicalEmail(typed), canonical)
  })

  it("at most 254 characters are accepted, and a blank one is required", () => {
    const of = (length: number) =>
      `a@${"b".repeat(50)}.${"c.".repeat((length - 60) / 2)}${"d".repeat(2 + (length % 2))}.info`
    assert.strictEqual(of(254).length, 254)
    assert.deepStrictEqual(issuesOf(EmailAddress, of(254)), [])
    assert.deepStrictEqual(issuesOf(EmailAddress, of(255)), [" too_long"])
    for (const blank of ["", "  ", null]) assert.deepStrictEqual(issuesOf(EmailAddress, blank), [" required"])
  })

  it("a long hostile one is refused without backtracking", () => {
    // With backtracking, one of them would take hours.
    for (const hostile of ["a@".repeat(250_000), `a@${"b.".repeat(250_000)}@`, `${"a".repeat(500_000)}@`])
      assert.isNotEmpty(issuesOf(EmailAddress, hostile))
  })
})

describe("text", () => {
  it.prop("is decoded trimmed, well formed, without NUL and never blank", [Schema.String], ([typed]) => {
    const issues = issuesOf(text(10), typed)
    const kept = typed.trim()
    if (kept === "") assert.include(issues, " required")
    else if (typed.includes("\u0000") || !typed.isWellFormed()) assert.deepStrictEqual(issues, [" invalid"])
    else if (Array.from(kept).length > 10) assert.deepStrictEqual(issues, [" too_long"])
    else assert.strictEqual(decoded(text(10), typed), kept)
  })

  it("of an optional field is null if it is blank", () => {
    const Note = Schema.Struct({ note: optionalText(5) })
    for (const input of [{}, { note: null }, { note: "" }, { note: " \n" }])
      assert.deepStrictEqual(decoded(Note, input), { note: null })
    assert.deepStrictEqual(decoded(Note, { note: " abcde " }), { note: "abcde" })
    assert.deepStrictEqual(issuesOf(Note, { note: "abcdef" }), ["note too_long"])
    assert.deepStrictEqual(issuesOf(Note, { note: "\u0000" }), ["note invalid"])
  })
})
