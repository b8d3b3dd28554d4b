/**
 * Makes a PNG cheap to draw: without transparency, which pdfkit would take out of it pixel by pixel, and not larger than a page can
 * show. Unpacking 16 million transparent pixels takes pdfkit two seconds for each document.
 */
import { convertIndexedToRgb, decode, type DecodedPng, encode } from "fast-png"

/** The longer side in pixels. On the page, that is 450 dots per inch. */
const maximumSide = 1200

/** The pixels with 8 bits and 1 to 4 channels. A palette becomes colours. */
const channelsOf = (png: DecodedPng) => {
  if (png.palette !== undefined) {
    const data = convertIndexedToRgb(png)
    return { data, channels: data.length / (png.width * png.height) }
  }
  const { channels, data } = png
  return { data: data instanceof Uint16Array ? Uint8Array.from(data, (value) => value >> 8) : data, channels }
}

/** The red, green and blue of the image on a white page, each pixel being the mean of those that it replaces. */
const reduced = (png: DecodedPng, step: number) => {
  const { channels, data } = channelsOf(png)
  const isGray = channels < 3
  const hasAlpha = channels === 2 || channels === 4
  const [width, height] = [Math.ceil(png.width / step), Math.ceil(png.height / step)]
  const out = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let [red, green, blue, count] = [0, 0, 0, 0]
      const [bottom, right] = [Math.min(png.height, (y + 1) * step), Math.min(png.width, (x + 1) * step)]
      for (let row = y * step; row < bottom; row++)
        for (let column = x * step; column < right; column++) {
          const at = (row * png.width + column) * channels
          const alpha = hasAlpha ? (data[at + channels - 1] ?? 255) : 255
          const white = (255 - alpha) * 255
          const first = data[at] ?? 0
          red += first * alpha + white
          green += (isGray ? first : (data[at + 1] ?? 0)) * alpha + white
          blue += (isGray ? first : (data[at + 2] ?? 0)) * alpha + white
          count += 255
        }
      const at = (y * width + x) * 3
      out[at] = Math.round(red / count)
      out[at + 1] = Math.round(green / count)
      out[at + 2] = Math.round(blue / count)
    }
  return encode({ width, height, data: out, channels: 3, depth: 8 })
}

/** Whether the PNG has an alpha channel, or transparent colours. */
const isTransparent = (bytes: Buffer) =>
  [4, 6].includes(bytes[25] ?? 0) || bytes.subarray(0, 4096).includes("tRNS")

/** The same PNG for a white page; undefined if it is cheap to draw as it is, or not understood. */
export const flatLogo = (
  image: Uint8Array,
  { height, width }: { readonly width: number; readonly height: number }
): Uint8Array<ArrayBuffer> | undefined => {
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength)
  const step = Math.ceil(Math.max(width, height) / maximumSide)
  if (bytes[0] !== 0x89 || (step === 1 && !isTransparent(bytes))) return undefined
  try {
    const png = decode(image)
    // Gray of less than 8 bits stays packed. One transparent colour is a matter of pdfkit's, which masks it without unpacking.
    const isLeft = png.palette === undefined && (png.depth < 8 || png.transparency !== undefined)
    return isLeft ? undefined : new Uint8Array(reduced(png, step))
  } catch {
    return undefined
  }
}
