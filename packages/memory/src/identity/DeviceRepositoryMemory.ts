import { maxDevicesPerUser, DeviceRecord, DeviceRepository, type UserId } from "@livery/domain"
import { DateTime } from "effect"
import { only } from "../store/Fields.ts"
import { ascending } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(DeviceRepository, ({ devices, step }) => {
  /** A user's devices, the one registered last first. */
  const ofUser = (userId: UserId) =>
    devices
      .where(({ user_id }) => user_id === userId)
      .toSorted(
        ascending(({ device_token, updated_at }) => [-DateTime.toEpochMillis(updated_at), device_token])
      )

  return {
    put: (user_id, device, now) =>
      step(() => {
        const others = ofUser(user_id).filter(({ device_token }) => device_token !== device.device_token)
        for (const { device_token } of others.slice(maxDevicesPerUser - 1)) devices.remove(device_token)
        devices.set(device.device_token, { ...only(DeviceRecord, device), user_id, updated_at: now })
      }),
    list: (userId) =>
      step(() =>
        ofUser(userId)
          .slice(0, maxDevicesPerUser)
          .map((row) => only(DeviceRecord, row))
      ),
    remove: (userId, deviceToken) =>
      step(() => devices.get(deviceToken)?.user_id === userId && devices.remove(deviceToken))
  }
})
