import { Resolver } from "node:dns/promises"
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { isIPv4 } from "node:net"
import ipaddr from "ipaddr.js"
import type { Resolve } from "../../../src/posting/GuardedConnector.ts"

/** Name and type of the one question of a query. */
const questionOf = (query: Buffer) => {
  const labels: Array<string> = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

const typeA = 1
const typeAaaa = 28

const answerTo = (query: Buffer, addressesOf: (name: string) => ReadonlyArray<string>) => {
  const { end, name, type } = questionOf(query)
  const wanted = addressesOf(name).filter((address) => type === (isIPv4(address) ? typeA : typeAaaa))
  const head = Buffer.from(query.subarray(0, 12))
  // An authoritative answer without error; the counts of its parts.
  head.writeUInt16BE(0x85_80, 2)
  head.writeUInt16BE(wanted.length, 6)
  head.writeUInt32BE(0, 8)
  const records = wanted.map((address) => {
    const bytes = Buffer.from(ipaddr.parse(address).toByteArray())
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc0_0c, 0)
    record.writeUInt16BE(type, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt16BE(bytes.length, 10)
    return Buffer.concat([record, bytes])
  })
  return Buffer.concat([head, query.subarray(12, end), ...records])
}

/** A name server on loopback, whose answers may not be cached. `resolve` queries this server only. */
export const nameServer = async (
  addressesOf: (name: string) => ReadonlyArray<string>
): Promise<{ readonly resolve: Resolve; readonly asked: () => number; readonly close: () => void }> => {
  const socket = createSocket("udp4")
  let asked = 0
  socket.on("message", (query, { address, port }) => {
    const { type } = questionOf(query)
    if (type === typeA) asked += 1
    socket.send(answerTo(query, addressesOf), port, address)
  })
  socket.bind(0, "127.0.0.1")
  await once(socket, "listening")
  const resolver = new Resolver({ timeout: 15_000, tries: 1 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return {
    resolve: async (name) => {
      const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
      return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []))
    },
    asked: () => asked,
    close: () => socket.close()
  }
}
