/**
 * Checks a PNG before pdfkit unpacks it: pdfkit meets damaged pixels in a callback of its own, where nothing can catch
 * the error.
 */
import { inflateSync } from "node:zlib"

/** The head of a PNG (PNG specification, section 11.2.2). */
export interface PngHead {
  readonly width: number
  readonly height: number
  /** Bits of one pixel. */
  readonly pixelBits: number
  readonly interlaced: boolean
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Samples of a pixel and depths of a sample by colour type. */
const colorTypes: Readonly<Record<number, readonly [samples: number, depths: ReadonlyArray<number>]>> = {
  0: [1, [1, 2, 4, 8, 16]],
  2: [3, [8, 16]],
  3: [1, [1, 2, 4, 8]],
  4: [2, [8, 16]],
  6: [4, [8, 16]]
}

/** The head; undefined if the bytes are not a PNG. */
export const pngHead = (bytes: Buffer): PngHead | undefined => {
  if (bytes.length < 33 || !bytes.subarray(0, 8).equals(signature)) return undefined
  if (bytes.toString("latin1", 12, 16) !== "IHDR") return undefined
  const [depth = 0, colorType = 0, , , interlace = 0] = bytes.subarray(24, 29)
  const [samples, depths] = colorTypes[colorType] ?? [0, []]
  if (!depths.includes(depth) || interlace > 1) return undefined
  return {
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
    pixelBits: samples * depth,
    interlaced: interlace === 1
  }
}

/** The compressed pixels and whether the chunks are complete. */
const chunksOf = (bytes: Buffer) => {
  const data: Array<Buffer> = []
  let palette = false
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString("latin1", at + 4, at + 8)
    if (at + 12 + length > bytes.length) return undefined
    if (type === "PLTE") palette = length > 0 && length % 3 === 0
    if (type === "IDAT") data.push(bytes.subarray(at + 8, at + 8 + length))
    if (type === "IEND") return { palette, pixels: Buffer.concat(data) }
    at += 12 + length
  }
  return undefined
}

/** The first pixel and the step of each pass, across and down (section 8.2). */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2]
] as const

/** The rows of pixels in the order of the data, as their lengths in bytes without the filter byte. */
const rowLengths = ({
  height,
  interlaced,
  pixelBits,
  width
}: PngHead): ReadonlyArray<readonly [number, number]> =>
  (interlaced ? passes : ([[0, 0, 1, 1]] as const)).map(([x, y, across, down]) => {
    const columns = Math.max(0, Math.ceil((width - x) / across))
    const rows = columns === 0 ? 0 : Math.max(0, Math.ceil((height - y) / down))
    return [rows, Math.ceil((columns * pixelBits) / 8)]
  })

/** Whether the first byte of each row names one of the five filters. */
const hasKnownFilters = (pixels: Buffer, layout: ReturnType<typeof rowLengths>): boolean => {
  let at = 0
  for (const [rows, length] of layout)
    for (let row = 0; row < rows; row++) {
      if ((pixels[at] ?? 255) > 4) return false
      at += length + 1
    }
  return true
}

/** Whether the pixels can be unpacked: all there, and each row with a filter that exists. */
export const pngIsSound = (bytes: Buffer, head: PngHead): boolean => {
  const chunks = chunksOf(bytes)
  if (chunks === undefined || (bytes[25] === 3 && !chunks.palette)) return false
  const layout = rowLengths(head)
  const expected = layout.reduce((sum, [rows, length]) => sum + rows * (length + 1), 0)
  try {
    const pixels = inflateSync(chunks.pixels, { maxOutputLength: expected + 1 })
    return pixels.length === expected && hasKnownFilters(pixels, layout)
  } catch {
    return false
  }
}
