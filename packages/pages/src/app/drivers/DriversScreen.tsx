/** Drivers: the list, each record, absences, the account, pay and its statement. */
import type { Car, Driver } from "@livery/client"
import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import { Badge } from "../../components/Notice.tsx"
import { toast } from "../../components/Toast.tsx"
import { fill } from "../../i18n/Format.ts"
import { format } from "../../i18n/Language.ts"
import { failureOf } from "../../api/Failure.ts"
import { failureText } from "../../components/Failed.tsx"
import { allOf, api } from "../Api.ts"
import { dateOf } from "../Formats.ts"
import { mayRead, mayWrite } from "../Member.ts"
import { activeChoice, activeColumn, activeFields, activeFilter } from "../parts/Active.tsx"
import { Ask } from "../parts/Ask.tsx"
import { CalendarLink } from "../parts/CalendarLink.tsx"
import type { RecordField } from "../parts/Record.tsx"
import { type Resource, resourceScreen } from "../parts/Resource.tsx"
import type { Screen, ScreenProps } from "../screens.ts"
import { Absences } from "./Absences.tsx"
import { Home } from "./Home.tsx"
import { Pay } from "./Pay.tsx"
import type { DriversWords } from "./words/en.ts"

/** The cars that a driver may have by default; they are read once a screen needs them. */
let cars: ReadonlyArray<Car> = []

const carName = (id: number) => cars.find(({ car_id }) => car_id === id)?.name ?? "…"

const textOf = (value: number | string | null | undefined) => String(value ?? "")

/** Whether a licence has run out, or does so within 30 days. */
const licenceTone = (day: string) => {
  const today = dateOf(Date.now())
  if (day < today) return "bad"
  return day < dateOf(Date.now() + 30 * 86_400_000) ? "warn" : undefined
}

const Expiry = ({ day }: { readonly day: string }) => {
  const tone = licenceTone(day)
  return tone === undefined ? <>{format.day(day)}</> : <Badge tone={tone}>{format.day(day)}</Badge>
}

const fields = (driver: Driver | undefined, words: DriversWords): ReadonlyArray<RecordField> => [
  { name: "name", label: words.name, value: textOf(driver?.name), isRequired: true },
  { name: "phone", label: words.phone, value: textOf(driver?.phone), kind: "tel" },
  { name: "email", label: words.email, value: textOf(driver?.email), kind: "email" },
  { name: "license_number", label: words.licence, value: textOf(driver?.license_number) },
  {
    name: "license_expires_on",
    label: words.licenceExpires,
    value: textOf(driver?.license_expires_on),
    kind: "date",
    shown: driver?.license_expires_on ? <Expiry day={driver.license_expires_on} /> : undefined
  },
  {
    name: "default_car_id",
    label: words.ownCar,
    value: textOf(driver?.default_car_id),
    options: cars.map(({ car_id, name }) => [String(car_id), name] as const),
    shown: driver?.default_car_id ? carName(driver.default_car_id) : undefined
  },
  ...activeFields(driver, words)
]

/** Mails the driver an invitation to an account. */
const Invite = ({ driver, words }: { readonly driver: Driver; readonly words: DriversWords }) => {
  if (driver.email === null || driver.user_id !== null || !mayWrite("operations")) return null
  const invite = async () => {
    try {
      await api.drivers.invite({ id: driver.driver_id })
      toast(fill(words.invited, { email: driver.email ?? "" }))
    } catch (error) {
      toast(failureText(failureOf(error), words))
    }
  }
  return (
    <button type="button" class="button" onClick={() => void invite()}>
      {words.invite}
    </button>
  )
}

/** Sends the driver a message, by the channels that the settings name for it. */
const Message = ({ driver, words }: { readonly driver: Driver; readonly words: DriversWords }) => {
  const [isOpen, setOpen] = useState(false)
  if (!mayWrite("operations")) return null
  return (
    <>
      <button type="button" class="button" onClick={() => setOpen(true)}>
        {words.sendMessage}
      </button>
      {isOpen && (
        <Ask
          title={words.sendMessage}
          submit={words.send}
          fields={[{ name: "text", label: words.message, value: "", kind: "area", isRequired: true }]}
          onClose={() => setOpen(false)}
          run={async ({ text }) => {
            const { status } = await api.notices.message({ id: driver.driver_id, text: String(text ?? "") })
            toast(status === "skipped" ? words.notReached : words.messageSent)
          }}
          words={words}
        />
      )}
    </>
  )
}

const drivers: Resource<Driver, DriversWords> = {
  name: "drivers",
  area: "operations",
  title: (words) => words.drivers,
  newTitle: (words) => words.newDriver,
  idOf: ({ driver_id }) => driver_id,
  nameOf: ({ name }) => name,
  list: (filters) => api.drivers.list({ per_page: 100, ...activeFilter(filters) }),
  read: (id) => api.drivers.read({ id }),
  create: (input) => api.drivers.create(input as never),
  update: (id, changes, before) => api.drivers.update({ id, ...changes }, { ifMatch: before }),
  remove: (id, force) => api.drivers.remove({ id, force }),
  hasSearch: false,
  choices: (words) => [activeChoice(words)],
  columns: (words) => [
    { name: "name", label: words.name, cell: ({ name }) => <bdi>{name}</bdi>, sort: ({ name }) => name },
    {
      name: "phone",
      label: words.phone,
      isShort: true,
      cell: ({ phone }) => phone && <a href={`tel:${phone}`}>{phone}</a>
    },
    {
      name: "car",
      label: words.ownCar,
      cell: ({ default_car_id }) => default_car_id && <bdi>{carName(default_car_id)}</bdi>
    },
    {
      name: "licence",
      label: words.licenceExpires,
      cell: ({ license_expires_on }) => license_expires_on && <Expiry day={license_expires_on} />,
      sort: ({ license_expires_on }) => license_expires_on ?? ""
    },
    activeColumn(words)
  ],
  fields,
  more: (driver, words, reading) => (
    <>
      <Home driver={driver} reading={reading} words={words} />
      {mayWrite("operations") && (
        <CalendarLink
          create={() => api.calendars.linkDriver({ id: driver.driver_id })}
          end={() => api.calendars.unlinkDriver({ id: driver.driver_id })}
          words={words}
        />
      )}
      <Absences driver={driver} words={words} />
      {mayRead("pay") && <Pay driver={driver} words={words} />}
    </>
  ),
  actions: (driver, words) => (
    <>
      <Message driver={driver} words={words} />
      <Invite driver={driver} words={words} />
    </>
  ),
  imported: "drivers",
  empty: (words) => words.firstDriver
}

const Drivers = resourceScreen(drivers)

/** The screen, with the names of the cars once they are read. */
const DriversWithCars = (props: ScreenProps<DriversWords>): JSX.Element => {
  const [, redraw] = useState(cars)
  useEffect(() => {
    allOf(api.cars.list({ per_page: 100 })).then(
      (all) => {
        cars = all
        redraw(all)
      },
      () => undefined
    )
  }, [])
  return <Drivers {...props} />
}

export const screen: Screen<DriversWords> = DriversWithCars
