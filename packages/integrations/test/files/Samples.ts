/** The smallest files of some kinds. */
import { crc32 } from "node:zlib"

const bytes = (base64: string) => Uint8Array.from(Buffer.from(base64, "base64"))
const ascii = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"))

const png = bytes(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)

/** A picture of one frame that is marked as animated. The mark follows the header, which ends after 33 bytes. */
const animated = () => {
  const frames = Buffer.concat([Buffer.from("acTL"), Buffer.from([0, 0, 0, 1, 0, 0, 0, 0])])
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(frames))
  return Uint8Array.from(
    Buffer.concat([png.subarray(0, 33), Buffer.from([0, 0, 0, 8]), frames, check, png.subarray(33)])
  )
}

/** Bytes in front of a file. Music players skip them, and play the rest. */
const behind = (head: string, file: Uint8Array<ArrayBuffer>) =>
  Uint8Array.from(Buffer.concat([Buffer.from(head, "latin1"), file]))

export const samples = {
  png,
  apng: animated(),
  jpeg: bytes(
    "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA="
  ),
  webp: bytes("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA"),
  gif: bytes("R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="),
  pdf: ascii("%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n"),
  svg: ascii('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  html: ascii("<!doctype html><script>alert(1)</script>"),
  script: ascii("#!/bin/sh\necho\n"),
  text: ascii("Hello"),
  tagged: behind(`ID3\u0003${"\u0000".repeat(6)}`, png),
  marked: behind("\u00ef\u00bb\u00bf", png),
  late: behind("\n", ascii("%PDF-1.7\n%%EOF\n")),
  byteOrderMark: behind("\u00ef\u00bb\u00bf\r\n", ascii("%PDF-1.7\n%%EOF\n")),
  tooLate: behind(" ".repeat(1020), ascii("%PDF-1.7\n%%EOF\n")),
  page: ascii("<!DOCTYPE html><script>alert(1)</script>%PDF-1.7\n%%EOF\n"),
  heic: ascii("\u0000\u0000\u0000\u0018ftypheic\u0000\u0000\u0000\u0000mif1heic"),
  zip: ascii(`PK\u0005\u0006${"\u0000".repeat(18)}`),
  nothing: new Uint8Array()
}
