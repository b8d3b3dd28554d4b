/** Where a driver's days start and end, which plans of the day count with. */
import type { Driver } from "@livery/client"
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { Field } from "../../components/Field.tsx"
import { Notice } from "../../components/Notice.tsx"
import { api } from "../Api.ts"
import { mayWrite } from "../Member.ts"
import { Ask } from "../parts/Ask.tsx"
import type { Reading } from "../parts/Loaded.tsx"
import { Suggest } from "../parts/Suggest.tsx"
import { findPlaces, foundPlace, type Place, placeOf } from "../trips/Draft.ts"
import { changed } from "../Undo.ts"
import type { DriversWords } from "./words/en.ts"

type Fields = Pick<Driver, "home_address" | "home_lat" | "home_lng">

const homeOf = ({ home_address, home_lat, home_lng }: Fields): Place => ({
  ...placeOf(home_address ?? ""),
  lat: home_lat,
  lng: home_lng
})

export const Home = ({
  driver,
  reading,
  words
}: {
  readonly driver: Driver
  readonly reading: Reading<Driver>
  readonly words: DriversWords
}): JSX.Element => {
  const [place, setPlace] = useState<Place>()
  const id = driver.driver_id
  const save = async ({ address, lat, lng }: Place) => {
    const home_address = address.trim() === "" ? null : address
    reading.set(
      await api.drivers.update({
        id,
        home_address,
        home_lat: home_address === null ? null : lat,
        home_lng: home_address === null ? null : lng
      })
    )
  }
  return (
    <section class="card record">
      <div class="record-head">
        <h2>{words.home}</h2>
        {mayWrite("operations") && (
          <button type="button" class="button small-button" onClick={() => setPlace(homeOf(driver))}>
            {words.edit}
            <span class="unseen"> {words.home}</span>
          </button>
        )}
      </div>
      {driver.home_address === null ? (
        <p class="muted">{words.noHome}</p>
      ) : (
        <p>
          <bdi>{driver.home_address}</bdi>
        </p>
      )}
      {driver.home_address !== null && driver.home_lat === null && (
        <Notice tone="warn">{words.homeWithoutPoint}</Notice>
      )}
      {place !== undefined && (
        <Ask
          title={words.home}
          submit={words.save}
          onClose={() => setPlace(undefined)}
          run={async () => {
            const before = homeOf(driver)
            await save(place)
            changed(words.saved, words, () => save(before))
          }}
          words={words}
        >
          <Field label={words.homeAddress} hint={words.homeHint}>
            {(control) => (
              <Suggest
                control={control}
                value={place.address}
                find={async (text) => (await findPlaces(text).catch(() => [])).map(foundPlace)}
                nameOf={({ address }) => address}
                onChoose={setPlace}
                onType={(address) => setPlace(placeOf(address))}
                words={words}
              />
            )}
          </Field>
        </Ask>
      )}
    </section>
  )
}
