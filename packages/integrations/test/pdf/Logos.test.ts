import { InvoiceRenderer, type InvoiceDocument } from "@livery/domain"
import { PdfInvoices } from "@livery/integrations"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { crc32, deflateSync, inflateSync } from "node:zlib"
import { inspectImage } from "../../src/pdf/Logo.ts"
import { logo, usual } from "./Samples.ts"

const chunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/** A PNG of `width` by `height` pixels; `pixels` are its rows before compression. */
const png = (
  [width, height]: readonly [number, number],
  [depth, colorType, interlace]: readonly [number, number, number],
  pixels: Buffer
) => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([depth, colorType, 0, 0, interlace], 8)
  return new Uint8Array(
    Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk("IHDR", head),
      ...(colorType === 3 ? [chunk("PLTE", Buffer.from([200, 30, 30, 30, 30, 200]))] : []),
      chunk("IDAT", deflateSync(pixels)),
      chunk("IEND", Buffer.alloc(0))
    ])
  )
}

/** Rows of one length, each after its filter byte. */
const rows = (count: number, length: number, filter = 0) =>
  Buffer.concat(
    Array.from({ length: count }, () => Buffer.from([filter, ...new Uint8Array(length).fill(90)]))
  )

/** The passes of an interlaced image of 8 by 8 pixels of three bytes. */
const interlaced = Buffer.concat(
  (
    [
      [1, 1],
      [1, 1],
      [1, 2],
      [2, 2],
      [2, 4],
      [4, 4],
      [4, 8]
    ] as const
  ).map(([count, columns]) => rows(count, columns * 3))
)

/** The header of a JPEG with that many colours, without pixels, which viewers accept. */
const jpeg = (width: number, height: number, colors: number) =>
  new Uint8Array([
    0xff,
    0xd8,
    0xff,
    0xe0,
    0,
    4,
    0,
    0,
    0xff,
    0xc0,
    0,
    17,
    8,
    height >> 8,
    height & 255,
    width >> 8,
    width & 255,
    colors,
    1,
    0x11,
    0,
    2,
    0x11,
    1,
    3,
    0x11,
    1,
    0xff,
    0xd9
  ])

/** The JPEG with the orientation of a camera: 6 means that it is to be turned by a quarter. */
const turned = (image: Uint8Array, orientation: number) =>
  new Uint8Array(
    Buffer.concat([
      image.subarray(0, 2),
      Buffer.from([0xff, 0xe1, 0, 34]),
      Buffer.from("Exif\0\0MM\0*\0\0\0\u0008\0\u0001", "latin1"),
      Buffer.from([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]),
      image.subarray(2)
    ])
  )

/** The sides of the drawn logo in points, as the image has them before it is turned. */
const drawnSides = (pdf: Uint8Array): readonly [width: number, height: number] => {
  const text = Buffer.from(pdf).toString("latin1")
  for (const { 1: content = "" } of text.matchAll(
    /FlateDecode\s*>>\s*stream\r?\n([\s\S]*?)\r?\nendstream/gu
  )) {
    const drawing = inflateSync(Buffer.from(content, "latin1")).toString("latin1")
    const placed = /(-?[\d.]+) 0 0 (-?[\d.]+) -?[\d.]+ -?[\d.]+ cm\s*\/I\d+ Do/u.exec(drawing)
    if (placed !== null) return [Math.abs(Number(placed[1])), Math.abs(Number(placed[2]))]
  }
  return [0, 0]
}

const drawn: Readonly<Record<string, Uint8Array>> = {
  "a PNG with transparency": logo,
  "a PNG in colour": png([4, 3], [8, 2, 0], rows(3, 12)),
  "a grey PNG": png([4, 3], [8, 0, 0], rows(3, 4)),
  "a PNG of one bit": png([9, 2], [1, 0, 0], rows(2, 2)),
  "a PNG with a palette": png([4, 3], [8, 3, 0], rows(3, 4)),
  "a PNG of 16 bits with transparency": png([2, 2], [16, 6, 0], rows(2, 16)),
  "an interlaced PNG": png([8, 8], [8, 2, 1], interlaced),
  "a JPEG": jpeg(40, 30, 3),
  "a grey JPEG": jpeg(40, 30, 1)
}

const unusable: Readonly<Record<string, Uint8Array>> = {
  "no bytes": new Uint8Array(),
  "a WebP": new Uint8Array(Buffer.from("RIFF\u0010\u0000\u0000\u0000WEBPVP8L", "latin1")),
  "a text": new TextEncoder().encode("<svg xmlns='http://www.w3.org/2000/svg'/>".repeat(4)),
  "a PNG without pixels": png([4, 3], [8, 6, 0], Buffer.alloc(0)),
  "a PNG with too few rows": png([4, 3], [8, 6, 0], rows(2, 16)),
  "a PNG with too many rows": png([4, 3], [8, 6, 0], rows(4, 16)),
  "a PNG with a filter that does not exist": png([4, 3], [8, 6, 0], rows(3, 16, 9)),
  "a PNG of a depth that does not exist": png([4, 3], [3, 6, 0], rows(3, 16)),
  "a PNG of a thousand megapixels": png([40_000, 25_000], [8, 6, 0], rows(1, 16)),
  "a truncated PNG": logo.slice(0, logo.length - 300),
  "a JPEG in the colours of print": jpeg(40, 30, 4),
  "a JPEG of a thousand megapixels": jpeg(40_000, 25_000, 3),
  "a truncated JPEG": jpeg(40, 30, 3).slice(0, 10)
}

const rendererOf = Effect.flatMap(
  Layer.build(Layer.fresh(PdfInvoices.layer({ timeout: "1 hour" }))),
  (context) => InvoiceRenderer.pipe(Effect.provideContext(context))
)

const withLogo = (logo: Uint8Array | null): InvoiceDocument => ({ ...usual, logo })

describe("a logo", () => {
  it.live("is drawn if it is a sound PNG or JPEG", () =>
    Effect.gen(function* () {
      const renderer = yield* rendererOf
      for (const [title, bytes] of Object.entries(drawn))
        assert.strictEqual((yield* renderer.render(withLogo(bytes))).logo, "drawn", title)
      assert.strictEqual((yield* renderer.render(withLogo(null))).logo, "none")
    })
  )

  it.live("is replaced by the name of the seller if it is not a sound image", () =>
    Effect.gen(function* () {
      const renderer = yield* rendererOf
      for (const [title, bytes] of Object.entries(unusable))
        assert.strictEqual((yield* renderer.render(withLogo(bytes))).logo, "unusable", title)
    })
  )

  it.live("never stops an invoice, however it is damaged", () =>
    Effect.gen(function* () {
      const renderer = yield* rendererOf
      let seed = 7
      const random = (limit: number) => {
        seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
        return seed % limit
      }
      for (let run = 0; run < 120; run++) {
        const damaged = new Uint8Array(Object.values(drawn)[run % 8] ?? logo)
        for (let change = 0; change <= random(4); change++)
          damaged[random(Math.min(damaged.length, 400))] = random(256)
        const result = yield* renderer.render(withLogo(damaged))
        assert.include(["drawn", "unusable"], result.logo)
      }
    })
  )

  it.live("fits its space if a camera has marked it to be turned", () =>
    Effect.gen(function* () {
      const renderer = yield* rendererOf
      const wide = jpeg(4000, 300, 3)
      const upright = yield* renderer.render(withLogo(wide))
      assert.deepStrictEqual(drawnSides(upright.bytes), [190, 14.25])
      for (const orientation of [5, 6, 7, 8]) {
        const { bytes } = yield* renderer.render(withLogo(turned(wide, orientation)))
        assert.deepStrictEqual(drawnSides(bytes), [48, 3.6], String(orientation))
      }
    })
  )

  it.live("that is interlaced is measured by its passes", () =>
    Effect.sync(() => {
      const short = png([8, 8], [8, 2, 1], interlaced.subarray(0, -1))
      assert.deepInclude(inspectImage(drawn["an interlaced PNG"] ?? new Uint8Array()), {
        width: 8,
        height: 8
      })
      assert.isUndefined(inspectImage(short))
    })
  )
})
