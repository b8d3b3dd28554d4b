/** A line to a server that can be cut, as in a tunnel: connections break, and new ones fail. */
import { connect, createServer, type Socket } from "node:net"
import type { AddressInfo } from "node:net"

/** What passes: everything, nothing, or requests whose responses are lost. */
type Line = "open" | "cut" | "deaf"

/** The line, and the address of its near end. */
export interface Tunnel {
  readonly address: string
  readonly set: (line: Line) => void
  readonly close: () => Promise<void>
}

/** Makes a line to the server at an address of this machine. */
export const tunnelTo = async (address: string): Promise<Tunnel> => {
  const { hostname, port } = new URL(address)
  let line: Line = "open"
  const sockets = new Set<Socket>()
  const entrance = createServer((near) => {
    if (line === "cut") return near.destroy()
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on("error", () => socket.destroy())
    }
    near.on("data", (bytes) => far.write(bytes))
    far.on("data", (bytes) => (line === "open" ? near.write(bytes) : near.destroy()))
    near.on("close", () => setTimeout(() => far.destroy(), 500))
    far.on("close", () => near.destroy())
    return near
  })
  await new Promise<void>((resolve) => entrance.listen(0, "127.0.0.1", resolve))
  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  return {
    address: `http://127.0.0.1:${(entrance.address() as AddressInfo).port}`,
    set: (next) => {
      line = next
      if (line === "cut") breakAll()
    },
    close: async () => {
      breakAll()
      await new Promise((resolve) => entrance.close(resolve))
    }
  }
}
