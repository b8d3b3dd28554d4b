/** The smallest files of some kinds. */
const bytes = (base64: string) => Uint8Array.from(Buffer.from(base64, "base64"))
const ascii = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"))

export const samples = {
  png: bytes(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
  ),
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
  zip: ascii(`PK\u0005\u0006${"\u0000".repeat(18)}`),
  nothing: new Uint8Array()
}
