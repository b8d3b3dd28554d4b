import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { makeInterimFilter } from "../../src/posting/InterimResponses.ts"

const interims = [
  "HTTP/1.1 100 Continue\r\n\r\n",
  "HTTP/1.0 102 Processing\r\nX: HTTP/1.1 200 OK\r\n\r\n",
  "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nLink: </b>\r\n\r\n"
]
const finals = [
  "HTTP/1.1 204 No Content\r\n\r\n",
  "HTTP/1.1 200 OK\r\nContent-Length: 25\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n",
  "HTTP/1.0 500 Oops\r\n\r\n",
  "HTTP/1.1",
  "garbage"
]

const Index = (length: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: length - 1 }))
const Interims = Schema.Array(Index(interims.length)).check(Schema.isMaxLength(5))
const Sizes = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 40 })))

/** Cuts a text into chunks of these sizes, the last size again and again. */
const chunksOf = (text: string, sizes: ReadonlyArray<number>) => {
  const chunks: Array<Buffer> = []
  for (let at = 0, nth = 0; at < text.length; nth++) {
    const size = sizes[Math.min(nth, sizes.length - 1)] ?? text.length
    chunks.push(Buffer.from(text.slice(at, at + size)))
    at += size
  }
  return chunks
}

describe("the filter of interim responses", () => {
  it.prop(
    "leaves the final response as it is, wherever the chunks are cut, for each of several requests",
    [Interims, Index(3), Sizes],
    ([before, final, sizes]) => {
      const { expectResponse, filter } = makeInterimFilter()
      const response = finals[final] ?? ""
      for (let request = 0; request < 3; request++) {
        expectResponse()
        const text = before.map((index) => interims[index]).join("") + response
        const left = chunksOf(text, sizes).flatMap((chunk) => filter(chunk) ?? [])
        assert.strictEqual(Buffer.concat(left).toString(), response)
      }
    }
  )

  it("holds what may be the start of an interim response, and gives up on one without an end", () => {
    const { filter } = makeInterimFilter()
    assert.isNull(filter(Buffer.from("HTTP/1.1 1")))
    assert.isNull(filter(Buffer.from("00 Continue\r\nX: ")))
    const left = filter(Buffer.alloc(16 * 1024, "x"))
    assert.strictEqual(left?.length, "HTTP/1.1 100 Continue\r\nX: ".length + 16 * 1024)
  })

  it("lets other bytes through at once", () => {
    for (const text of ["garbage", "HTTP/1.1 200", "HTTP/2.0 100", "http/1.1 100"]) {
      const chunk = Buffer.from(text)
      assert.strictEqual(makeInterimFilter().filter(chunk), chunk)
    }
  })
})
