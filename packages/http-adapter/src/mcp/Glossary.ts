/** The words of the trade, as `docs/glossary.md` explains them. */
export const glossary: Readonly<Record<string, string>> = {
  Business:
    "A chauffeur or ground-transport company: the tenant that all other records belong to. `A` active, `D` suspended",
  Member: "A user who may act for a business, with a role: `owner`, `dispatcher`, `accountant` or `viewer`",
  User: "A person with an account: super-admin (`S`), admin (`A`) or driver (`D`)",
  Driver: "A driver's record in a business. It may be linked to a user's account",
  Car: "A vehicle of a business",
  Customer: "A client of a business, who books trips",
  Trip: "One booked ride: `pending`, `confirmed`, `in_progress`, `completed`, `cancelled`",
  Assignment: "The assignment of one driver to a trip: `assigned`, `en_route`, `completed`, `cancelled`",
  Milestone: "A point of an assignment that the driver reports, such as the arrival at the pickup",
  Clash: "Two assignments of one driver, or two trips of one car, whose time windows overlap",
  "Clash policy": "How a business treats clashes: `off`, `warn`, `enforce`",
  "Dispatch board": "The trips of a day with their drivers, cars and warnings",
  Timeline: "The history of a trip: each change, its time and its author",
  Absence: "A time at which a driver cannot be given trips",
  "Default car": "The car that a driver drives unless the trip or the assignment has another one",
  "Tracking link": "A public link that shows the position of a trip",
  Plan: "The subscription of a business, with its limits of cars, drivers and invoices",
  Seat: "A driver beyond the plan's limit, paid for separately",
  Quote: "An offer of a price, which becomes trips when the customer accepts it",
  Product: "A service with a price and a capacity that customers book",
  Booking:
    "Places of a product for a customer at a time. Its confirmation books a trip, if the product is a transport",
  Invoice: "A numbered bill with lines, payments and a due date",
  "Credit note": "A numbered document that credits a part of an invoice or all of it",
  Ledger: "The payments and refunds of an invoice, as entries that are never changed",
  Notice:
    "A signed message of the payment provider about a payment, a refund or a subscription: Stripe's webhook events",
  "Fare, tariff": "The price of a trip, and the rules for its calculation"
}
