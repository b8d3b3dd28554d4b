import { assert, describe, it } from "@effect/vitest"
import { decode, encode } from "fast-png"
import { flatLogo } from "../../src/pdf/FlatLogo.ts"

const size = { width: 2, height: 1 }
const pixels = (png: Uint8Array | undefined) => (png === undefined ? undefined : [...decode(png).data])

describe("a logo on a white page", () => {
  it("has no transparency: a clear pixel is white, half of a black one gray", () => {
    const rgba = encode({ ...size, data: Uint8Array.of(9, 9, 9, 0, 0, 0, 0, 128), channels: 4 })
    assert.deepStrictEqual(pixels(flatLogo(rgba, size)), [255, 255, 255, 127, 127, 127])
    const gray = encode({ ...size, data: Uint8Array.of(0, 0, 40, 255), channels: 2 })
    assert.deepStrictEqual(pixels(flatLogo(gray, size)), [255, 255, 255, 40, 40, 40])
    const deep = encode({
      ...size,
      data: Uint16Array.of(0, 0, 0, 0, 65_535, 0, 0, 65_535),
      channels: 4,
      depth: 16
    })
    assert.deepStrictEqual(pixels(flatLogo(deep, size)), [255, 255, 255, 255, 0, 0])
  })

  it("has at most 1,200 pixels on its longer side, each the mean of those that it replaces", () => {
    const [width, height] = [2400, 2]
    const data = new Uint8Array(width * height * 3)
    // The left column of each square is black, the right one white.
    for (let at = 0; at < width * height; at++) data.fill(at % 2 === 0 ? 0 : 255, at * 3, at * 3 + 3)
    const small = flatLogo(encode({ width, height, data, channels: 3 }), { width, height })
    assert.isDefined(small)
    const { data: reduced, ...head } = decode(small)
    assert.deepInclude(head, { width: 1200, height: 1, channels: 3 })
    assert.isTrue(reduced.every((value) => value === 128))
  })

  it("stays as it is if it is cheap to draw", () => {
    assert.isUndefined(flatLogo(encode({ ...size, data: new Uint8Array(6), channels: 3 }), size))
    assert.isUndefined(flatLogo(Uint8Array.of(0xff, 0xd8, 0xff), { width: 4000, height: 4000 }))
  })
})
