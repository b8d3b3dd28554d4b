/** The names that columns have in plain sheets and in the exports of other programs. */
import { Schema } from "effect"
import type { ImportKind } from "./ImportKind.ts"

/** The built-in maps. */
export const mapNames = ["plain", "limo_anywhere", "moovs"] as const
export const MapName = Schema.Literals(mapNames)
export type MapName = typeof MapName.Type

/** The fields of a kind, each with the names of its column. Case, spaces and signs do not matter. */
type Names = Readonly<Record<string, ReadonlyArray<string>>>

const person: Names = {
  external_ref: [
    "id",
    "external id",
    "reference",
    "customer number",
    "customer no",
    "Kundennummer",
    "Kunden-Nr",
    "Nummer"
  ],
  name: ["full name", "customer", "customer name", "Name", "Kunde", "Kundenname"],
  first_name: ["first name", "given name", "Vorname"],
  last_name: ["last name", "surname", "family name", "Nachname", "Familienname"],
  email: ["email", "e-mail", "email address", "mail", "E-Mail-Adresse"],
  phone: [
    "phone",
    "telephone",
    "mobile",
    "cell",
    "phone number",
    "mobile phone",
    "Telefon",
    "Telefonnummer",
    "Handy",
    "Mobil",
    "Rufnummer"
  ]
}

const car: Names = {
  vehicle_class: ["class", "vehicle class", "vehicle type", "type", "Klasse", "Fahrzeugklasse", "Fahrzeugtyp"]
}

const plain: Readonly<Record<ImportKind, Names>> = {
  customers: {
    ...person,
    company: ["company", "company name", "organisation", "organization", "Firma", "Unternehmen"],
    address: ["address", "billing address", "Adresse", "Anschrift", "Rechnungsadresse"],
    street: ["street", "address line 1", "Straße", "Strasse"],
    postal_code: ["postal code", "zip", "zip code", "postcode", "PLZ", "Postleitzahl"],
    city: ["city", "town", "Ort", "Stadt"],
    country: ["country", "Land"],
    vat_number: ["vat", "vat number", "vat id", "tax id", "USt-IdNr", "Umsatzsteuer-ID", "UID"],
    account_number: ["account", "account number", "debtor", "Debitor", "Debitorennummer", "Konto"],
    payment_terms_days: ["payment terms", "terms", "payment terms days", "Zahlungsziel"],
    language: ["language", "Sprache"],
    notes: ["notes", "note", "remarks", "comment", "Notiz", "Notizen", "Bemerkung", "Bemerkungen"]
  },
  drivers: {
    ...person,
    external_ref: ["id", "external id", "driver number", "Fahrernummer", "Personalnummer"],
    name: ["full name", "driver", "driver name", "Name", "Fahrer"],
    license_number: [
      "license",
      "licence",
      "license number",
      "licence number",
      "Führerschein",
      "Führerscheinnummer",
      "P-Schein"
    ],
    license_expires_on: [
      "license expires",
      "licence expires",
      "license expiry",
      "Führerschein bis",
      "gültig bis"
    ],
    active: ["active", "aktiv"]
  },
  cars: {
    ...car,
    external_ref: ["id", "external id", "car number", "vehicle number", "Fahrzeugnummer"],
    name: ["name", "car", "vehicle", "Fahrzeug", "Bezeichnung"],
    plate_number: ["plate", "plate number", "license plate", "licence plate", "registration", "Kennzeichen"],
    make: ["make", "brand", "Marke", "Hersteller"],
    model: ["model", "Modell"],
    year: ["year", "Baujahr"],
    color: ["color", "colour", "Farbe"],
    seats: ["seats", "capacity", "passengers", "Plätze", "Sitze", "Sitzplätze"],
    luggage: ["luggage", "bags", "Gepäck", "Koffer"],
    active: ["active", "aktiv"]
  },
  trips: {
    external_ref: [
      "id",
      "external id",
      "trip number",
      "booking number",
      "order number",
      "reference",
      "Auftragsnummer",
      "Buchungsnummer",
      "Fahrtnummer"
    ],
    status: ["status", "Zustand"],
    trip_type: ["trip type", "service type", "Fahrtart"],
    trip_date: [
      "date and time",
      "pickup at",
      "pickup date time",
      "trip date",
      "Datum und Uhrzeit",
      "Abholung am",
      "Termin"
    ],
    pickup_date: ["date", "pickup date", "Datum", "Abholdatum"],
    pickup_time: ["time", "pickup time", "Uhrzeit", "Zeit", "Abholzeit"],
    duration_minutes: ["duration", "duration minutes", "Dauer"],
    pickup_address: [
      "from",
      "pickup",
      "pickup address",
      "pick up",
      "Von",
      "Abholort",
      "Abholadresse",
      "Start"
    ],
    dropoff_address: [
      "to",
      "dropoff",
      "dropoff address",
      "drop off",
      "destination",
      "Nach",
      "Ziel",
      "Zielort",
      "Zieladresse"
    ],
    customer_ref: ["customer id", "customer number", "Kundennummer", "Kunden-Nr"],
    customer_name: ["customer", "customer name", "name", "booked by", "Kunde", "Kundenname", "Auftraggeber"],
    customer_email: ["email", "customer email", "e-mail", "Kunden-E-Mail"],
    customer_phone: ["phone", "customer phone", "mobile", "Telefon", "Handy"],
    passenger_name: ["passenger", "passenger name", "guest", "Fahrgast", "Gast", "Passagier"],
    participants_count: ["passengers", "pax", "number of passengers", "Personen", "Fahrgäste"],
    ordered_class: ["class", "vehicle class", "vehicle type", "Klasse", "Fahrzeugklasse"],
    car: ["car", "vehicle", "plate", "Fahrzeug", "Kennzeichen"],
    total_amount: ["price", "amount", "total", "fare", "Preis", "Betrag", "Gesamt"],
    currency: ["currency", "Währung"],
    flight_number: ["flight", "flight number", "Flug", "Flugnummer"],
    po_number: ["po number", "purchase order", "Bestellnummer"],
    cost_center: ["cost center", "cost centre", "Kostenstelle"],
    notes: ["notes", "note", "remarks", "Notiz", "Notizen", "Bemerkung", "Bemerkungen"]
  },
  invoices: {
    number: [
      "number",
      "invoice",
      "invoice number",
      "invoice no",
      "Rechnung",
      "Rechnungsnummer",
      "Rechnungs-Nr",
      "Nummer"
    ],
    customer_ref: ["customer id", "customer number", "Kundennummer", "Kunden-Nr"],
    customer_name: ["customer", "customer name", "name", "Kunde", "Kundenname"],
    customer_email: ["email", "customer email", "e-mail"],
    issued_on: ["date", "invoice date", "issued", "issued on", "Datum", "Rechnungsdatum"],
    due_date: ["due", "due date", "due on", "fällig", "fällig am", "Fälligkeit"],
    total_amount: ["total", "amount", "gross", "Betrag", "Gesamt", "Bruttobetrag", "Rechnungsbetrag"],
    amount_due: [
      "open",
      "open amount",
      "balance",
      "due amount",
      "outstanding",
      "offen",
      "offener Betrag",
      "Restbetrag",
      "Saldo"
    ],
    currency: ["currency", "Währung"],
    description: ["description", "subject", "Beschreibung", "Betreff", "Leistung"],
    notes: ["notes", "Notiz", "Bemerkung"]
  },
  tariffs: {
    ...car,
    name: ["tariff", "rate", "rate name", "Tarif", "Name"],
    currency: ["currency", "Währung"],
    base: ["base", "base fare", "flag fall", "Grundpreis", "Grundgebühr"],
    per_km: ["per km", "price per km", "km", "je km", "pro km", "Kilometerpreis"],
    per_minute: ["per minute", "je Minute", "pro Minute", "Minutenpreis"],
    per_hour: ["per hour", "hourly", "hourly rate", "je Stunde", "pro Stunde", "Stundensatz", "Stundenpreis"],
    minimum: ["minimum", "minimum fare", "Mindestpreis"]
  }
}

const none: Names = {}

/** The names in Limo Anywhere's exports of accounts, reservations, vehicles, drivers and invoices. */
const limoAnywhere: Readonly<Record<ImportKind, Names>> = {
  customers: {
    external_ref: ["account number", "account #", "acct #", "acct number"],
    first_name: ["first name", "billing contact first name"],
    last_name: ["last name", "billing contact last name"],
    company: ["company name", "account name"],
    email: ["email address", "email 1"],
    phone: ["cellular phone", "cell phone", "phone 1", "office phone", "home phone"],
    street: ["address 1", "primary address"],
    postal_code: ["zip/post", "zip code"],
    notes: ["internal notes", "account notes"]
  },
  drivers: {
    external_ref: ["driver id", "driver code", "alias"],
    first_name: ["first name"],
    last_name: ["last name"],
    email: ["email address"],
    phone: ["cellular phone", "cell phone", "phone 1"],
    license_number: ["drivers license", "driver license #", "license #"],
    license_expires_on: ["license exp", "dl exp date", "license exp date"]
  },
  cars: {
    external_ref: ["vehicle id", "vehicle code"],
    name: ["vehicle name", "car name", "car"],
    plate_number: ["license plate", "tag #", "lic plate"],
    vehicle_class: ["vehicle type", "veh type"],
    seats: ["max pax", "passenger capacity"]
  },
  trips: {
    external_ref: ["conf #", "conf. #", "confirmation #", "confirmation number", "reservation #", "res #"],
    status: ["trip status", "res status"],
    trip_type: ["service type", "svc type"],
    pickup_date: ["pu date", "pick-up date", "pickup date"],
    pickup_time: ["pu time", "pick-up time", "pickup time"],
    pickup_address: ["pu address", "pick-up address", "pick-up location", "pu location", "pickup location"],
    dropoff_address: [
      "do address",
      "drop-off address",
      "drop-off location",
      "do location",
      "dropoff location"
    ],
    customer_ref: ["account number", "account #", "acct #", "billing account"],
    customer_name: ["company name", "account name", "billing contact", "bill to"],
    customer_email: ["billing contact email", "passenger email", "email address"],
    customer_phone: ["passenger phone", "cellular phone", "phone 1"],
    passenger_name: ["passenger name", "pax name"],
    first_name: ["passenger first name"],
    last_name: ["passenger last name"],
    participants_count: ["# of pax", "no. of passengers", "pax #"],
    ordered_class: ["vehicle type", "veh type"],
    car: ["car", "vehicle"],
    total_amount: ["grand total", "total due", "trip total"],
    flight_number: ["flight #", "flt #"],
    notes: ["trip notes", "special notes"]
  },
  invoices: {
    number: ["invoice #", "invoice number"],
    customer_ref: ["account number", "account #", "acct #"],
    customer_name: ["bill to", "account name", "company name"],
    customer_email: ["email address"],
    issued_on: ["invoice date"],
    due_date: ["due date"],
    total_amount: ["invoice total", "grand total"],
    amount_due: ["balance due", "balance", "total due"]
  },
  tariffs: none
}

/** The names in Moovs' exports of contacts, reservations, vehicles, drivers and invoices. */
const moovs: Readonly<Record<ImportKind, Names>> = {
  customers: {
    external_ref: ["contact id"],
    first_name: ["contact first name", "first name"],
    last_name: ["contact last name", "last name"],
    name: ["contact name"],
    company: ["company name", "linked company"],
    email: ["contact email", "email"],
    phone: ["contact phone", "mobile phone", "phone number"],
    street: ["home address"],
    notes: ["contact notes"]
  },
  drivers: {
    external_ref: ["driver id"],
    name: ["driver name"],
    email: ["driver email"],
    phone: ["driver phone"]
  },
  cars: {
    external_ref: ["vehicle id"],
    name: ["vehicle name"],
    vehicle_class: ["vehicle type"],
    plate_number: ["license plate"],
    seats: ["passenger capacity"]
  },
  trips: {
    external_ref: [
      "trip conf #",
      "trip confirmation number",
      "trip number",
      "confirmation number",
      "order number"
    ],
    status: ["trip status", "reservation status"],
    trip_type: ["trip type", "order type"],
    trip_date: ["pickup date & time", "pickup datetime"],
    pickup_date: ["pickup date"],
    pickup_time: ["pickup time"],
    pickup_address: ["pickup address", "pickup location"],
    dropoff_address: ["dropoff address", "dropoff location"],
    customer_name: ["booking contact", "booking contact name"],
    customer_email: ["booking contact email"],
    customer_phone: ["booking contact phone"],
    passenger_name: ["passenger", "passenger name", "trip contact name"],
    participants_count: ["passenger count", "total group size"],
    ordered_class: ["vehicle type"],
    car: ["vehicle", "vehicle name"],
    total_amount: ["total amount", "trip total", "amount due"],
    flight_number: ["flight number"],
    notes: ["trip notes", "internal comments"]
  },
  invoices: {
    number: ["invoice number"],
    customer_name: ["company", "contact name", "billing contact"],
    customer_email: ["contact email", "billing email"],
    issued_on: ["invoice date", "sent date"],
    due_date: ["due date"],
    total_amount: ["invoice total", "total amount"],
    amount_due: ["amount due", "balance due"]
  },
  tariffs: none
}

/** The names of the columns by map and kind. */
export const columnNames: Readonly<Record<MapName, Readonly<Record<ImportKind, Names>>>> = {
  plain,
  limo_anywhere: limoAnywhere,
  moovs
}
