import { assert, it } from "@effect/vitest"
import { barOf, progressBar } from "../src/terminal/Progress.ts"
import { widthOf } from "../src/terminal/TerminalWidth.ts"

it("a bar shows the share that is done", () => {
  assert.strictEqual(barOf("Copying", 0.5), `Copying [${"=".repeat(15)}${" ".repeat(15)}]  50 %`)
  assert.match(barOf("Copying", 0), /\[ {30}\] {3}0 %$/u)
  assert.match(barOf("Copying", 1.2), /\[={30}\] 100 %$/u)
})

it("a bar is shorter than a line of the terminal, and without room for it the percentage stands alone", () => {
  for (const columns of [200, 80, 48, 40, 30, 24, 20, 12, 5, 1])
    for (const share of [0, 0.37, 1]) {
      const text = barOf("Migrating", share, columns)
      assert.isBelow(text.length, columns, text)
      assert.strictEqual(barOf("Migrating", 0, columns).length, text.length)
    }
  assert.strictEqual(barOf("Migrating", 0.5, 40), `Migrating [${"=".repeat(11)}${" ".repeat(10)}]  50 %`)
  assert.strictEqual(barOf("Migrating", 0.5, 20), "Migrating  50 %")
})

it("a bar has its usual width on a terminal that reports no width", () => {
  for (const columns of [0, 80]) {
    let written = ""
    const write = (text: string) => (written = text)
    progressBar("Copying", { isTTY: true, columns, write }).update(1, 2)
    assert.strictEqual(written, `\r${barOf("Copying", 0.5)}`)
  }
  assert.deepStrictEqual(
    [{ isTTY: true, columns: 0 }, { isTTY: true }, { columns: 120 }, { isTTY: true, columns: 120 }].map(
      widthOf
    ),
    [undefined, undefined, undefined, 120]
  )
})

it("a bar is drawn on a terminal only, when it changes, and removed at the end", () => {
  const draw = (isTTY: boolean) => {
    const written: Array<string> = []
    const bar = progressBar("Copying", { isTTY, write: (text) => written.push(text) })
    for (const done of [0, 1, 1, 100]) bar.update(done, 1000)
    bar.end()
    return written
  }
  assert.deepStrictEqual(draw(false), [])
  const written = draw(true)
  assert.lengthOf(written, 3)
  assert.match(written[2] ?? "", /^\r +\r$/u)
})
