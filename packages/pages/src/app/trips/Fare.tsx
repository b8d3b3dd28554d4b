/** The fare of a trip with its lines, or how to price it by a tariff. */
import type { Trip, TripFare } from "@livery/client"
import type { JSX } from "preact"
import { failureOf } from "../../api/Failure.ts"
import { failureText } from "../../components/Failed.tsx"
import { toast } from "../../components/Toast.tsx"
import { api } from "../Api.ts"
import { money } from "../Formats.ts"
import { mayWrite } from "../Member.ts"
import { Loaded, type Reading, useReading } from "../parts/Loaded.tsx"
import type { AppWords } from "../words/en.ts"
import type { TripsWords } from "./words/en.ts"

type Worded = { readonly words: TripsWords }

/** The lines of a fare: each rule of the tariff with its amount. */
export const FareLines = ({
  currency,
  fare: { lines, total_amount },
  words
}: {
  readonly fare: TripFare["quoted"]["fare"]
  readonly currency: string
  readonly words: AppWords
}): JSX.Element => (
  <table class="amounts">
    <caption class="unseen">{words.fare}</caption>
    <tbody>
      {lines.map((line, index) => (
        <tr key={index}>
          <td>
            <bdi>{line.name ?? words[`step_${line.step}`]}</bdi>
          </td>
          <td>{money(line.amount, currency)}</td>
        </tr>
      ))}
      <tr>
        <th scope="row">{words.total}</th>
        <td>
          <strong>{money(total_amount, currency)}</strong>
        </td>
      </tr>
    </tbody>
  </table>
)

export const Fare = ({
  reading: { at, reload },
  trip,
  words
}: Worded & { readonly trip: Trip; readonly reading: Reading<Trip> }): JSX.Element => {
  const id = trip.trip_id
  const reading = useReading<TripFare | null>(`fare ${id} ${at}`, async () => {
    try {
      return await api.fares.ofTrip({ id })
    } catch (error) {
      const failure = failureOf(error)
      if (failure.isNotFound) return null
      throw failure
    }
  })
  const price = async () => {
    try {
      reading.set(await api.fares.priceTrip({ id }))
      reload()
    } catch (error) {
      const failure = failureOf(error)
      toast(failure.status === 422 || failure.status === 409 ? failure.message : failureText(failure, words))
    }
  }
  const isOpen = trip.status === "pending" || trip.status === "confirmed"
  return (
    <section class="card record">
      <div class="record-head">
        <h2>{words.fare}</h2>
        {isOpen && mayWrite("operations") && (
          <button type="button" class="button small-button" onClick={() => void price()}>
            {words.priceByTariff}
          </button>
        )}
      </div>
      <Loaded reading={reading} words={words} heights={[90]}>
        {(fare) =>
          fare === null ? (
            <p class="muted">{trip.total_amount === null ? words.noPrice : words.agreedPrice}</p>
          ) : (
            <>
              {fare.overridden && <p class="muted">{words.overridden}</p>}
              <FareLines fare={(fare.final ?? fare.quoted).fare} currency={fare.currency} words={words} />
            </>
          )
        }
      </Loaded>
    </section>
  )
}
