/** The page of a tracking link: where the car is, when it arrives, and which car it is. */
import type { JSX } from "preact"
import { useEffect } from "preact/hooks"
import { Facts } from "../components/Facts.tsx"
import { Failed } from "../components/Failed.tsx"
import { Icon } from "../components/Icon.tsx"
import { later } from "../components/Later.tsx"
import { Notice } from "../components/Notice.tsx"
import { Time } from "../components/Time.tsx"
import { toast } from "../components/Toast.tsx"
import { fill } from "../i18n/Format.ts"
import { format } from "../i18n/Language.ts"
import { Shell, Skeleton } from "../shell/Shell.tsx"
import { RideMap } from "./RideMap.tsx"
import { begin, connection, failure, now, tick, trip } from "./state.ts"
import { type Phase, phaseOf, type Trip } from "./Trip.ts"
import type { TrackWords } from "./words/en.ts"
import "./track.css"

const StyledMap = later<{ readonly trip: Trip; readonly words: TrackWords }>(
  async () => (await import("./StyledMap.tsx")).StyledMap
)

type Worded = { readonly words: TrackWords }

/** The minutes until the car arrives, since the record was received; undefined where no number would be true. */
const minutesLeft = ({ arrives_in_seconds, stale }: Trip, waited: number) =>
  arrives_in_seconds === null || stale
    ? undefined
    : Math.max(1, Math.ceil((arrives_in_seconds - waited) / 60))

const Arrival = ({ phase, ride, waited, words }: Worded & { ride: Trip; phase: Phase; waited: number }) => {
  if (phase !== "coming" && phase !== "onBoard") return <p class="muted">{words.phases[phase][1]}</p>
  const minutes = minutesLeft(ride, waited)
  if (minutes === undefined) return <p class="muted">{words.noPosition}</p>
  const time = format.minutes(minutes)
  return <p class="arrival">{fill(phase === "coming" ? words.arrives : words.destinationIn, { time })}</p>
}

const Age = ({ ride, waited, words }: Worded & { readonly ride: Trip; readonly waited: number }) => {
  if (ride.age_seconds === null) return null
  const age = ride.age_seconds + waited
  const text = fill(words.position, { age: format.ago(age) })
  return age > 120 ? <Notice tone="warn">{text}</Notice> : <p class="muted small">{text}</p>
}

const share = async (words: TrackWords) => {
  const { href } = location
  try {
    if (typeof navigator.share === "function") await navigator.share({ title: words.title, url: href })
    else {
      await navigator.clipboard.writeText(href)
      toast(words.copied)
    }
  } catch {
    // The reader closed the dialog.
  }
}

const Vehicle = ({ ride, words }: Worded & { readonly ride: Trip }) => {
  const { car, driver } = ride
  if (car === null && driver === null) return null
  const name = [car?.color, car?.make, car?.model].filter(Boolean).join(" ")
  const className = words.classes[(car?.vehicle_class ?? "other") as keyof TrackWords["classes"]]
  return (
    <section class="card" aria-label={words.carAndDriver}>
      <div class="vehicle">
        <div class="who">
          {driver !== null && (
            <span class="initial" aria-hidden="true">
              {Array.from(driver.first_name)[0]}
            </span>
          )}
          <div>
            {driver !== null && (
              <h2 dir="auto">
                <span class="unseen">{words.driver}: </span>
                {driver.first_name}
              </h2>
            )}
            {car !== null && (
              <p class="muted">
                <bdi>{name || words.car}</bdi>
                {className !== undefined && className !== "" && ` · ${className}`}
              </p>
            )}
          </div>
        </div>
        {typeof car?.plate_number === "string" && (
          <span class="plate">
            <span class="unseen">{words.plate}: </span>
            {car.plate_number}
          </span>
        )}
      </div>
    </section>
  )
}

const Ride = ({ at, ride, words }: Worded & { readonly ride: Trip; readonly at: number }) => {
  const phase = phaseOf(ride)
  const waited = Math.max(0, Math.floor((now.value - at) / 1000))
  const isMoving = phase === "coming" || phase === "onBoard" || phase === "arrived"
  const { phone } = ride.business
  return (
    <>
      {connection.value === "offline" && <Notice tone="warn">{words.offline}</Notice>}
      <section class="card">
        <div class="headline" role="status">
          <h1>{words.phases[phase][0]}</h1>
          <Arrival ride={ride} phase={phase} waited={waited} words={words} />
        </div>
        {ride.pickup_pin !== null && (
          <p class="code">
            <span>
              {words.pin}: <strong dir="ltr">{ride.pickup_pin}</strong>
            </span>
            <span class="muted small">{words.pinHelp}</span>
          </p>
        )}
        {isMoving &&
          (ride.map_style_url === null ? (
            <RideMap trip={ride} words={words} />
          ) : (
            <StyledMap trip={ride} words={words} />
          ))}
        {isMoving && <Age ride={ride} waited={waited} words={words} />}
      </section>
      {phase !== "over" && phase !== "cancelled" && <Vehicle ride={ride} words={words} />}
      <section class="card">
        <Facts
          facts={[
            [
              words.pickupTime,
              <Time key="at" at={ride.trip_date} zone={ride.pickup_timezone} words={words} />
            ]
          ]}
        />
        <div class="actions no-print">
          {phone !== null && (
            <a class="button primary" href={`tel:${phone.replaceAll(/[^+\d]/gu, "")}`}>
              <Icon name="phone" />
              {words.call}
            </a>
          )}
          {phase !== "over" && phase !== "cancelled" && (
            <button type="button" class="button" onClick={() => void share(words)}>
              <Icon name="share" />
              {words.share}
            </button>
          )}
        </div>
      </section>
    </>
  )
}

export const TrackPage = ({ words }: Worded): JSX.Element => {
  useEffect(() => {
    document.title = words.title
    begin()
    return tick()
  }, [words])
  const known = trip.value
  const failed = failure.value
  return (
    <Shell brand={known?.record.business} words={words}>
      {known !== undefined ? (
        <Ride ride={known.record} at={known.at} words={words} />
      ) : failed !== undefined ? (
        <Failed failure={failed} words={words} gone={words.goneHelp} retry={begin} />
      ) : (
        <Skeleton heights={[360, 90, 130]} words={words} />
      )}
    </Shell>
  )
}
