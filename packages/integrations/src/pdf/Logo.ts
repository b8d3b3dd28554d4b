/** Checks the type and the size of an image before it is drawn. */
import { pngHead, pngIsSound } from "./PngImage.ts"

/** An image that can be drawn; sizes in pixels. */
export interface KnownImage {
  readonly width: number
  readonly height: number
}

/** Larger images would take seconds and hundreds of megabytes to unpack. */
const maximumPixels = 16_000_000

const isDrawable = ({ height, width }: KnownImage) =>
  width > 0 && height > 0 && width * height <= maximumPixels

/** The size and the number of colours in the frame header of a JPEG. */
const jpegFrame = (bytes: Buffer): (KnownImage & { readonly colors: number }) | undefined => {
  let at = 2
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    // SOF0 to SOF15 without the tables DHT, JPG and DAC.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return {
        height: bytes.readUInt16BE(at + 5),
        width: bytes.readUInt16BE(at + 7),
        colors: bytes[at + 9] ?? 0
      }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

/**
 * The size of a PNG or JPEG; undefined for anything else, for a damaged PNG, for an image of too many pixels, and for a
 * JPEG in the four colours of print, which a PDF/A for screens must not have.
 */
export const inspectImage = (image: Uint8Array): KnownImage | undefined => {
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength)
  const png = pngHead(bytes)
  if (png !== undefined) return isDrawable(png) && pngIsSound(bytes, png) ? png : undefined
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined
  const jpeg = jpegFrame(bytes)
  return jpeg !== undefined && isDrawable(jpeg) && (jpeg.colors === 1 || jpeg.colors === 3) ? jpeg : undefined
}
