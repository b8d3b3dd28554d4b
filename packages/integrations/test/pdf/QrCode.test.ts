import { assert, describe, it } from "@effect/vitest"
import jsQR from "jsqr"
import type { Pdf } from "../../src/pdf/Typesetter.ts"
import { drawQrCode } from "../../src/pdf/QrCode.ts"

/** Paints the drawn rectangles, three pixels a module, and decodes the picture. */
const scanned = (text: string) => {
  const side = 300
  const picture = new Uint8ClampedArray(side * side * 4).fill(255)
  let open: Array<readonly [number, number, number, number]> = []
  let shade = 0
  const pdf = {
    rect: (x: number, y: number, width: number, height: number) => {
      open.push([x, y, width, height])
      return pdf
    },
    fillColor: (color: string) => {
      shade = color === "#ffffff" ? 255 : 0
      return pdf
    },
    fill: () => {
      for (const [x, y, width, height] of open)
        for (let down = Math.round(y); down < Math.round(y + height); down++)
          for (let across = Math.round(x); across < Math.round(x + width); across++)
            picture.fill(shade, (down * side + across) * 4, (down * side + across) * 4 + 3)
      open = []
      return pdf
    }
  }
  drawQrCode(pdf as object as Pdf, text, 0, 0, side)
  return jsQR.default(picture, side, side)?.data
}

describe("the QR code", () => {
  for (const text of [
    "https://pay.example.com/i/f3b1c07e9d2a4c58",
    "https://example.com/öffentlich/?q=1&r=2",
    `https://example.com/${"a".repeat(200)}`
  ])
    it(`says ${text.slice(0, 40)}`, () => {
      assert.strictEqual(scanned(text), text)
    })
})
