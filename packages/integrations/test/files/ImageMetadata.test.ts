import { assert, describe, it } from "@effect/vitest"
import { crc32 } from "node:zlib"
import { withoutMetadata } from "../../src/files/ImageMetadata.ts"
import { samples } from "./Samples.ts"

const secret = "GPS 52.5200 N"

/** A TIFF header with a way up and a text. */
const tiff = (orientation: number, order: "II" | "MM") => {
  const bytes = Buffer.alloc(26 + secret.length)
  const isLittle = order === "II"
  const u16 = (value: number, at: number) =>
    isLittle ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at)
  const u32 = (value: number, at: number) =>
    isLittle ? bytes.writeUInt32LE(value, at) : bytes.writeUInt32BE(value, at)
  bytes.write(order, 0, "latin1")
  u16(42, 2)
  u32(8, 4)
  u16(1, 8)
  u16(0x01_12, 10)
  u16(3, 12)
  u32(1, 14)
  u16(orientation, 18)
  bytes.write(secret, 26, "latin1")
  return bytes
}

const segment = (marker: number, data: Buffer) => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

const exif = (orientation: number) =>
  Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tiff(orientation, "II")])

const { jpeg, pdf, png, webp } = samples
/** The sample ends after its JFIF segment, of 20 bytes with the first marker. */
const jpegWith = (parts: ReadonlyArray<Buffer>, rest = "") =>
  Uint8Array.from(
    Buffer.concat([
      jpeg.subarray(0, 20),
      ...parts,
      jpeg.subarray(20),
      Buffer.from([0xff, 0xd9]),
      Buffer.from(rest, "latin1")
    ])
  )

const chunk = (type: string, data: Buffer) => {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}

const pngWith = (parts: ReadonlyArray<Buffer>, rest = "") =>
  Uint8Array.from(
    Buffer.concat([png.subarray(0, 33), ...parts, png.subarray(33), Buffer.from(rest, "latin1")])
  )

const part = (type: string, data: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(data.length)
  return Buffer.concat([Buffer.from(type, "latin1"), length, data, Buffer.alloc(data.length % 2)])
}

const webpOf = (parts: ReadonlyArray<Buffer>) => {
  const body = Buffer.concat([Buffer.from("WEBP", "latin1"), ...parts])
  return Uint8Array.from(part("RIFF", body))
}
const simpleWebp = Buffer.from(webp.subarray(12))
const extended = (flags: number) => part("VP8X", Buffer.from([flags, 0, 0, 0, 0, 0, 0, 0, 0, 0]))

const hidden = (type: string, file: Uint8Array) => {
  const clean = withoutMetadata(type, file)
  assert.notInclude(Buffer.from(clean).toString("latin1"), secret)
  return clean
}
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")

describe("the metadata of a picture", () => {
  it("is removed from a JPEG, with what follows its end, and every other byte stays", () => {
    const sent = jpegWith(
      [
        segment(0xe1, exif(1)),
        segment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${secret}`, "latin1")),
        segment(0xe2, Buffer.from(`MPF\0${secret}`, "latin1")),
        segment(0xed, Buffer.from(`Photoshop 3.0\0${secret}`, "latin1")),
        segment(0xee, Buffer.from(`Maker\0${secret}`, "latin1")),
        segment(0xfe, Buffer.from(secret, "latin1"))
      ],
      secret
    )
    assert.strictEqual(hex(hidden("image/jpeg", sent)), hex(jpegWith([])))
  })

  it("keeps the way up and the colour profile of a JPEG", () => {
    const profile = segment(0xe2, Buffer.from("ICC_PROFILE\0\u0001\u0001colours", "latin1"))
    const clean = hidden("image/jpeg", jpegWith([segment(0xe1, exif(6)), profile]))
    const way = Buffer.from("4d4d002a00000008000101120003000000010006000000000000", "hex")
    const kept = segment(0xe1, Buffer.concat([Buffer.from("Exif\0\0", "latin1"), way]))
    assert.strictEqual(hex(clean), hex(jpegWith([kept, profile])))
  })

  it("is removed from a PNG, with what follows its end, and its way up stays", () => {
    const texts = ["tEXt", "iTXt", "zTXt", "caBX"].map((type) => chunk(type, Buffer.from(secret)))
    const gamma = chunk("gAMA", Buffer.from([0, 0, 0xb1, 0x8f]))
    const sent = pngWith([gamma, ...texts, chunk("eXIf", tiff(1, "MM"))], secret)
    assert.strictEqual(hex(hidden("image/png", sent)), hex(pngWith([gamma])))
    const turned = hidden("image/png", pngWith([chunk("eXIf", tiff(8, "MM"))]))
    assert.include(Buffer.from(turned).toString("latin1"), "eXIfMM")
  })

  it("is removed from a WebP, whose head no longer announces it", () => {
    const body = [simpleWebp]
    const sent = webpOf([
      extended(0x0c),
      ...body,
      part("EXIF", tiff(1, "II")),
      part("XMP ", Buffer.from(secret))
    ])
    assert.strictEqual(hex(hidden("image/webp", sent)), hex(webpOf([extended(0), ...body])))
    const turned = hidden("image/webp", webpOf([extended(0x08), ...body, part("EXIF", tiff(3, "II"))]))
    assert.strictEqual(turned[20], 0x08)
  })

  it("leaves a file without metadata, a cut file and a document as they are", () => {
    for (const [type, file] of [
      ["image/jpeg", jpeg],
      ["image/png", png],
      ["image/png", samples.apng],
      ["image/webp", webp],
      ["application/pdf", pdf],
      ["image/jpeg", jpeg.subarray(0, 40)]
    ] as const)
      assert.strictEqual(hex(withoutMetadata(type, file)), hex(file), type)
  })

  it("leaves what follows the first 20,000 segments of a JPEG as it is, so that no file of millions keeps the process busy", () => {
    const segment = Buffer.from([0xff, 0xc0, 0x00, 0x02])
    const file = Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(1_000_000, segment)])
    assert.isTrue(Buffer.from(withoutMetadata("image/jpeg", file)).equals(file))
  })

  it("does not fail on a file that is cut or changed anywhere", () => {
    const files = [
      ["image/jpeg", jpegWith([segment(0xe1, exif(6))])],
      ["image/png", pngWith([chunk("eXIf", tiff(6, "II"))])],
      ["image/webp", webpOf([extended(0x08), simpleWebp, part("EXIF", tiff(6, "II"))])]
    ] as const
    for (const [type, file] of files)
      for (let at = 12; at < file.length; at++) {
        assert.isAtMost(withoutMetadata(type, file.subarray(0, at)).length, file.length, `${type}, ${at}`)
        for (const value of [0, 0x80, 0xff]) {
          const changed = Uint8Array.from(file)
          changed[at] = value
          withoutMetadata(type, changed)
        }
      }
  })
})
