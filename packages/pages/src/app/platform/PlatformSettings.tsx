/** The settings of the platform, a card for each category. */
import type { Plan, Setting } from "@livery/client"
import type { JSX } from "preact"
import { Failure, failureOf } from "../../api/Failure.ts"
import { fill } from "../../i18n/Format.ts"
import { format } from "../../i18n/Language.ts"
import { allOf, api } from "../Api.ts"
import { Loaded, useReading } from "../parts/Loaded.tsx"
import { RecordCard, type RecordField } from "../parts/Record.tsx"
import { changed } from "../Undo.ts"
import type { PlatformWords } from "./words/en.ts"

const fieldOf = (setting: Setting, plans: ReadonlyArray<Plan>, words: PlatformWords): RecordField => {
  const { description, fixed_by, fixed_value, key, type, value } = setting
  // A setting that is newer than these words has its name and its description of the API.
  const label = words[key as keyof PlatformWords] ?? key
  const help = words[`${key}_help` as keyof PlatformWords] ?? description
  const isPlan = key === "default_plan_id"
  const written = (it: boolean | number) => {
    if (typeof it !== "number") return it ? words.yes : words.no
    return (isPlan && plans.find(({ plan_id }) => plan_id === it)?.name) || format.number(it)
  }
  return {
    name: key,
    label,
    hint: help,
    value: String(value),
    kind: type === "boolean" ? "flag" : "number",
    ...(isPlan && { options: plans.map(({ name, plan_id }) => [String(plan_id), name] as const) }),
    isRequired: true,
    shown: (
      <>
        {written(value)}
        {fixed_value !== null && (
          <span class="listed small">
            {fill(words.fixed, { value: written(fixed_value), by: fixed_by ?? "" })}
          </span>
        )}
        <span class="listed small muted">{help}</span>
      </>
    )
  }
}

/** Sends a setting. A refusal of its value is shown at its field. */
const set = async (key: string, value: unknown) => {
  try {
    await api.adminSettings.set({ key, value })
  } catch (error) {
    const { details, message, status, type } = failureOf(error)
    throw new Failure(
      status,
      type,
      message,
      details.map((detail) => ({ ...detail, field: key }))
    )
  }
}

export const PlatformSettings = ({ words }: { readonly words: PlatformWords }): JSX.Element => {
  const reading = useReading("platform settings", async () => {
    const plans = allOf(api.adminPlans.list({ include_inactive: true, per_page: 100 }))
    return { categories: await api.adminSettings.list(), plans: await plans }
  })
  return (
    <Loaded reading={reading} words={words}>
      {({ categories, plans }) => (
        <div class="stack platform-settings">
          {Object.entries(categories).map(([category, settings]) => (
            <RecordCard
              key={category}
              title={words[`of_${category}` as keyof PlatformWords] ?? category}
              fields={settings.map((setting) => fieldOf(setting, plans, words))}
              mayEdit
              words={words}
              onReload={reading.reload}
              onSave={async (changes) => {
                for (const [key, value] of Object.entries(changes)) await set(key, value)
                reading.reload()
                changed(words.saved, words, async () => {
                  for (const { key, value } of settings) if (key in changes) await set(key, value)
                  reading.reload()
                })
              }}
            />
          ))}
        </div>
      )}
    </Loaded>
  )
}
