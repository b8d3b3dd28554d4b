import type { CreatedEndpointRecord, EndpointRecord } from "@livery/domain"
import { verify } from "@livery/domain/verify"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { type Account, signUp, trip } from "./support/Account.ts"
import { bearer, clientOf } from "./support/Client.ts"
import { query } from "./support/DatabaseRows.ts"
import { type Installation, installation } from "./support/Installation.ts"
import { receiver, type Receiver } from "./support/Receiver.ts"
import type { Server } from "./support/Server.ts"

const before = { LIVERY_SECRET: "the secret of the first years, 32 characters" }
const after = { LIVERY_SECRET: "the secret of the years after, 32 characters" }
const both = { ...after, LIVERY_SECRET_PREVIOUS: before.LIVERY_SECRET }

describe("LIVERY_SECRET is rotated", () => {
  let place: Installation
  let hooks: Receiver
  beforeEach(async () => {
    place = await installation({ settings: before })
    hooks = await receiver()
  })
  afterEach(async () => {
    await hooks.close()
    await place.remove()
  })

  const statusOfToken = async (server: Server, { accessToken }: Account) =>
    (await clientOf(server.api, bearer(accessToken)).get("/me")).status

  /** Books a trip and checks the signatures of its webhook under all secrets of the endpoint. */
  const assertSigned = async (server: Server, account: Account, secrets: ReadonlyArray<string>) => {
    const earlier = hooks.notices.length
    const { status, text } = await account.through(server).post("/trips", trip())
    assert.strictEqual(status, 201, text)
    const { headers, raw } = await hooks.notice((notice) => hooks.notices.indexOf(notice) >= earlier)
    for (const secret of secrets) await verify(String(headers["x-service-signature"]), raw, secret)
  }

  const subscribe = async (account: Account) => {
    const made = await account.client.post<CreatedEndpointRecord>("/webhooks", {
      url: hooks.url,
      events: ["trip.created"]
    })
    assert.strictEqual(made.status, 201, made.text)
    const { endpoint_id, secret } = made.body.data
    const rotated = await account.client.post<CreatedEndpointRecord>(`/webhooks/${endpoint_id}/rotate-secret`)
    assert.strictEqual(rotated.status, 200, rotated.text)
    return [secret, rotated.body.data.secret]
  }

  it("under both secrets everything works; after `livery secrets reseal`, the new one suffices", async () => {
    const first = await place.serve()
    const account = await signUp(place, first)
    const secrets = await subscribe(account)
    await assertSigned(first, account, secrets)
    await first.stop()

    const refused = await place.run(["serve"], { settings: after })
    assert.strictEqual(refused.code, 2, refused.stdout)
    assert.match(refused.stderr, /^LIVERY_SECRET is not the secret that the data was sealed with/u)

    const second = await place.serve([], both)
    assert.strictEqual(await statusOfToken(second, account), 200)
    await assertSigned(second, account, secrets)
    const resealed = await place.run(["secrets", "reseal", "--json"], { settings: both })
    assert.strictEqual(resealed.code, 0, resealed.stderr)
    assert.deepStrictEqual(JSON.parse(resealed.stdout), { resealed: 1, unreadable: [] })
    await assertSigned(second, account, secrets)
    await second.stop()

    const third = await place.serve([], after)
    assert.strictEqual(await statusOfToken(third, account), 401)
    await assertSigned(third, account, secrets)
    const again = await place.command(["secrets", "reseal"], { settings: after })
    assert.strictEqual(again.stdout, "The secrets of 1 webhook endpoint are encrypted under LIVERY_SECRET\n")
  })

  it("`livery secrets reseal` names the endpoints whose secret it cannot decrypt, and reseals the others", async () => {
    const server = await place.serve()
    const account = await signUp(place, server)
    await subscribe(account)
    await subscribe(account)
    const listed = await account.client.get<ReadonlyArray<EndpointRecord>>("/webhooks")
    const id = Math.max(...listed.body.data.map(({ endpoint_id }) => endpoint_id))
    await query(place, `UPDATE webhook_endpoints SET sealed_secret = 'v1.AAAA' WHERE endpoint_id = ${id}`)
    const { code, stderr, stdout } = await place.command(["secrets", "reseal", "--json"], { settings: both })
    assert.strictEqual(code, 1)
    assert.deepStrictEqual(JSON.parse(stdout), {
      resealed: 1,
      unreadable: [{ business_id: account.businessId, endpoint_id: id }]
    })
    assert.match(stderr, new RegExp(`^conflict: .*: ${id} \\(business ${account.businessId}\\)\n$`, "u"))
  })
})
