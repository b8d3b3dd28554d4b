import { spawn } from "node:child_process"
import { once } from "node:events"
import { connect, createServer, type AddressInfo, type Socket } from "node:net"
import { createGzip } from "node:zlib"

/** A hostile receiver; returns its URL, and ends on request. */
export interface Hostile {
  readonly url: string
  readonly close: () => Promise<void>
}

const hostile = async (onRequest: (socket: Socket) => void): Promise<Hostile> => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket))
    socket.once("data", () => onRequest(socket))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, "close")
    }
  }
}

const head = (...headers: ReadonlyArray<string>) => `HTTP/1.1 200 OK\r\n${headers.join("\r\n")}\r\n\r\n`

/** Writes as fast as the other side reads, until it hangs up. */
const pour = (socket: Socket, chunk: Buffer) => {
  const go = () => {
    let isOpen = !socket.destroyed
    while (isOpen) isOpen = socket.write(chunk) && !socket.destroyed
  }
  socket.on("drain", go)
  go()
}

const drip = (socket: Socket, text: string) => {
  const dripping = setInterval(() => socket.write(text), 1_000)
  socket.on("close", () => clearInterval(dripping))
}

const sixtyFour = 64 * 1024

/** The responses to a request, by the name of the receiver. */
export const hostilities: Readonly<Record<string, () => Promise<Hostile>>> = {
  "accepts and never responds": () => hostile(() => undefined),
  resets: () => hostile((socket) => socket.resetAndDestroy()),
  "drips a byte of its headers a second": () =>
    hostile((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nX-Drip: ")
      drip(socket, "x")
    }),
  "drips a byte of its body a second": () =>
    hostile((socket) => {
      socket.write(head("Content-Length: 1000000"))
      drip(socket, "x")
    }),
  "sends a body without an end": () =>
    hostile((socket) => {
      socket.write(head("Transfer-Encoding: chunked"))
      pour(socket, Buffer.from(`${sixtyFour.toString(16)}\r\n${"x".repeat(sixtyFour)}\r\n`))
    }),
  "sends a body of 1 GB": () =>
    hostile((socket) => {
      socket.write(head("Content-Length: 1073741824"))
      pour(socket, Buffer.alloc(sixtyFour, "x"))
    }),
  "sends a gzip bomb": () =>
    hostile((socket) => {
      socket.write(head("Content-Encoding: gzip", "Content-Type: application/json", "Connection: close"))
      const zeros = Buffer.alloc(1024 * 1024)
      const gzip = createGzip({ level: 9 })
      gzip.pipe(socket)
      const inflate = () => {
        let isOpen = !socket.destroyed
        while (isOpen) isOpen = gzip.write(zeros) && !socket.destroyed
      }
      gzip.on("drain", inflate)
      socket.on("close", () => gzip.destroy())
      inflate()
    }),
  "sends 10,000 headers": () =>
    hostile((socket) => socket.write(head(...Array(10_000).fill("X-Many: headers")))),
  "sends a header of 10 MB": () =>
    hostile((socket) => pour(socket, Buffer.from(`HTTP/1.1 200 OK\r\nX: ${"x".repeat(sixtyFour)}`))),
  "sends bad chunks": () =>
    hostile((socket) =>
      socket.write(`${head("Transfer-Encoding: chunked")}ffffffffffffffffff\r\nzzz\r\n-5\r\n`)
    ),
  "never accepts": async () => {
    // A process that listens and is then stopped: when its queue is full, the kernel accepts no connection.
    const listener = spawn(process.execPath, [
      "-e",
      "const s = require('net').createServer().listen(0, '127.0.0.1', 1, () => console.log(s.address().port))"
    ])
    const [said] = (await once(listener.stdout, "data")) as [Buffer]
    const port = Number(said.toString())
    listener.kill("SIGSTOP")
    const queue = Array.from({ length: 8 }, () => connect(port, "127.0.0.1").on("error", () => undefined))
    await once(queue[0] ?? listener, "connect")
    return {
      url: `http://127.0.0.1:${port}/`,
      close: async () => {
        for (const socket of queue) socket.destroy()
        listener.kill("SIGKILL")
        await once(listener, "close")
      }
    }
  }
}

/** A valid receiver. */
export const friendly = (): Promise<Hostile> => hostile((socket) => socket.end(head("Content-Length: 0")))
