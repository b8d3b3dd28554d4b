import { assert, it } from "@effect/vitest"
import { barOf, progressBar } from "../src/Progress.ts"

it("a bar shows the share that is done", () => {
  assert.strictEqual(barOf("Copying", 0.5), `Copying [${"=".repeat(15)}${" ".repeat(15)}]  50 %`)
  assert.match(barOf("Copying", 0), /\[ {30}\] {3}0 %$/u)
  assert.match(barOf("Copying", 1.2), /\[={30}\] 100 %$/u)
})

it("is drawn on a terminal only, when it changes, and removed at the end", () => {
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
