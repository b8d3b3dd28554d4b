/**
 * Compares the receivers' `verify` with those of Stripe, Svix and Standard Webhooks, each with its own scheme, in turns:
 *
 *     npm ci --prefix bench/webhooks && npx node --conditions=@livery/source bench/webhooks/Verifying.ts [rounds]
 *
 * The figures are processor time for each call, the least of all rounds. A ratio above 1 means that Livery takes less.
 */
import { makeVerify, verify, webCryptoHmac } from "@livery/domain"
import { createHmac } from "node:crypto"
import { Stripe } from "stripe"

interface Verifier {
  readonly sign: (id: string, at: Date, body: string) => string
  readonly verify: (body: string, headers: Readonly<Record<string, string>>) => unknown
}
interface VerifierModule {
  readonly Webhook: new (secret: string) => Verifier
}

// By names that the compiler does not resolve: they are installed for the benchmark alone.
const moduleOf = async (name: string) => (await import(name)) as VerifierModule
const { Webhook: Svix } = await moduleOf("svix")
const { Webhook: StandardWebhooks } = await moduleOf("standardwebhooks")

const rounds = Number(process.argv[2] ?? 20)
const callsARound = 3_000

const secret = `whsec_${Buffer.from("0123456789abcdef01234567").toString("base64")}`
const stripe = new Stripe("sk_test_unused")
const web = Stripe.createSubtleCryptoProvider()
const byWebCrypto = makeVerify(webCryptoHmac)
const [svix, standard] = [new Svix(secret), new StandardWebhooks(secret)]

/** Processor time of one call, in microseconds. */
const costOf = async (call: () => unknown) => {
  const before = process.cpuUsage()
  for (let count = 0; count < callsARound; count++) await call()
  const { system, user } = process.cpuUsage(before)
  return (user + system) / callsARound
}

const compare = async (length: number) => {
  const event = {
    id: "evt_1",
    type: "trip.created",
    created: 1,
    data: { note: "" },
    meta: { business_id: 1 }
  }
  const room = length - JSON.stringify(event).length
  const body = JSON.stringify({ ...event, data: { note: "x".repeat(room) } })
  const now = new Date()
  const time = Math.floor(now.getTime() / 1_000)
  const header = `t=${time},v1=${createHmac("sha256", secret).update(`${time}.${body}`).digest("hex")}`
  const headersOf = (kind: string, by: Verifier) => ({
    [`${kind}-id`]: "msg_1",
    [`${kind}-timestamp`]: String(time),
    [`${kind}-signature`]: by.sign("msg_1", new Date(time * 1_000), body)
  })
  const svixHeaders = headersOf("svix", svix)
  const standardHeaders = headersOf("webhook", standard)
  const calls = {
    livery: () => verify(header, body, secret),
    "livery without node:crypto": () => byWebCrypto(header, body, secret),
    stripe: () => stripe.webhooks.constructEvent(body, header, secret),
    "stripe without node:crypto": () =>
      stripe.webhooks.constructEventAsync(body, header, secret, undefined, web),
    svix: () => svix.verify(body, svixHeaders),
    standardwebhooks: () => standard.verify(body, standardHeaders)
  }
  const costs = new Map<string, number>()
  for (let round = 0; round < rounds; round++)
    for (const [name, call] of Object.entries(calls))
      costs.set(name, Math.min(costs.get(name) ?? Infinity, await costOf(call)))
  const cost = (name: keyof typeof calls) => costs.get(name) ?? Number.NaN
  const line = (one: keyof typeof calls, other: keyof typeof calls) =>
    process.stdout.write(
      `${body.length} B  ${one} ${cost(one).toFixed(1)} µs  ${other} ${cost(other).toFixed(1)} µs  ratio ${(cost(other) / cost(one)).toFixed(2)}\n`
    )
  for (const other of ["stripe", "svix", "standardwebhooks"] as const) line("livery", other)
  for (const other of ["stripe without node:crypto", "svix", "standardwebhooks"] as const)
    line("livery without node:crypto", other)
}

for (const length of [300, 1_000, 4_000]) await compare(length)
