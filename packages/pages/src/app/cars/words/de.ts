import app from "../../words/de.ts"
import type { CarsWords } from "./en.ts"

const words: CarsWords = {
  ...app,
  newCar: "Neues Fahrzeug",
  nameHint: "Wie das Büro es nennt, etwa „S-Klasse 3“",
  plate: "Kennzeichen",
  vehicleClass: "Klasse",
  make: "Marke",
  model: "Modell",
  year: "Baujahr",
  color: "Farbe",
  seats: "Sitze",
  luggage: "Gepäckstücke",
  sedan: "Limousine",
  suv: "SUV",
  van: "Van",
  minibus: "Kleinbus",
  bus: "Reisebus",
  limousine: "Stretchlimousine",
  other: "Andere",
  firstCar: "Legen Sie Ihr erstes Fahrzeug an. Fahrten und Fahrer können es dann haben."
}
export default words
