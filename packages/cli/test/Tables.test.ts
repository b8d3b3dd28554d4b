import { assert, describe, it } from "@effect/vitest"
import { type Column, details, table } from "../src/terminal/Tables.ts"

const columns: ReadonlyArray<Column> = [
  ["id", "ID"],
  ["name", "NAME"]
]
const rows = [
  { id: 1, name: "Chauffeurs of the whole lake", other: "not shown" },
  { id: 22, name: null }
]

describe("a table", () => {
  it("is as wide as its values where the output is no terminal, without colour", () => {
    const output = { columns: undefined, isColoured: false }
    assert.strictEqual(
      table(rows, columns, output),
      ["ID  NAME", "1   Chauffeurs of the whole lake", "22  -"].join("\n")
    )
  })

  it("fits a terminal by shortening its widest column", () => {
    const lines = table(rows, columns, { columns: 16, isColoured: false }).split("\n")
    assert.strictEqual(lines[1], "1   Chauffeurs …")
    assert.isTrue(lines.every((line) => line.length <= 16))
  })

  it("of many columns fits a narrow terminal", () => {
    const many = Array.from({ length: 12 }, (_, index): Column => [`field${index}`, `TITLE ${index}`])
    const row = Object.fromEntries(many.map(([field]) => [field, "A long value of a field"]))
    for (const width of [40, 80, 200]) {
      const lines = table([row], many, { columns: width, isColoured: false }).split("\n")
      assert.isTrue(
        lines.every((line) => line.length <= width),
        lines.join("\n")
      )
    }
  })

  it("whose last column wraps has its whole text on a terminal, in lines below each other", () => {
    const finding = [{ id: "mail", name: "10.0.0.1:25 accepts no connection: check SMTP_URL" }]
    const shown = (width: number | undefined) =>
      table(finding, columns, { columns: width, isColoured: false }, { wrapsLast: true }).split("\n")
    assert.deepStrictEqual(shown(undefined), ["ID    NAME", `mail  ${finding[0]?.name}`])
    assert.deepStrictEqual(shown(30), [
      "ID    NAME",
      "mail  10.0.0.1:25 accepts no",
      "      connection: check",
      "      SMTP_URL"
    ])
    assert.deepStrictEqual(shown(12), [
      "ID    NAME",
      "mail  10.0.0",
      "      .1:25",
      "      accept",
      "      s no",
      "      connec",
      "      tion:",
      "      check",
      "      SMTP_U",
      "      RL"
    ])
  })

  it("counts the cells of a terminal: two for a wide character, none for a combining one", () => {
    const names = [
      { id: "北京专车服务", name: "A" },
      { id: "cafe\u0301", name: "B" },
      { id: "👩‍💻", name: "C" },
      { id: "ｶﾅ「Ａ」·é", name: "D" }
    ]
    assert.strictEqual(
      table(names, columns, { columns: undefined, isColoured: false }),
      [
        "ID            NAME",
        "北京专车服务  A",
        "cafe\u0301          B",
        "👩‍💻            C",
        "ｶﾅ「Ａ」·é    D"
      ].join("\n")
    )
    for (const [width, shown] of [
      [11, "北京…"],
      [12, "北京… "]
    ] as const)
      assert.strictEqual(
        table(names, columns, { columns: width, isColoured: false }).split("\n")[1],
        `${shown}  A`
      )
  })

  it("has bold titles on a terminal, and no control characters of values", () => {
    const shown = table([{ id: "\u001B[31mred\n" }], [["id", "ID"]], { columns: 80, isColoured: true })
    assert.strictEqual(shown, "\u001B[1mID    \u001B[0m\n?[31mred?".replace("ID    ", "ID"))
  })

  it("has no characters of values that reverse the values behind them, and keeps joined letters", () => {
    const reversing = [{ id: "\u202eA\u2066\u202b", name: "می\u200cخواهم" }]
    assert.strictEqual(
      table(reversing, columns, { columns: undefined, isColoured: false }).split("\n")[1],
      "?A??  می\u200cخواهم"
    )
  })
})

describe("a record", () => {
  it("has a line for each field, which fits the terminal", () => {
    const shown = details(
      { id: 7, business_name: "Chauffeurs", tags: ["a"] },
      { columns: 20, isColoured: false }
    )
    assert.strictEqual(shown, ["id             7", "business_name  Chau…", 'tags           ["a"]'].join("\n"))
    assert.strictEqual(
      details({ business_name: "北京专车" }, { columns: 20, isColoured: false }),
      "business_name  北京…"
    )
  })
})
