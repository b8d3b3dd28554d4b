/**
 * Removes from a picture what tells about its maker and its place (EXIF, XMP, IPTC, comments, previews), and keeps its pixels and
 * its colours byte for byte. The way up is a part of EXIF that viewers need: it stays, alone.
 */

import { crc32 } from "node:zlib"

const latin1 = (text: string) => Buffer.from(text, "latin1")

const ascii = (bytes: Buffer, from: number, to: number) => bytes.toString("latin1", from, to)

/** The way up in an EXIF block that starts with the TIFF header: 1 to 8, and 1 if it has none. */
const orientationOf = (tiff: Buffer): number => {
  const isLittle = ascii(tiff, 0, 2) === "II"
  const u16 = (at: number) =>
    at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)
  const u32 = (at: number) =>
    at + 4 > tiff.length ? 0 : isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at)
  const directory = u32(4)
  for (let entry = 0; entry < u16(directory); entry++) {
    const at = directory + 2 + entry * 12
    if (u16(at) !== 0x01_12) continue
    const value = u16(at + 8)
    return value >= 1 && value <= 8 ? value : 1
  }
  return 1
}

/** An EXIF block with the way up only. */
const tiffOf = (orientation: number) =>
  Buffer.concat([
    latin1("MM\0*"),
    Buffer.from([0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0])
  ])

const exifMark = "Exif\0\0"

/** The end of a JPEG's scan data: the next marker that is neither a stuffed byte nor a restart. */
const scanEnd = (bytes: Buffer, from: number): number => {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] !== 0xff) continue
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at
  }
  return bytes.length
}

/** Whether a segment of a JPEG is needed to draw it: JFIF, the colour profile, Adobe's colour transform, and all without a name. */
const isDrawn = (marker: number, data: Buffer) => {
  if (marker === 0xfe) return false
  if (marker < 0xe0 || marker > 0xef) return true
  if (marker === 0xe0) return ascii(data, 0, 4) === "JFIF"
  if (marker === 0xee) return ascii(data, 0, 5) === "Adobe"
  return marker === 0xe2 && ascii(data, 0, 11) === "ICC_PROFILE"
}

/**
 * The most segments or chunks of a picture that are looked at; the rest stays as it is. A file that is made to have millions would
 * keep the process busy for seconds.
 */
const maxParts = 20_000

const cleanJpeg = (bytes: Buffer): Buffer => {
  const kept: Array<Buffer> = [bytes.subarray(0, 2)]
  let orientation = 1
  let at = 2
  for (let parts = 0; at + 4 <= bytes.length;) {
    const marker = bytes[at + 1] ?? 0
    // Fill bytes may precede a marker, and readers skip other bytes.
    if (bytes[at] === 0xff && marker === 0xff) {
      at += 1
      continue
    }
    if (++parts > maxParts) {
      kept.push(bytes.subarray(at))
      at = bytes.length
      break
    }
    if (bytes[at] !== 0xff) {
      const next = bytes.indexOf(0xff, at + 1)
      if (next === -1) break
      at = next
      continue
    }
    if (marker === 0xd9) break
    if (marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += 2
      continue
    }
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    const data = bytes.subarray(at + 4, end)
    if (marker === 0xe1 && ascii(data, 0, 6) === exifMark) orientation = orientationOf(data.subarray(6))
    else if (isDrawn(marker, data)) kept.push(bytes.subarray(at, end))
    at = end
    if (marker === 0xda) {
      const rest = scanEnd(bytes, at)
      kept.push(bytes.subarray(at, rest))
      at = rest
    }
  }
  // Behind the end, phones store previews and films with places of their own.
  if (bytes[at] === 0xff && bytes[at + 1] === 0xd9) kept.push(bytes.subarray(at, at + 2))
  if (orientation !== 1) {
    const exif = Buffer.concat([latin1(exifMark), tiffOf(orientation)])
    const head = Buffer.from([0xff, 0xe1, 0, exif.length + 2])
    // JFIF wants to be first.
    kept.splice(kept[1]?.[1] === 0xe0 ? 2 : 1, 0, head, exif)
  }
  return Buffer.concat(kept)
}

/** The optional chunks of a PNG that change how it looks. Critical chunks have a capital letter. */
const drawnChunks = new Set(
  "tRNS cHRM gAMA iCCP sBIT sRGB bKGD hIST pHYs sPLT cICP mDCV cLLI acTL fcTL fdAT".split(" ")
)

const pngChunk = (type: string, data: Buffer) => {
  const named = Buffer.concat([latin1(type), data])
  const chunk = Buffer.alloc(named.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  named.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(named), named.length + 4)
  return chunk
}

const cleanPng = (bytes: Buffer): Buffer => {
  const kept: Array<Buffer> = [bytes.subarray(0, 8)]
  let parts = 0
  for (let at = 8; at + 8 <= bytes.length;) {
    if (++parts > maxParts) {
      kept.push(bytes.subarray(at))
      break
    }
    const type = ascii(bytes, at + 4, at + 8)
    const end = at + 12 + bytes.readUInt32BE(at)
    if (type === "eXIf") {
      const orientation = orientationOf(bytes.subarray(at + 8, end - 4))
      if (orientation !== 1) kept.push(pngChunk("eXIf", tiffOf(orientation)))
    } else if (/^[A-Z]/u.test(type) || drawnChunks.has(type)) kept.push(bytes.subarray(at, end))
    at = end
    if (type === "IEND") break
  }
  return Buffer.concat(kept)
}

const webpChunk = (type: string, data: Buffer) => {
  const head = Buffer.alloc(8)
  head.write(type, 0, "latin1")
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

/** The chunks of a WebP that are needed to draw it. */
const drawnParts = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"])

/** The flags of the head of an extended WebP. */
const flags = { exif: 0x08, xmp: 0x04 }

const cleanWebp = (bytes: Buffer): Buffer => {
  const kept: Array<Buffer> = []
  let orientation = 1
  let isChanged = false
  const size = Math.min(bytes.length, 8 + bytes.readUInt32LE(4))
  let parts = 0
  for (let at = 12; at + 8 <= size;) {
    if (++parts > maxParts) {
      kept.push(bytes.subarray(at, size))
      break
    }
    const type = ascii(bytes, at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    const end = at + 8 + length + (length % 2)
    const data = bytes.subarray(at + 8, at + 8 + length)
    if (type === "EXIF") orientation = orientationOf(ascii(data, 0, 6) === exifMark ? data.subarray(6) : data)
    if (drawnParts.has(type)) kept.push(bytes.subarray(at, end))
    else isChanged = true
    at = end
  }
  if (!isChanged) return bytes.subarray(0, size)
  if (orientation !== 1) kept.push(webpChunk("EXIF", tiffOf(orientation)))
  const [first] = kept
  if (first !== undefined && ascii(first, 0, 4) === "VP8X") {
    const head = Buffer.from(first)
    const exif = orientation === 1 ? 0 : flags.exif
    head[8] = ((head[8] ?? 0) & ~(flags.exif | flags.xmp)) | exif
    kept[0] = head
  }
  const body = Buffer.concat(kept)
  const riff = latin1("RIFF\0\0\0\0WEBP")
  riff.writeUInt32LE(body.length + 4, 4)
  return Buffer.concat([riff, body])
}

const cleaners: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  "image/jpeg": cleanJpeg,
  "image/png": cleanPng,
  "image/webp": cleanWebp
}

/** A file of a type without the metadata of a picture. A file of another type is returned as it is. */
export const withoutMetadata = (type: string, file: Uint8Array): Uint8Array => {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const clean = cleaners[type]?.(bytes)
  return clean === undefined || clean.equals(bytes) ? file : new Uint8Array(clean)
}
