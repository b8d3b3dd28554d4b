import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import {
  behindProxies,
  clientAddress,
  limitKeyOf,
  TrustedProxies
} from "../../src/http/request/ClientAddress.ts"

const Group = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0xffff }))
const Groups = Schema.Array(Group).check(Schema.isBetweenLength(8, 8))
const Octets = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))).check(
  Schema.isBetweenLength(4, 4)
)
const Zeros = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 7 }))
const Port = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 }))

const hexadecimal = (group: number) => group.toString(16)

/** The notations of one address: in full, with leading zeros, in capitals, with its zeros omitted. */
const spellings = (groups: ReadonlyArray<number>) => {
  const full = groups.map(hexadecimal).join(":")
  const padded = groups.map((group) => hexadecimal(group).padStart(4, "0")).join(":")
  const shortened = new URL(`http://[${full}]/`).hostname.slice(1, -1)
  return [full, padded, shortened, full.toUpperCase()]
}

/** The same address as proxies may forward it. */
const handedOn = (address: string, port: number) => [
  address,
  `[${address}]`,
  `[${address}]:${port}`,
  `${address}%eth0`,
  `[${address}%eth0]:${port}`
]

describe("an IPv6 address", () => {
  it.prop(
    "is limited as its /64, in any notation and with any port",
    [Groups, Zeros, Zeros, Port],
    ([given, from, length, port]) => {
      // Every second address has a run of zeros, as real ones do.
      const groups = given.map((group, index) => (index >= from && index < from + length ? 0 : group))
      // These are IPv4 addresses.
      if (groups.slice(0, 5).every((group) => group === 0)) return
      const network = `${groups.slice(0, 4).map(hexadecimal).join(":")}::/64`
      for (const spelling of spellings(groups))
        for (const hop of handedOn(spelling, port)) assert.strictEqual(limitKeyOf(hop), network, hop)
    }
  )

  it.prop("that is an IPv4 address is limited as that one", [Octets, Port], ([octets, port]) => {
    const [a = 0, b = 0, c = 0, d = 0] = octets
    const dotted = octets.join(".")
    const mapped = [
      ...spellings([0, 0, 0, 0, 0, 0xffff, a * 256 + b, c * 256 + d]),
      `::ffff:${dotted}`,
      `::FFFF:${dotted}`,
      `0:0:0:0:0:ffff:${dotted}`
    ]
    for (const spelling of mapped)
      for (const hop of handedOn(spelling, port)) assert.strictEqual(limitKeyOf(hop), dotted, hop)
    for (const hop of [dotted, `${dotted}:${port}`]) assert.strictEqual(limitKeyOf(hop), dotted, hop)
  })
})

describe("the client behind trusted proxies", () => {
  it("is the entry as many from the right as there are proxies, and the peer without proxies", () => {
    const forwarded = "198.51.100.1, [2001:db8::1:6:7:8]:443 ,192.0.2.9"
    assert.strictEqual(behindProxies("192.0.2.1", forwarded, 0), "192.0.2.1")
    assert.strictEqual(behindProxies("192.0.2.1", undefined, 1), "192.0.2.1")
    assert.strictEqual(behindProxies("192.0.2.1", forwarded, 1), "192.0.2.9")
    assert.strictEqual(limitKeyOf(behindProxies("192.0.2.1", forwarded, 2)), "2001:db8:0:0::/64")
    assert.strictEqual(limitKeyOf(behindProxies("192.0.2.1", "Unknown", 1)), "unknown")
  })

  it("is the first entry if there are fewer than proxies, and the peer if the entry is empty or no address can be that long", () => {
    assert.strictEqual(behindProxies("192.0.2.1", "198.51.100.1, 192.0.2.9", 3), "198.51.100.1")
    for (const forwarded of ["", "198.51.100.1, ", "f".repeat(101), `198.51.100.1, ${"x".repeat(8000)}`])
      assert.strictEqual(behindProxies("192.0.2.1", forwarded, 1), "192.0.2.1")
  })

  it.effect("is recorded as the whole address, without a port, brackets or a zone", () =>
    Effect.gen(function* () {
      const addressOf = (forwarded: string, trusted: number) =>
        clientAddress(
          HttpServerRequest.fromWeb(
            new Request("http://localhost/", { headers: { "x-forwarded-for": forwarded } })
          ).modify({ remoteAddress: Option.some("192.0.2.1") })
        ).pipe(Effect.provideService(TrustedProxies, trusted))
      assert.strictEqual(yield* addressOf("2001:db8::1", 0), "192.0.2.1")
      for (const forwarded of [
        "2001:db8::1",
        "[2001:db8::1]:443",
        "2001:db8::1%eth0",
        "10.0.0.1, 2001:db8::1"
      ])
        assert.strictEqual(yield* addressOf(forwarded, 1), "2001:db8::1")
      assert.strictEqual(yield* addressOf("198.51.100.1:4711", 1), "198.51.100.1")
    })
  )
})
