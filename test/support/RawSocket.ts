import { connect } from "node:net"

/**
 * Writes bytes to a server as they are, and gives all that comes back until the server closes. Our side is closed once an
 * answer has begun: a server may take an earlier close for a client that went away, and answer nothing.
 */
export const rawExchange = (address: string, bytes: string): Promise<string> => {
  const { hostname, port } = new URL(address)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) })
    let received = ""
    socket
      .setEncoding("utf8")
      .setTimeout(10_000, () => socket.destroy(new Error(`No end to the answer: ${received}`)))
      .on("data", (text: string) => {
        received += text
        socket.end()
      })
      .on("error", reject)
      .on("close", () => resolve(received))
      .write(bytes, "latin1")
  })
}
