/** The contract of `DeviceRepository`. */
import { maxDevicesPerUser, DeviceRepository } from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { contract, unique } from "./Contract.ts"
import { newUser, now } from "./Given.ts"

const device = (device_token = unique("token")) => ({
  platform: "ios" as const,
  device_token,
  device_name: "Ada's phone"
})

export const deviceRepository = contract("a device", (it) => {
  it.effect("is listed, the one registered last first, until its user removes it", () =>
    Effect.gen(function* () {
      const devices = yield* DeviceRepository
      const [user, other] = [yield* newUser, yield* newUser]
      const [first, second] = [device(), device()]
      yield* devices.put(user, first, now)
      yield* devices.put(user, second, DateTime.add(now, { seconds: 1 }))
      assert.deepStrictEqual(yield* devices.list(user), [second, first])
      yield* devices.put(user, first, DateTime.add(now, { seconds: 2 }))
      assert.deepStrictEqual(yield* devices.list(user), [first, second])
      assert.isFalse(yield* devices.remove(other, first.device_token))
      assert.isTrue(yield* devices.remove(user, first.device_token))
      assert.isFalse(yield* devices.remove(user, first.device_token))
      assert.deepStrictEqual(yield* devices.list(user), [second])
    })
  )

  it.effect("belongs to the user who registered it last", () =>
    Effect.gen(function* () {
      const devices = yield* DeviceRepository
      const [user, other] = [yield* newUser, yield* newUser]
      const phone = device()
      yield* devices.put(user, phone, now)
      yield* devices.put(other, { ...phone, device_name: null }, now)
      assert.deepStrictEqual(yield* devices.list(user), [])
      assert.deepStrictEqual(yield* devices.list(other), [{ ...phone, device_name: null }])
    })
  )

  it.effect("replaces the user's oldest one beyond the limit", () =>
    Effect.gen(function* () {
      const devices = yield* DeviceRepository
      const user = yield* newUser
      const phones = Array.from({ length: maxDevicesPerUser + 1 }, () => device())
      for (const [second, phone] of phones.entries())
        yield* devices.put(user, phone, DateTime.add(now, { seconds: second }))
      assert.deepStrictEqual(yield* devices.list(user), phones.slice(1).toReversed())
    })
  )
})
