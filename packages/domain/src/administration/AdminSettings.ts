/** Administration of the platform's settings by super-admins (docs/api/administration.md). */
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { makeAuditTrail } from "../audit/AuditTrail.ts"
import {
  expectedValueOf,
  isSettingKey,
  platformSettings,
  settingKeys,
  type SettingKey
} from "../configuration/PlatformSetting.ts"
import { FixedSettings } from "../configuration/FixedSettings.ts"
import { PlatformSettingRepository } from "../configuration/PlatformSettingRepository.ts"
import { PlatformSettings } from "../configuration/PlatformSettings.ts"
import { valueOf } from "../configuration/PlatformSetting.ts"
import { CurrentActor } from "../kernel/CurrentActor.ts"
import { invalidField, InvalidInput, NotFound } from "../kernel/Errors.ts"
import { fieldIssues } from "../kernel/fields/FieldIssue.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { type SettingInput, settingRecord } from "./AdminSetting.ts"
import { PlanCatalogue } from "./PlanCatalogue.ts"
import { traced } from "../kernel/TracedFunction.ts"

export class AdminSettings extends Context.Service<AdminSettings>()("@livery/domain/AdminSettings", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const repository = yield* PlatformSettingRepository
    const settings = yield* PlatformSettings
    const fixed = yield* FixedSettings
    const plans = yield* PlanCatalogue
    const writeAudit = yield* makeAuditTrail

    const decodeValue = Effect.fnUntraced(function* (key: SettingKey, { value }: SettingInput) {
      const body = Schema.Struct({ value: platformSettings[key].value })
      const decoded = yield* Schema.decodeUnknownEffect(body)(
        { value },
        { errors: "all", reportInput: true }
      ).pipe(
        Effect.mapError(
          ({ issue }) => new InvalidInput({ issues: fieldIssues(issue), advice: expectedValueOf(key) })
        )
      )
      if (key === "default_plan_id" && Option.isNone(yield* plans.find(Number(decoded.value))))
        return yield* invalidField("value", "not_found")
      return decoded.value
    })

    return {
      /** All settings by their categories. */
      list: Effect.gen(function* () {
        const stored = new Map((yield* repository.all).map((row) => [row.setting_key, row]))
        const records = settingKeys.map((key) => settingRecord(key, stored.get(key), fixed[key]))
        return Object.fromEntries(
          [...new Set(records.map(({ category }) => category))].map((category) => [
            category,
            records.filter((record) => record.category === category)
          ])
        )
      }).pipe(Effect.withSpan("AdminSettings.list")),

      /**
       * Replaces the value of a setting; no change if it has that value. It takes effect on this node immediately and
       * on the others within `SettingsInterval`. `NotFound` if there is no such setting; `InvalidInput` (`value`) if
       * the value is not of the setting's type or is out of its bounds.
       */
      set: traced("AdminSettings.set")(function* (key: string, input: SettingInput) {
        if (!isSettingKey(key)) return yield* new NotFound({ resource: "setting" })
        const value = yield* decodeValue(key, input)
        return yield* atomically(transaction, function* () {
          const now = yield* DateTime.now
          const stored = yield* repository.lock(key, platformSettings[key].defaultValue, now)
          const before = valueOf(key, stored)
          if (before === value) return settingRecord(key, stored, fixed[key])
          const changed = yield* repository.set(key, value, now)
          yield* writeAudit({
            actor: yield* CurrentActor,
            action: "setting.changed",
            subject: `setting:${key}`,
            before: { value: before },
            after: { value }
          })
          yield* transaction.afterCommit(settings.refresh)
          return settingRecord(key, changed, fixed[key])
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(AdminSettings, AdminSettings.make)
}
