/** Ports for programs that cannot tell which one the system gave them, or that start again on the same one. */
import { createServer } from "node:net"

/** Whether no program has the port of the loopback. */
export const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer()
      .on("error", () => resolve(false))
      .listen(port, "127.0.0.1", () => server.close(() => resolve(true)))
  })

/** A free port below those that the system gives to connections, so that it stays free while its server restarts. */
export const fixedPort = async (): Promise<number> => {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = 15_000 + Math.floor(Math.random() * 15_000)
    if (await isFree(port)) return port
  }
  throw new Error("No port is free")
}
