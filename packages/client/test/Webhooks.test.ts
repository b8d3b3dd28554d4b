import { assert, describe, it } from "vitest"
import { createHmac } from "node:crypto"
import { verifyWebhook, WebhookRefused } from "../src/index.ts"

const secret = "whsec_1"
const now = () => Math.floor(Date.now() / 1000)
const event = { id: "evt_1", type: "trip.created", created: 1, data: { trip_id: 7, customer_name: "Zoë" } }
const body = JSON.stringify(event)

const signed = (time: number, text = body, key = secret) =>
  createHmac("sha256", key).update(`${time}.${text}`).digest("hex")

const header = (time = now()) => `t=${time},v1=${signed(time)}`

const reasonOf = (call: Promise<unknown>) =>
  call.then(
    () => "accepted",
    (error: unknown) => (error instanceof WebhookRefused ? error.reason : String(error))
  )

describe("verifyWebhook", () => {
  it("returns the event of a body with a right signature, given as text or as bytes", async () => {
    for (const raw of [body, new TextEncoder().encode(body)]) {
      const verified = await verifyWebhook(header(), raw, secret)
      assert.deepStrictEqual<unknown>(verified, event)
      if (verified.type === "trip.created") assert.strictEqual(verified.data.trip_id, 7)
    }
  })

  it("accepts a header in which one of several signatures is right", async () => {
    const time = now()
    const value = `t=${time}, v1=${signed(time, body, "whsec_0")}, v1=${signed(time)}`
    assert.strictEqual(await reasonOf(verifyWebhook(value, body, secret)), "accepted")
  })

  it("refuses another body, another secret, another time, and a header that has no signature or two times", async () => {
    const time = now()
    const cases = [
      [header(), `${body} `, secret, "mismatch"],
      [header(), body, "whsec_2", "mismatch"],
      [`t=${time + 1},v1=${signed(time)}`, body, secret, "mismatch"],
      [`t=${time},v1=${signed(time).toUpperCase()}`, body, secret, "mismatch"],
      [header(time - 301), body, secret, "too_old"],
      [header(time + 330), body, secret, "too_old"],
      [`t=${time}`, body, secret, "malformed"],
      [`t=${time},t=${time},v1=${signed(time)}`, body, secret, "malformed"],
      [null, body, secret, "malformed"],
      ["", body, secret, "malformed"]
    ] as const
    for (const [value, raw, key, reason] of cases)
      assert.strictEqual(await reasonOf(verifyWebhook(value, raw, key)), reason, `${value} ${reason}`)
  })

  it("takes another tolerance, and no tolerance that is not a number", async () => {
    const old = header(now() - 3000)
    const within = (toleranceSeconds: number) =>
      reasonOf(verifyWebhook(old, body, secret, { toleranceSeconds }))
    assert.deepStrictEqual(
      [await within(4000), await within(Infinity), await within(Number.NaN)],
      ["accepted", "accepted", "too_old"]
    )
  })

  it("throws a RangeError for an empty secret, with which anyone could sign", async () => {
    const time = now()
    const forged = `t=${time},v1=${signed(time, body, "")}`
    assert.include(await reasonOf(verifyWebhook(forged, body, "")), "RangeError")
  })
})
