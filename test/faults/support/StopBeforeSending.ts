/**
 * Preloaded by a dispatcher process: after SIGUSR2, the process stops itself (SIGSTOP) the next time it signs. That is
 * after its last check of the time before an attempt, and before any byte of the POST is sent.
 */
import crypto from "node:crypto"
import { syncBuiltinESMExports } from "node:module"

const { createHmac } = crypto
let isArmed = false
process.on("SIGUSR2", () => {
  isArmed = true
})
crypto.createHmac = (...parameters) => {
  if (isArmed) {
    isArmed = false
    process.kill(process.pid, "SIGSTOP")
  }
  return createHmac(...parameters)
}
syncBuiltinESMExports()
