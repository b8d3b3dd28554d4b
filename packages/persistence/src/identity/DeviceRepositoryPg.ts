import { Array, Effect, Schema } from "effect"
import { Device, maxDevicesPerUser, DeviceRepository } from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"
import { execute, instant, rowsAs } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const devices = rowsAs(Device)
const tokens = rowsAs(Schema.Struct({ device_token: Schema.String }))

/** Devices in the table `devices`. A user keeps the devices that were registered last, up to the limit. */
export const layer = onPostgres(DeviceRepository, (sql) => {
  const columns = sql.literal(columnsOf(Device))
  return {
    put: (userId, { device_name, device_token, platform }, now) =>
      execute(sql`
          WITH surplus AS (
            DELETE FROM devices WHERE device_token IN (
              SELECT device_token FROM devices
              WHERE user_id = ${userId} AND device_token <> ${device_token}
              ORDER BY updated_at DESC, device_token OFFSET ${maxDevicesPerUser - 1})
          )
          INSERT INTO devices (device_token, user_id, platform, device_name, created_at, updated_at)
          VALUES (${device_token}, ${userId}, ${platform}, ${device_name}, ${instant(now)}, ${instant(now)})
          ON CONFLICT (device_token) DO UPDATE SET
            user_id = excluded.user_id, platform = excluded.platform,
            device_name = excluded.device_name, updated_at = excluded.updated_at`),
    list: (userId) =>
      devices(sql`
        SELECT ${columns} FROM devices
        WHERE user_id = ${userId}
        ORDER BY updated_at DESC, device_token LIMIT ${maxDevicesPerUser}`),
    remove: (userId, deviceToken) =>
      Effect.map(
        tokens(sql`
          DELETE FROM devices WHERE user_id = ${userId} AND device_token = ${deviceToken}
          RETURNING device_token`),
        Array.isReadonlyArrayNonEmpty
      )
  }
})
