/** Generates request ids. */
import { randomFillSync } from "node:crypto"

const idBytes = 12

const random = Buffer.allocUnsafe(idBytes * 512)
let used = random.length

/** A request id: `req_` and 24 hex digits. Random bytes are drawn for 512 ids at once. */
export const newRequestId = (): string => {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  const id = `req_${random.toString("hex", used, used + idBytes)}`
  used += idBytes
  return id
}
