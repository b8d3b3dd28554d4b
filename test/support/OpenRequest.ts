import { connect } from "node:net"
import { vi } from "vitest"

/** A request whose body is not complete yet. */
export interface OpenRequest {
  /** Sends the rest of the body, and returns the whole response once the server has closed the connection. */
  readonly finish: () => Promise<string>
}

/** Starts a POST of JSON and withholds its last byte. */
export const openPost = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: unknown
): Promise<OpenRequest> => {
  const { host, hostname, pathname, port } = new URL(url)
  const text = JSON.stringify(body)
  const socket = connect({ host: hostname, port: Number(port) })
  let received = ""
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    received += chunk
  })
  const closed = new Promise<string>((resolve, reject) => {
    socket.on("close", () => resolve(received)).on("error", reject)
  })
  const head = Object.entries({
    Host: host,
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(text)),
    Expect: "100-continue",
    Connection: "close",
    ...headers
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST ${pathname} HTTP/1.1\r\n${head.join("")}\r\n`)
  // With this response, the server has received the head of the request and waits for its body.
  await vi.waitUntil(() => received.startsWith("HTTP/1.1 100 "), { timeout: 60_000, interval: 2 })
  socket.write(text.slice(0, -1))
  return {
    finish: () => {
      socket.write(text.slice(-1))
      return closed
    }
  }
}

/** Waits until an address refuses connections. */
export const untilRefused = async (address: string): Promise<void> => {
  const { hostname, port } = new URL(address)
  await vi.waitUntil(
    () =>
      new Promise<boolean>((resolve) => {
        const socket = connect({ host: hostname, port: Number(port) })
          .on("connect", () => {
            socket.destroy()
            resolve(false)
          })
          .on("error", () => resolve(true))
      }),
    { timeout: 60_000, interval: 5 }
  )
}
