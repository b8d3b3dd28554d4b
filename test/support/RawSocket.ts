import { connect } from "node:net"

/**
 * Writes raw bytes to a server and returns all bytes of its response. This side closes when the response begins: a server
 * may take an earlier close for a client that has disconnected, and respond with nothing.
 */
export const rawExchange = (address: string, bytes: string): Promise<string> => {
  const { hostname, port } = new URL(address)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) })
    let received = ""
    socket
      .setEncoding("utf8")
      .setTimeout(10_000, () => socket.destroy(new Error(`The response did not end: ${received}`)))
      .on("data", (text: string) => {
        received += text
        socket.end()
      })
      .on("error", reject)
      .on("close", () => resolve(received))
      .write(bytes, "latin1")
  })
}
