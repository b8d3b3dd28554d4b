/** All that the driver has to know about a job. */
import type { JSX } from "preact"
import { Facts } from "../../components/Facts.tsx"
import { Notice } from "../../components/Notice.tsx"
import { fill } from "../../i18n/Format.ts"
import { format } from "../../i18n/Language.ts"
import { type Job, tel } from "../Job.ts"
import type { AllWords } from "./Words.ts"

/** Who takes part in a tour: each booking with its number of people, its own pickup and a link to call. */
const Participants = ({ participants }: Required<Pick<Job, "participants">>) => (
  <ul>
    {participants.map(({ count, name, phone, pickup_address }, index) => (
      <li key={index}>
        {format.number(count)} × <bdi>{name}</bdi>
        {pickup_address !== null && (
          <>
            {", "}
            <bdi>{pickup_address}</bdi>
          </>
        )}
        {phone !== null && (
          <>
            {", "}
            <a href={tel(phone)} dir="ltr">
              {phone}
            </a>
          </>
        )}
      </li>
    ))}
  </ul>
)

export const Details = ({ job, words }: { readonly job: Job; readonly words: AllWords }): JSX.Element => {
  const { car, participants = [] } = job
  const seats = job.child_seats.map(({ count, type }) => `${format.number(count)} × ${type}`).join(", ")
  const numberOf = (value: number | null) => (value === null ? null : format.number(value))
  const text = (value: string | null | undefined) => (value ? <bdi>{value}</bdi> : null)
  return (
    <section class="card" aria-label={words.details}>
      <Facts
        facts={[
          [words.passenger, participants.length === 0 && text(job.customer_name)],
          [words.people, numberOf(job.participants_count)],
          [words.participants, participants.length > 0 && <Participants participants={participants} />],
          [words.pickup, text(job.pickup_address)],
          ...job.stops.map(
            (stop, index) =>
              [
                fill(words.stop, { number: format.number(index + 1) }),
                text([stop.address, stop.contact].filter(Boolean).join(", "))
              ] as const
          ),
          [words.dropoff, text(job.dropoff_address)],
          [words.flight, text([job.flight_number, job.terminal].filter(Boolean).join(", "))],
          [words.luggage, numberOf(job.luggage_count)],
          [words.childSeats, text(seats)],
          [
            words.car,
            text(
              car && [car.name, car.color, car.make, car.model, car.plate_number].filter(Boolean).join(", ")
            )
          ]
        ]}
      />
      {[job.special_requirements, job.notes].map(
        (note) =>
          note && (
            <Notice key={note}>
              <p class="note" dir="auto">
                {note}
              </p>
            </Notice>
          )
      )}
    </section>
  )
}
