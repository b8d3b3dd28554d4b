/** The choice of a template for a new trip. It is not shown while the business has none. */
import type { TripTemplate } from "@livery/client"
import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import { allOf, api } from "../Api.ts"

/** The fields of a trip that were emptied although the template has them: they are sent as null. */
export const emptied = (template: TripTemplate, body: object): Readonly<Record<string, null>> =>
  Object.fromEntries(
    Object.keys(template.trip)
      .filter((name) => !(name in body))
      .map((name) => [name, null])
  )

export const TemplateChoice = ({
  chosen,
  label,
  none,
  onChoose
}: {
  readonly label: string
  /** What the choice of no template is called. */
  readonly none: string
  readonly chosen: number | undefined
  readonly onChoose: (template: TripTemplate | undefined) => void
}): JSX.Element | null => {
  const [templates, setTemplates] = useState<ReadonlyArray<TripTemplate>>([])
  useEffect(() => {
    allOf(api.tripTemplates.list({ per_page: 100 })).then(
      (all) => {
        setTemplates(all)
        const asked = all.find(({ template_id }) => template_id === chosen)
        if (asked !== undefined) onChoose(asked)
      },
      () => undefined
    )
  }, [])
  if (templates.length === 0) return null
  return (
    <label class="stack">
      <span>{label}</span>
      <select
        value={chosen === undefined ? "" : String(chosen)}
        onChange={({ currentTarget: { value } }) =>
          onChoose(templates.find(({ template_id }) => String(template_id) === value))
        }
      >
        <option value="">{none}</option>
        {templates.map(({ name, template_id }) => (
          <option key={template_id} value={String(template_id)}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
