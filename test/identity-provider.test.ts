import type { BusinessRecord, ProviderSignInResult } from "@livery/domain"
import { Effect, Exit, Scope } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { bearer, clientOf } from "./support/Client.ts"
import { clientId, type IdentityProvider, identityProvider } from "./support/IdentityProvider.ts"
import { type Installation, installation } from "./support/Installation.ts"
import type { Server } from "./support/Server.ts"

describe("an installation with an identity provider", () => {
  const scope = Scope.makeUnsafe()
  let provider: IdentityProvider
  let place: Installation
  let server: Server
  beforeAll(async () => {
    provider = await Effect.runPromise(Scope.provide(scope)(identityProvider))
    place = await installation({ settings: { OIDC_ISSUERS: `${provider.issuer};${clientId}` } })
    server = await place.serve()
  })
  afterAll(async () => {
    await place.remove()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const signIn = async (claims: Readonly<Record<string, unknown>>) => {
    const id_token = await Effect.runPromise(provider.token(claims))
    return clientOf(server.api).post<ProviderSignInResult>("/auth/idp", { id_token, device_name: "Phone" })
  }

  it("signs in a new user, who creates a business and acts for it", async () => {
    const claims = { sub: "ada", email: "ada@cars.example", email_verified: true, name: "Ada Lovelace" }
    const answer = await signIn(claims)
    assert.strictEqual(answer.status, 200, answer.text)
    const { access_token, needs_business_setup } = answer.body.data
    assert.isTrue(needs_business_setup)
    const client = clientOf(server.api, bearer(access_token))
    const founded = await client.post<BusinessRecord>("/me/businesses", { business_name: "Lovelace Cars" })
    assert.strictEqual(founded.status, 201, founded.text)
    const acting = await client.get<BusinessRecord>("/business")
    assert.deepStrictEqual(acting.body.data, founded.body.data)
    assert.isFalse((await signIn(claims)).body.data.needs_business_setup)
  })

  it("refuses a user whose email the provider has not verified", async () => {
    const claims = { sub: "eve", email: "eve@cars.example", email_verified: true }
    for (const wrong of [{ aud: "somebody-else" }, { exp: 1 }, { email_verified: false }]) {
      const answer = await signIn({ ...claims, ...wrong })
      assert.deepStrictEqual([answer.status, answer.body.error?.type], [401, "unauthorized"], answer.text)
    }
  })
})
