/** The contract of `EndpointRepository`. */
import {
  type BusinessId,
  EndpointRepository,
  maxEndpointsPerBusiness,
  maxRetiredSecrets
} from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Exit, Option } from "effect"
import { atOnce, contract } from "./Contract.ts"
import { newBusiness, wholeList } from "./Given.ts"

const given = {
  url: "https://example.org/hook",
  events: ["trip.created" as const],
  sealedSecret: "sealed"
}

const newEndpoint = Effect.fnUntraced(function* (businessId: BusinessId) {
  const endpoints = yield* EndpointRepository
  return yield* endpoints.insert(businessId, given)
})

export const endpointRepository = contract("a webhook endpoint", (it) => {
  it.effect("is enabled at first, and changes in its own business alone", () =>
    Effect.gen(function* () {
      const endpoints = yield* EndpointRepository
      const [business, other] = [yield* newBusiness, yield* newBusiness]
      const endpoint = yield* newEndpoint(business)
      const { endpoint_id } = endpoint
      const { sealedSecret: _secret, ...fields } = given
      assert.deepInclude(endpoint, { ...fields, business_id: business, status: "enabled" })
      for (const read of [endpoints.find, endpoints.lock]) {
        assert.deepStrictEqual(yield* read(business, endpoint_id), Option.some(endpoint))
        assert.deepStrictEqual(yield* read(other, endpoint_id), Option.none())
      }
      const change = {
        url: "https://example.org/other",
        events: ["trip.updated" as const, "trip.cancelled" as const],
        status: "disabled" as const
      }
      assert.isTrue(Exit.hasDies(yield* Effect.exit(endpoints.update(other, endpoint_id, change))))
      const changed = yield* endpoints.update(business, endpoint_id, change)
      assert.deepInclude(changed, { ...change, created_at: endpoint.created_at })
      assert.deepStrictEqual(yield* endpoints.find(business, endpoint_id), Option.some(changed))
    })
  )

  it.effect("is listed, the oldest first, until it is removed", () =>
    Effect.gen(function* () {
      const endpoints = yield* EndpointRepository
      const business = yield* newBusiness
      yield* newEndpoint(yield* newBusiness)
      const [first, second, third] = [
        yield* newEndpoint(business),
        yield* newEndpoint(business),
        yield* newEndpoint(business)
      ]
      yield* endpoints.remove(business, second.endpoint_id)
      yield* endpoints.remove(yield* newBusiness, first.endpoint_id)
      assert.deepStrictEqual(yield* endpoints.list(business, wholeList), {
        items: [first, third],
        total: 2,
        hasMore: false
      })
      assert.deepStrictEqual(yield* endpoints.list(business, { page: 1, perPage: 1 }), {
        items: [first],
        total: 2,
        hasMore: true
      })
      assert.deepStrictEqual(yield* endpoints.find(business, second.endpoint_id), Option.none())
    })
  )

  it.effect("is refused beyond the limit, also under concurrent inserts", () =>
    Effect.gen(function* () {
      const endpoints = yield* EndpointRepository
      const business = yield* newBusiness
      const exits = yield* atOnce(maxEndpointsPerBusiness + 2, () => Effect.exit(newEndpoint(business)))
      const stored = exits.filter(Exit.isSuccess)
      assert.lengthOf(stored, maxEndpointsPerBusiness)
      assert.isFalse(exits.some(Exit.hasDies))
      const [first] = stored
      if (first !== undefined) yield* endpoints.remove(business, first.value.endpoint_id)
      assert.isTrue(Exit.isSuccess(yield* Effect.exit(newEndpoint(business))))
    })
  )

  it.effect("gets a new secret, while not too many former ones still sign", () =>
    Effect.gen(function* () {
      const endpoints = yield* EndpointRepository
      const business = yield* newBusiness
      const { endpoint_id } = yield* newEndpoint(business)
      const replace = (sealed: string) => endpoints.replaceSecret(business, endpoint_id, sealed)
      assert.deepStrictEqual(
        yield* endpoints.replaceSecret(yield* newBusiness, endpoint_id, "x"),
        Option.none()
      )
      for (let count = 1; count <= maxRetiredSecrets; count++)
        assert.isTrue(Option.isSome(yield* replace(`sealed ${count}`)))
      assert.deepStrictEqual(yield* replace("one more"), Option.none())
    })
  )
})
