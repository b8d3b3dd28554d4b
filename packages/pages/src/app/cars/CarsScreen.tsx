/** Cars: the list, and each record. */
import type { Car, VehicleClass } from "@livery/client"
import { api } from "../Api.ts"
import { activeChoice, activeColumn, activeFields, activeFilter } from "../parts/Active.tsx"
import type { RecordField } from "../parts/Record.tsx"
import { type Resource, resourceScreen } from "../parts/Resource.tsx"
import type { Screen } from "../screens.ts"
import type { CarsWords } from "./words/en.ts"

const classes = [
  "sedan",
  "suv",
  "van",
  "minibus",
  "bus",
  "limousine",
  "other"
] as const satisfies ReadonlyArray<VehicleClass>

const textOf = (value: number | string | null | undefined) => String(value ?? "")

const fields = (car: Car | undefined, words: CarsWords): ReadonlyArray<RecordField> => [
  { name: "name", label: words.name, value: textOf(car?.name), isRequired: true, hint: words.nameHint },
  { name: "plate_number", label: words.plate, value: textOf(car?.plate_number) },
  {
    name: "vehicle_class",
    label: words.vehicleClass,
    value: textOf(car?.vehicle_class),
    options: classes.map((name) => [name, words[name]] as const),
    shown: car?.vehicle_class ? words[car.vehicle_class] : undefined
  },
  { name: "make", label: words.make, value: textOf(car?.make) },
  { name: "model", label: words.model, value: textOf(car?.model) },
  { name: "year", label: words.year, value: textOf(car?.year), kind: "number" },
  { name: "color", label: words.color, value: textOf(car?.color) },
  { name: "seats", label: words.seats, value: textOf(car?.seats), kind: "number" },
  { name: "luggage", label: words.luggage, value: textOf(car?.luggage), kind: "number" },
  ...activeFields(car, words)
]

const cars: Resource<Car, CarsWords> = {
  name: "cars",
  area: "operations",
  title: (words) => words.cars,
  newTitle: (words) => words.newCar,
  idOf: ({ car_id }) => car_id,
  nameOf: ({ name }) => name,
  list: (filters) => api.cars.list({ per_page: 100, ...activeFilter(filters) }),
  read: (id) => api.cars.read({ id }),
  create: (input) => api.cars.create(input as never),
  update: (id, changes, before) => api.cars.update({ id, ...changes }, { ifMatch: before }),
  remove: (id, force) => api.cars.remove({ id, force }),
  hasSearch: false,
  choices: (words) => [activeChoice(words)],
  columns: (words) => [
    { name: "name", label: words.name, cell: ({ name }) => <bdi>{name}</bdi>, sort: ({ name }) => name },
    { name: "plate", label: words.plate, cell: ({ plate_number }) => <bdi>{plate_number}</bdi> },
    {
      name: "class",
      label: words.vehicleClass,
      cell: ({ vehicle_class }) => vehicle_class && words[vehicle_class],
      sort: ({ vehicle_class }) => vehicle_class ?? ""
    },
    {
      name: "seats",
      label: words.seats,
      isNumber: true,
      cell: ({ seats }) => seats,
      sort: ({ seats }) => seats ?? 0
    },
    activeColumn(words)
  ],
  fields,
  imported: "cars",
  empty: (words) => words.firstCar
}

export const screen: Screen<CarsWords> = resourceScreen(cars)
