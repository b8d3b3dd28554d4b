import { AddressPolicy } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as AddressGuard from "../../src/posting/AddressGuard.ts"

describe("only global unicast is allowed", () => {
  it.each([
    "1.1.1.1",
    "8.8.8.8",
    "100.63.255.255",
    "100.128.0.1",
    "172.15.0.1",
    "172.32.0.1",
    "192.0.1.1",
    "198.17.0.1",
    "223.255.255.254",
    "2606:4700:4700::1111",
    "2a00:1450:4001:81b::200e"
  ])("%s is allowed", (address) => {
    assert.isTrue(AddressGuard.isGlobalUnicast(address))
  })

  it.each([
    ["this network", "0.0.0.0"],
    ["this network", "0.1.2.3"],
    ["private", "10.0.0.1"],
    ["private", "172.16.0.1"],
    ["private", "172.31.255.255"],
    ["private", "192.168.1.1"],
    ["carrier NAT", "100.64.0.1"],
    ["carrier NAT", "100.100.100.200"],
    ["loopback", "127.0.0.1"],
    ["loopback", "127.255.255.254"],
    ["link local", "169.254.169.254"],
    ["protocol assignments", "192.0.0.192"],
    ["documentation", "192.0.2.1"],
    ["documentation", "198.51.100.1"],
    ["documentation", "203.0.113.1"],
    ["6to4 relay", "192.88.99.1"],
    ["AS112", "192.175.48.1"],
    ["benchmark", "198.18.0.1"],
    ["benchmark", "198.19.255.255"],
    ["multicast", "224.0.0.1"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["Azure's platform", "168.63.129.16"],
    ["unspecified", "::"],
    ["loopback", "::1"],
    ["v4-mapped", "::ffff:127.0.0.1"],
    ["v4-mapped, though public", "::ffff:8.8.8.8"],
    ["v4-compatible", "::8.8.8.8"],
    ["translated", "::ffff:0:8.8.8.8"],
    ["NAT64", "64:ff9b::7f00:1"],
    ["NAT64, local", "64:ff9b:1::1"],
    ["6to4", "2002:7f00:1::"],
    ["Teredo", "2001::1"],
    ["benchmark", "2001:2::1"],
    ["ORCHID", "2001:20::1"],
    ["documentation", "2001:db8::1"],
    ["documentation", "3fff::1"],
    ["discard", "100::1"],
    ["segment routing", "5f00::1"],
    ["unassigned", "4000::1"],
    ["unique local", "fd00:ec2::254"],
    ["unique local", "fc00::1"],
    ["link local", "fe80::1"],
    ["link local with a zone", "fe80::1%eth0"],
    ["public with a zone", "2606:4700:4700::1111%eth0"],
    ["site local", "fec0::1"],
    ["multicast", "ff02::1"],
    ["no address", "example.org"],
    ["no address", ""]
  ])("%s: %s is refused", (_, address) => {
    assert.isFalse(AddressGuard.isGlobalUnicast(address))
  })
})

describe("a receiver's URL", () => {
  it.each([
    "https://hooks.example.org/livery",
    "https://hooks.example.org:8443/livery?x=1",
    "https://8.8.8.8/hook",
    "https://[2606:4700:4700::1111]/hook"
  ])("%s may be called", (url) => {
    assert.isDefined(AddressGuard.checkUrl(url))
  })

  it.each([
    ["plain", "http://hooks.example.org/"],
    ["another scheme", "ftp://hooks.example.org/"],
    ["another scheme", "file:///etc/passwd"],
    ["a user", "https://user@hooks.example.org/"],
    ["a password", "https://:secret@hooks.example.org/"],
    ["no URL", "hooks.example.org"],
    ["no host", "https://"],
    ["no port", "https://hooks.example.org:0/"],
    ["a mail port", "https://hooks.example.org:25/"],
    ["a literal", "https://127.0.0.1/"],
    ["a decimal literal", "https://2130706433/"],
    ["an octal literal", "https://0177.0.0.1/"],
    ["a hexadecimal literal", "https://0x7f000001/"],
    ["a short literal", "https://127.1/"],
    ["a wide literal", "https://127.0.0.1/"],
    ["a literal with a final dot", "https://127.0.0.1./"],
    ["the metadata service", "https://169.254.169.254/latest/meta-data"],
    ["an IPv6 literal", "https://[::1]/"],
    ["a mapped literal", "https://[::ffff:10.0.0.1]/"],
    ["the machine itself", "https://localhost/"],
    ["the machine itself", "https://LOCALHOST./"],
    ["a name of the machine", "https://db.localhost/"],
    ["a name of the network", "https://metadata.google.internal/"],
    ["a bare name", "https://intranet/"]
  ])("with %s: %s is refused", (_, url) => {
    assert.isUndefined(AddressGuard.checkUrl(url))
  })

  it("in development may be plain and private, never with credentials", () => {
    const insecure = { allowInsecure: true }
    assert.isDefined(AddressGuard.checkUrl("http://127.0.0.1:4000/", insecure))
    assert.isDefined(AddressGuard.checkUrl("http://localhost:4000/", insecure))
    assert.isUndefined(AddressGuard.checkUrl("http://user:secret@127.0.0.1:4000/", insecure))
    assert.isUndefined(AddressGuard.checkUrl("ftp://127.0.0.1/", insecure))
  })

  it.effect("is refused by the domain's address policy already", () =>
    Effect.gen(function* () {
      const policy = yield* AddressPolicy
      assert.isFalse(policy.allows("https://10.0.0.1/"))
      assert.isTrue(policy.allows("https://hooks.example.org/"))
    }).pipe(Effect.provide(AddressGuard.layer()))
  )
})
