import { createHook } from "node:async_hooks"
import { once } from "node:events"
import { createServer, type AddressInfo } from "node:net"
import { Effect } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type SenderOptions, WebhookSender } from "../../../src/posting/WebhookSender.ts"
import { receiver } from "../../support/LoopbackServers.ts"
import { send } from "../../support/Send.ts"
import { nameServer } from "./NameServer.ts"

/** Every kind of address outside of the public internet, each with its other notations. */
const forbidden: Readonly<Record<string, ReadonlyArray<string>>> = {
  loopback: ["127.0.0.1", "127.255.255.254", "::1"],
  unspecified: ["0.0.0.0", "::"],
  private: ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.0.1"],
  "unique local": ["fc00::1", "fd00:ec2::254"],
  "link-local": ["169.254.0.1", "fe80::1"],
  metadata: ["169.254.169.254", "168.63.129.16", "100.100.100.200", "192.0.0.192"],
  "carrier NAT": ["100.64.0.1", "100.127.255.255"],
  "v4-mapped": ["::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:10.0.0.1"],
  "v4-compatible": ["::127.0.0.1"],
  NAT64: ["64:ff9b::7f00:1", "64:ff9b:1::7f00:1"],
  "6to4": ["2002:7f00:1::", "2002:0a00:0001::1"],
  Teredo: ["2001:0:7f00:1::1", "2001::80ff:fffe"],
  documentation: ["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1"],
  benchmark: ["198.18.0.1"],
  multicast: ["224.0.0.1", "ff02::1"],
  "reserved or broadcast": ["240.0.0.1", "255.255.255.255", "100::1", "fec0::1", "4000::1"]
}

/** More notations of an address in a URL. All are parsed as addresses in 127.0.0.0/8. */
const disguised = [
  "2130706433",
  "0x7f000001",
  "0177.0.0.1",
  "127.1",
  "127.0.0.1.",
  "0",
  "①②⑦.⓪.⓪.①",
  "%31%32%37.0.0.1"
]

// An address of the 6bone, which was returned in 2006 and is not routed, but which the address tables class as
// unicast.
const nowhere = "3ffe::1"

const refused = { responseStatus: null, acknowledged: false, error: "address not allowed", retryAfter: 0 }

describe("no connection is attempted to an address outside of global unicast", () => {
  /** Counts every TCP connection that this process starts. */
  let begun = 0
  const dials = createHook({
    init: (_id, type) => {
      if (type === "TCPCONNECTWRAP") begun += 1
    }
  })
  let reached = 0
  const canary = createServer((socket) => {
    reached += 1
    socket.on("error", () => undefined).destroy()
  })
  let port = 0
  beforeAll(async () => {
    canary.listen(0, "::")
    await once(canary, "listening").catch(async () => {
      canary.listen(0, "127.0.0.1")
      await once(canary, "listening")
    })
    port = (canary.address() as AddressInfo).port
    dials.enable()
  })
  afterAll(() => {
    dials.disable()
    canary.close()
  })

  const post = (url: string, options: SenderOptions = {}) =>
    Effect.runPromise(
      send({ url, headers: {}, body: "{}" }).pipe(
        Effect.provide(
          WebhookSender.layer({ connectTimeout: "20 seconds", timeout: "25 seconds", ...options })
        )
      )
    )
  const hostOf = (address: string) => (address.includes(":") ? `[${address}]` : address)

  it("the canary can be reached, and connections are counted", async () => {
    const before = begun
    await post(`http://127.0.0.1:${port}/`, { allowInsecure: true })
    assert.strictEqual(reached, 1)
    assert.strictEqual(begun, before + 1)
  })

  it.for(Object.entries(forbidden))("%s, by literal", async ([, addresses]) => {
    const before = [begun, reached]
    for (const address of addresses)
      assert.deepStrictEqual(await post(`https://${hostOf(address)}:${port}/`), refused, address)
    assert.deepStrictEqual([begun, reached], before)
  })

  it.for(disguised)("disguised as %s", async (host) => {
    const before = [begun, reached]
    assert.deepStrictEqual(await post(`https://${host}:${port}/`), refused)
    assert.deepStrictEqual([begun, reached], before)
  })

  it.for(Object.entries(forbidden))("%s, by name", async ([, addresses]) => {
    const before = [begun, reached]
    for (const address of addresses) {
      const names = await nameServer(() => [address])
      // Also if the answer has a public address before or after it.
      const mixed = await nameServer(() => ["8.8.8.8", address, "2606:4700:4700::1111"])
      for (const { resolve } of [names, mixed])
        assert.deepStrictEqual(
          await post(`https://hooks.example.org:${port}/`, { resolve }),
          refused,
          address
        )
      assert.isAbove(names.asked(), 0)
      names.close()
      mixed.close()
    }
    assert.deepStrictEqual([begun, reached], before)
  })

  it("by a name whose address changes between two queries", async () => {
    let questions = 0
    const names = await nameServer(() => {
      questions += 1
      // Each resolution queries both address families.
      return questions <= 2 ? [nowhere] : ["127.0.0.1", "::1"]
    })
    const before = reached
    // Ends by the timeout of its connection, or at once where the machine has no IPv6.
    const first = await post(`https://rebound.example.org:${port}/`, {
      resolve: names.resolve,
      connectTimeout: "2 seconds"
    })
    assert.strictEqual(first.error, "connection failed", "the checked address was connected to, and no other")
    assert.strictEqual(names.asked(), 1, "the name was resolved once")
    const dialled = begun
    assert.deepStrictEqual(
      await post(`https://rebound.example.org:${port}/`, { resolve: names.resolve }),
      refused
    )
    assert.deepStrictEqual([begun, reached], [dialled, before])
    names.close()
  })

  it.for([301, 302, 303, 307, 308])("by a redirect with %i", async (status) => {
    const before = reached
    const outcome = await Effect.runPromise(
      Effect.gen(function* () {
        const { url } = yield* receiver(status, { Location: `http://127.0.0.1:${port}/` })
        return yield* Effect.promise(() => post(url, { allowInsecure: true }))
      }).pipe(Effect.scoped)
    )
    assert.strictEqual(outcome.error, `http ${status}`)
    assert.strictEqual(reached, before)
  })

  it("by a proxy that the environment names", async () => {
    const variables = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"]
    const former = variables.map((name) => process.env[name])
    for (const name of variables) process.env[name] = `http://127.0.0.1:${port}`
    const before = reached
    const names = await nameServer(() => [nowhere])
    await post("https://hooks.example.org/", { resolve: names.resolve, connectTimeout: "300 millis" })
    await post("http://127.0.0.1:9/", { allowInsecure: true })
    assert.strictEqual(reached, before)
    names.close()
    for (const [index, name] of variables.entries())
      if (former[index] === undefined) delete process.env[name]
      else process.env[name] = former[index]
  })

  it("open and closed ports give the same error", async () => {
    const closed = createServer().listen(0, "127.0.0.1")
    await once(closed, "listening")
    const closedPort = (closed.address() as AddressInfo).port
    closed.close()
    const names = await nameServer(() => ["127.0.0.1"])
    for (const host of ["127.0.0.1", "hooks.example.org"])
      for (const at of [port, closedPort])
        assert.deepStrictEqual(await post(`https://${host}:${at}/`, { resolve: names.resolve }), refused)
    names.close()
  })
})
