import { assert, describe, it } from "@effect/vitest"
import { Writable } from "node:stream"
import { linesTo } from "../src/terminal/LineStream.ts"

/** A stream whose reader takes what waits only on demand. */
const stalled = () => {
  const read: Array<string> = []
  const waiting: Array<() => void> = []
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      waiting.push(() => {
        read.push(chunk)
        done()
      })
    }
  })
  const readAll = async () => {
    await new Promise(setImmediate)
    for (let take = waiting.shift(); take !== undefined; take = waiting.shift()) {
      take()
      await new Promise(setImmediate)
    }
  }
  return { stream, read, readAll }
}

const missing = (dropped: number) => `${dropped} missing`

describe("lines for a reader", () => {
  it("a slow reader gets every line, in order", async () => {
    const { read, readAll, stream } = stalled()
    const { write } = linesTo(stream, missing)
    for (const line of ["one", "two", "three"]) write(line)
    await readAll()
    write("four")
    await readAll()
    assert.deepStrictEqual(read, ["one\ntwo\nthree\n", "four\n"])
  })

  it("for a reader that does not read, at most the limit is buffered", () => {
    const { stream } = stalled()
    const { flush, write } = linesTo(stream, missing, 1000)
    for (let line = 0; line < 10_000; line++) write("0123456789")
    flush()
    assert.isAtMost(stream.writableLength, 1011)
  })

  it("a reader that continues gets the number of dropped lines before the next one", async () => {
    const { read, readAll, stream } = stalled()
    const { write } = linesTo(stream, missing, 9)
    for (let line = 0; line < 7; line++) write(`line ${line}`)
    await readAll()
    write("after")
    await readAll()
    write("later")
    await readAll()
    assert.deepStrictEqual(read.join(""), "line 0\nline 1\n5 missing\nafter\nlater\n")
  })

  it("waiting lines are written at once by a flush, and only once", async () => {
    const { read, readAll, stream } = stalled()
    const { flush, write } = linesTo(stream, missing)
    write("last words")
    flush()
    assert.strictEqual(stream.writableLength, 11)
    await readAll()
    assert.deepStrictEqual(read, ["last words\n"])
  })
})
