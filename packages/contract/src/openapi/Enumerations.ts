/** What the values of each enumeration of the document mean, for the comments of generated clients. */
import type { Json } from "./Json.ts"

/** The descriptions, by the first four values. */
const descriptions: Readonly<Record<string, string>> = {
  "customers drivers cars trips": "What the lines of the table are.",
  "made matched changed refused":
    "What became of the line: a new record, a record that is the same, a record that was changed, or nothing.",
  "running finished failed": "Whether lines of the import still wait.",
  "camt.053 csv": "The format of the file.",
  "booked changed cancelled reminder": "What is told: see the table of kinds in the guide to notices.",
  "sha1 sha256": "The hash function of the signature.",
  "hex base64": "How the signature is written.",
  "mail text push":
    "The way in which a message reaches a person: an email, a text message or a push message.",
  "queued sent delivered failed": "What became of the notice.",
  "passenger booker driver office": "Who is told.",
  "json form text": "How the placeholders are written in the body.",
  "POST PUT GET": "The method of the request.",
  "skip keep": "Whether holidays get no copy of the trip, or one as other days do.",
  "de el en es": "The language of the letter or of the words.",
  "gsm-7 ucs-2": "How the text message is encoded.",
  "open confirmed ignored": "Whether the entry waits for a person, pays invoices, or pays none.",
  "credit debit": "Whether the amount came in or went out.",
  "reference amount name":
    "Why the invoice is proposed: its number or reference, the amount, or the payer's name.",
  "A D": "`A`: active; `D`: suspended.",
  "A S": "`A`: an administrator of a business; `S`: a super-admin of the platform.",
  "S A": "`S`: a super-admin of the platform; `A`: an administrator of a business.",
  "S A D": "`S`: a super-admin of the platform; `A`: an administrator of a business; `D`: a driver.",
  "address flight domestic_flight international_flight":
    "What the passenger arrives by; it decides the free waiting time.",
  "airport tolls gratuity late_cancellation": "A part of a fare that is not taxed.",
  "arrived_at_pickup passenger_on_board arrived_at_stop no_show":
    "A step that the driver reported on the way.",
  "assign unassign": "Whether the user becomes a member of the business or leaves it.",
  "assigned en_route completed cancelled": "The state of a driver's assignment.",
  "attached not_expected incomplete":
    "Whether the PDF holds the electronic invoice, needs none, or lacks data for it.",
  "base night dates airport": "The rule of the tariff that made this step of the fare.",
  "boolean integer": "The type of the setting's value.",
  "cancellation price complaint duplicate": "Why the credit note was written.",
  "card cash bank_transfer other": "How the payment was made.",
  "cost_center po_number": "The field of the trips that groups the lines.",
  "not_completed other_currency no_price":
    "Why the trip is not on the invoice: it has not ended, its price is in another currency, or it has none.",
  "created updated attached detached": "What happened to the invoice.",
  "comma semicolon tab": "What stands between two cells.",
  "csv datev quickbooks xero": "The program for which the file is written.",
  "created updated status_changed driver_assigned": "What happened to the trip.",
  "customer_request operator no_driver no_show": "Why the trip was cancelled.",
  "day_off vacation sick off_shift": "Why the driver is away.",
  "draft unpaid partial paid": "The state of the invoice; see `GET /meta/state-machines`.",
  "draft sent accepted converted": "The state of the quote; see `GET /meta/state-machines`.",
  "either one_way": "Whether the price also holds for the way back.",
  "enabled disabled": "Whether events are sent to the endpoint.",
  "scheduled active landed cancelled": "The state of the flight.",
  "unchanged moved limited kept":
    "What the flight did to the pickup: nothing, a move, a move up to the limit, nothing because it was set by hand, or nothing because it would clash.",
  "graduated whole": "Whether each tier prices its own part of the distance, or the reached tier all of it.",
  "great_circle road": "Whether the route was estimated from great circles or found on roads.",
  "invoice reminder statement quote_sent": "The kind of the letter.",
  "invoice fee voided credit_note": "What the line of the statement is about.",
  "ios android web": "The platform of the device.",
  "km mi": "The unit of the tariff's distances.",
  "longer_can_be_cheaper includes_differ discounts_combine": "A likely mistake in the tariff.",
  "month quarter year": "The length of the periods.",
  "monday tuesday wednesday thursday": "A day of the week.",
  "nearest up down": "How the total is rounded.",
  "no_price distance_unknown duration_unknown too_many_passengers": "Why the class has no fare.",
  "off warn enforce":
    "What overlapping trips of a driver or a car do: nothing, a warning, or a refusal until confirmed.",
  "once repeating forever": "For how long the coupon applies.",
  "operator customer driver payment": "Who may make the transition.",
  "none read write": "What the caller may do in the area.",
  "outbound return": "The leg of a round trip.",
  "owner dispatcher accountant viewer": "What the member may do; see the table of areas in the guide.",
  "payment refund reversal credit": "The kind of the entry in the ledger.",
  "pending made nothing refused":
    "Whether the invoice waits, was made, is not needed because all trips are left out, or was refused.",
  "pending sent refused": "Whether the email of the invoice waits, was sent or was refused.",
  "running finished": "Whether invoices or emails of the run still wait.",
  "pending confirmed completed cancelled": "The state of the booking; see `GET /meta/state-machines`.",
  "pending confirmed in_progress completed": "The state of the trip; see `GET /meta/state-machines`.",
  "pending delivered failed": "The state of the delivery; see `GET /meta/state-machines`.",
  "queued sent failed": "What became of the email: it waits, the mail server took it, or it was given up.",
  "point comma": "What stands before the decimals of a number.",
  "gap trip assignment position":
    "What happened: events were missed; a trip is new or has changed; its drivers or its car have changed; a driver moved; a trip left the board; the counts changed.",
  "revenue trips punctuality drivers": "The report.",
  "day month customer class": "What the rows of the report are by.",
  "status channel": "What the rows of the report are by.",
  "not_due to_30 to_60 to_90": "How many days the invoices are overdue.",
  "en de fr it": "The language of the screens.",
  "system light dark": "The look of the screens; `system` follows the device.",
  "start missed": "`start`: the stream begins; `missed`: the events after the last one are not kept.",
  "position status": "What changed: the position or the state of the trip.",
  "postal circle polygon airport": "How the zone is drawn.",
  "required invalid too_short too_long": "What is wrong with the field.",
  "ride cancelled no_show waived": "What the fare is for: the ride, or the fee of its cancellation.",
  "sedan suv van minibus": "The class of the vehicle.",
  "share hours flat minimum": "The rule of the driver's pay that made this line.",
  "skr03 skr04": "The chart of accounts.",
  "sun mon tue wed": "A day of the week.",
  "suspend activate": "Whether the business is suspended or active again.",
  "image/png image/jpeg image/webp application/pdf": "The type of the file, found in its content.",
  "transfer airport_arrival airport_departure hourly": "The kind of the trip.",
  "transfer tour hourly other": "The kind of the product.",
  "trialing active past_due cancelled": "The state of the business's subscription.",
  "trip.created trip.updated trip.completed trip.cancelled":
    "The type of the event; it decides the record in `data`.",
  "ubl cii": "The syntax of the XML: UBL 2.1, or UN/CEFACT's Cross Industry Invoice.",
  "unassigned assigned en_route completed": "The progress of the trip's drivers together.",
  "unassigned late_start schedule_clash car_clash": "What to look at before the trip starts.",
  "unpaid partial paid": "How much of the price is paid.",
  "unpaid partial paid void": "The state of the invoice; see `GET /meta/state-machines`.",
  "utf-8 utf-8-bom windows-1252": "The encoding; `utf-8-bom` begins with a byte order mark.",
  "upcoming previous": "Trips from now on, the soonest first, or earlier ones, the latest first.",
  "zero_rated exempt reverse_charge outside_scope": "Why the invoice has no tax."
}

/** A schema with a description of its values, if it is an enumeration without one. */
export const withDescribedValues = (schema: Json): Json => {
  const { description, enum: values } = schema
  if (!Array.isArray(values) || values.length < 2 || description !== undefined) return schema
  const found = descriptions[values.slice(0, 4).join(" ")]
  return found === undefined ? schema : { ...schema, description: found }
}
