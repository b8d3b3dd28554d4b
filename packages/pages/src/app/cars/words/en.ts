/** The words of cars, in English. */
import app, { type AppWords } from "../../words/en.ts"

const own = {
  newCar: "New car",
  nameHint: "As the office calls it, such as “S-Class 3”",
  plate: "Plate",
  vehicleClass: "Class",
  make: "Make",
  model: "Model",
  year: "Year",
  color: "Colour",
  seats: "Seats",
  luggage: "Pieces of luggage",
  sedan: "Sedan",
  suv: "SUV",
  van: "Van",
  minibus: "Minibus",
  bus: "Coach",
  limousine: "Stretch limousine",
  other: "Other",
  firstCar: "Add your first car. Trips and drivers can then have it."
}

export type CarsWords = AppWords & Readonly<Record<keyof typeof own, string>>

const words: CarsWords = { ...app, ...own }
export default words
