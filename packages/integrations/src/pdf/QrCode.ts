/** Draws a QR code as vectors, sharp at any size. */
import { encode } from "uqr"
import type { Pdf } from "./Typesetter.ts"

/** Draws the code of a text as a square with its quiet zone around it. Error correction M: 15 % may be unreadable. */
export const drawQrCode = (pdf: Pdf, text: string, x: number, y: number, side: number): void => {
  const { data, size } = encode(text, { ecc: "M", border: 4 })
  const module = side / size
  pdf.rect(x, y, side, side).fillColor("#ffffff").fill()
  data.forEach((row, down) => {
    let start = -1
    for (let across = 0; across <= size; across++) {
      const dark = row[across] === true
      if (dark && start < 0) start = across
      if (!dark && start >= 0) {
        pdf.rect(x + start * module, y + down * module, (across - start) * module, module)
        start = -1
      }
    }
  })
  pdf.fillColor("#000000").fill()
}
