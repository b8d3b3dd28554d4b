/**
 * A receiver in a thread of its own, for the test beside it: it answers, keeps its connections, and resets them all on
 * request. Its counts are in shared memory, so that a waiting test need not let the event loop continue: `[resets, requests, connections]`.
 */
import { createServer } from "node:net"
import type { AddressInfo, Socket } from "node:net"
import { parentPort, workerData } from "node:worker_threads"

const counts = new Int32Array(workerData as SharedArrayBuffer)
const sockets = new Set<Socket>()

const server = createServer((socket) => {
  sockets.add(socket)
  Atomics.add(counts, 2, 1)
  socket.on("error", () => undefined)
  socket.on("close", () => {
    sockets.delete(socket)
    if (sockets.size > 0) return
    Atomics.store(counts, 0, 1)
    Atomics.notify(counts, 0)
  })
  // Requests are short enough to come in one piece.
  socket.on("data", () => {
    Atomics.add(counts, 1, 1)
    socket.write("HTTP/1.1 204 No Content\r\n\r\n")
  })
})
server.listen(0, "127.0.0.1", () => parentPort?.postMessage((server.address() as AddressInfo).port, []))
parentPort?.on("message", () => {
  for (const socket of sockets) socket.resetAndDestroy()
})
