/** Tariffs: the list, and each as readable rules with a trial estimate beside them. */
import type { Tariff } from "@livery/client"
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { Failure, failureOf } from "../../api/Failure.ts"
import { Form } from "../../components/Form.tsx"
import { toast } from "../../components/Toast.tsx"
import { fill } from "../../i18n/Format.ts"
import { format } from "../../i18n/Language.ts"
import { allOf, api } from "../Api.ts"
import { currency, momentOf } from "../Formats.ts"
import { useCommands } from "../Keys.ts"
import { mayWrite } from "../Member.ts"
import { Loaded, type Reading, useReading } from "../parts/Loaded.tsx"
import { Page } from "../parts/Page.tsx"
import { usePages } from "../parts/Pages.ts"
import { changesOf, RecordCard, type RecordField, RecordFields } from "../parts/Record.tsx"
import { Removal } from "../parts/Removal.tsx"
import { Table } from "../parts/Table.tsx"
import { explained } from "../parts/WrongFields.tsx"
import { hrefOf, navigate, query } from "../Router.ts"
import type { Screen, ScreenProps } from "../screens.ts"
import { className, vehicleClasses } from "../trips/Fields.ts"
import { modifierLines, priceFields, withPrices, zoneText } from "./Rules.ts"
import { PriceList, WholeText } from "./Texts.tsx"
import { Trial } from "./Trial.tsx"
import type { TariffsWords } from "./words/en.ts"
import "./tariffs.css"

type Worded = { readonly words: TariffsWords }

const List = ({ words }: Worded) => {
  const pages = usePages("tariffs", () => api.fares.list({ per_page: 50 }))
  const mayAdd = mayWrite("tariffs")
  useCommands(mayAdd ? [{ key: "n", label: words.newTariff, run: () => navigate("/tariffs/new") }] : [])
  const add = mayAdd && (
    <a class="button primary" href={hrefOf("/tariffs/new")}>
      {words.newTariff}
    </a>
  )
  return (
    <Page title={words.tariffs} actions={add}>
      <Table
        label={words.tariffs}
        pages={pages}
        keyOf={({ tariff_id }) => tariff_id}
        hrefOf={({ tariff_id }) => hrefOf(`/tariffs/${tariff_id}`)}
        empty={
          <>
            <p class="muted">{words.firstTariff}</p>
            {add}
          </>
        }
        words={words}
        columns={[
          {
            name: "name",
            label: words.name,
            cell: ({ name }) => <bdi>{name}</bdi>,
            sort: ({ name }) => name
          },
          { name: "currency", label: words.currency, cell: (it) => it.currency },
          { name: "version", label: words.version, cell: ({ version }) => format.number(version) },
          { name: "changed", label: words.changedAt, cell: ({ updated_at }) => momentOf(updated_at) }
        ]}
      />
    </Page>
  )
}

const NewTariff = ({ words }: Worded) => {
  const number = (name: string, label: string): RecordField => ({ name, label, kind: "number", value: "" })
  const fields: ReadonlyArray<RecordField> = [
    { name: "name", label: words.name, value: "", isRequired: true },
    { name: "currency", label: words.currency, value: currency(), isRequired: true },
    {
      name: "classes.0.vehicle_class",
      label: words.vehicleClass,
      value: "sedan",
      options: vehicleClasses.map((name) => [name, className(name, words)] as const),
      isRequired: true
    },
    number("classes.0.distance.0.base", words.base),
    number("classes.0.distance.0.tiers.0.amount", fill(words.perUnit, { unit: "km" }))
  ]
  return (
    <Page title={words.newTariff}>
      <section class="card record">
        <p class="muted small">{words.newTariffHelp}</p>
        <Form
          submit={words.create}
          words={words}
          onSubmit={async (typed) => {
            const sent = changesOf(
              fields.map((field) => ({ ...field, value: "" })),
              typed
            )
            const tariff = await api.fares.create({
              name: sent["name"] ?? "",
              currency: sent["currency"] ?? "",
              classes: [
                {
                  vehicle_class: sent["classes.0.vehicle_class"],
                  distance: [
                    {
                      base: sent["classes.0.distance.0.base"] ?? null,
                      tiers: [{ amount: sent["classes.0.distance.0.tiers.0.amount"] ?? null }]
                    }
                  ]
                }
              ]
            } as never)
            toast(fill(words.created, { name: tariff.name }))
            navigate(`/tariffs/${tariff.tariff_id}`, { replace: true })
          }}
          explain={(failure) =>
            explained(failure, (field) => fields.some(({ name }) => name === field), words)
          }
        >
          {(failure) => <RecordFields fields={fields} failure={failure} words={words} />}
        </Form>
      </section>
    </Page>
  )
}

const Rules = ({
  mayEdit,
  reading,
  tariff,
  words
}: Worded & { readonly tariff: Tariff; readonly mayEdit: boolean; readonly reading: Reading<Tariff> }) => {
  const save = async (index: number, changes: Readonly<Record<string, unknown>>) => {
    const shown = new Set(priceFields(tariff, index, words).map(({ name }) => name))
    try {
      reading.set(
        await api.fares.update(
          { id: tariff.tariff_id, classes: withPrices(tariff.classes, changes) },
          { ifMatch: tariff }
        )
      )
      toast(words.saved)
    } catch (error) {
      const { details, message, status, type } = failureOf(error)
      const isOutside = details.some(({ field }) => !shown.has(field))
      throw isOutside ? new Failure(status, type, message) : new Failure(status, type, message, details)
    }
  }
  const modifiers = modifierLines(tariff, words)
  return (
    <>
      {tariff.classes.map((it, index) => (
        <RecordCard
          key={it.vehicle_class}
          title={className(it.vehicle_class, words)}
          fields={priceFields(tariff, index, words)}
          mayEdit={mayEdit}
          onSave={(changes) => save(index, changes)}
          onReload={reading.reload}
          words={words}
        />
      ))}
      {modifiers.length > 0 && (
        <section class="card record">
          <h2>{words.modifiers}</h2>
          <dl class="facts">
            {modifiers.map(([step, lines]) => (
              <div key={step}>
                <dt>{step}</dt>
                <dd>
                  {lines.map((line) => (
                    <p key={line}>{line}</p>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {tariff.zones.length > 0 && (
        <section class="card record">
          <h2>{words.zones}</h2>
          <dl class="facts">
            {tariff.zones.map((zone) => (
              <div key={zone.id}>
                <dt>
                  <bdi>{zone.name}</bdi>
                </dt>
                <dd>{zoneText(zone, words)}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </>
  )
}

const Versions = ({ shown, tariff, words }: Worded & { readonly tariff: Tariff; readonly shown: number }) => {
  const id = tariff.tariff_id
  const reading = useReading(`versions ${id} ${tariff.version}`, () =>
    allOf(api.fares.versions({ id, per_page: 100 }), 100)
  )
  return (
    <section class="card record">
      <h2>{words.versions}</h2>
      <Loaded reading={reading} words={words} heights={[60]}>
        {(versions) => (
          <ul>
            {versions.map(({ created_at, valid_from, version }) => (
              <li key={version}>
                <a
                  href={hrefOf(`/tariffs/${id}?version=${version}`)}
                  aria-current={version === shown ? "true" : undefined}
                >
                  {fill(words.versionNumber, { number: format.number(version) })}
                </a>{" "}
                {valid_from === null
                  ? words.alwaysValid
                  : fill(words.validFromDay, { moment: momentOf(valid_from) })}{" "}
                <span class="muted small">{momentOf(created_at)}</span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  )
}

const One = ({ id, version, words }: Worded & { readonly id: number; readonly version: number }) => {
  const reading = useReading<Tariff>(`tariff ${id} ${version}`, () =>
    version > 0 ? api.fares.readVersion({ id, version }) : api.fares.read({ id })
  )
  const [isRemoving, setRemoving] = useState(false)
  return (
    <Loaded reading={reading} words={words}>
      {(tariff) => {
        const isLatest = version === 0
        const mayEdit = mayWrite("tariffs") && isLatest
        const take = (after: Tariff) => {
          reading.set(after)
          toast(fill(words.versionMade, { number: format.number(after.version) }))
        }
        return (
          <Page
            title={<bdi>{tariff.name}</bdi>}
            actions={
              mayEdit && (
                <button type="button" class="button" onClick={() => setRemoving(true)}>
                  {words.delete}
                </button>
              )
            }
          >
            {!mayWrite("tariffs") && <p class="muted">{words.readOnly}</p>}
            {!isLatest && (
              <p>
                {fill(words.oldVersion, { number: format.number(version) })}{" "}
                <a href={hrefOf(`/tariffs/${id}`)}>{words.toLatest}</a>
              </p>
            )}
            <div class="tariff">
              <div class="stack">
                <Rules tariff={tariff} mayEdit={mayEdit} reading={reading} words={words} />
              </div>
              <div class="stack">
                <Trial tariff={tariff} words={words} />
                <Versions tariff={tariff} shown={tariff.version} words={words} />
              </div>
            </div>
            {mayEdit && (
              <>
                <PriceList tariff={tariff} take={take} words={words} />
                <WholeText key={tariff.version} tariff={tariff} take={take} words={words} />
              </>
            )}
            {isRemoving && (
              <Removal
                name={tariff.name}
                onRemove={async () => {
                  await api.fares.remove({ id })
                  toast(fill(words.deleted, { name: tariff.name }))
                  navigate("/tariffs", { replace: true })
                }}
                onClose={() => setRemoving(false)}
                words={words}
              />
            )}
          </Page>
        )
      }}
    </Loaded>
  )
}

const Tariffs = ({ rest: [id], words }: ScreenProps<TariffsWords>): JSX.Element => {
  if (id === undefined) return <List words={words} />
  if (id === "new") return <NewTariff words={words} />
  return <One id={Number(id)} version={Number(query.value.get("version") ?? 0)} words={words} />
}

export const screen: Screen<TariffsWords> = Tariffs
