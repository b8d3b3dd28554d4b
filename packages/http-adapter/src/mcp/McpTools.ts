/**
 * The tools of the MCP server: what a dispatcher and an office ask, each over one operation of the contract. A tool takes the
 * parameters and the fields of its operation.
 */
import type { Json } from "@livery/contract"

/** A tool. */
export interface McpTool {
  readonly name: string
  /** The id of its operation in the contract. */
  readonly operation: string
  /** What it is for, to people and to language models. */
  readonly purpose: string
  /** Values for arguments that a call leaves out. */
  readonly defaults?: Json
  /** The records of a list that it returns, from all pages; by default all records of one page. */
  readonly keep?: (record: Json) => boolean
  /** A POST that changes nothing, so that it needs no confirmation. */
  readonly onlyReads?: boolean
}

const isLate = ({ warnings }: Json) =>
  Array.isArray(warnings) && warnings.some((warning: Json) => warning["type"] === "late_start")

/** All tools. */
export const mcpTools: ReadonlyArray<McpTool> = [
  {
    name: "find_trips",
    operation: "trips.list",
    purpose: "Find trips by text, status, day, driver or customer."
  },
  {
    name: "read_trip",
    operation: "trips.read",
    purpose: "Read one trip with its drivers, prices and times."
  },
  { name: "trip_history", operation: "trips.timeline", purpose: "Who changed a trip, when, and what." },
  {
    name: "day_board",
    operation: "dispatch.board",
    purpose: "The jobs of a day, by default today, with drivers, cars, positions and warnings."
  },
  {
    name: "late_trips",
    operation: "dispatch.board",
    purpose: "The jobs of a day whose driver has not started in time.",
    keep: isLate
  },
  { name: "find_customers", operation: "customers.list", purpose: "Find customers by name, email or phone." },
  { name: "read_customer", operation: "customers.read", purpose: "Read one customer." },
  {
    name: "customer_trips",
    operation: "customers.trips",
    purpose: "The trips of a customer, the latest first."
  },
  { name: "find_drivers", operation: "drivers.list", purpose: "The drivers of the business, by name." },
  {
    name: "free_drivers",
    operation: "drivers.free",
    purpose: "The drivers who have neither a trip nor an absence between two times."
  },
  { name: "driver_times", operation: "drivers.availability", purpose: "When a driver is busy or away." },
  { name: "find_cars", operation: "cars.list", purpose: "The cars of the business, by name." },
  {
    name: "find_quotes",
    operation: "quotes.list",
    purpose: "Find quotes by status, customer, reference or day."
  },
  {
    name: "find_invoices",
    operation: "invoices.list",
    purpose: "Find invoices by status, customer, number or day."
  },
  {
    name: "unpaid_invoices",
    operation: "invoices.list",
    purpose: "Invoices without a payment; with the status `partial`, those that are paid in part.",
    defaults: { status: "unpaid" }
  },
  {
    name: "read_invoice",
    operation: "invoices.read",
    purpose: "Read one invoice with its lines and what is due."
  },
  {
    name: "estimate_fare",
    operation: "fares.estimate",
    purpose: "What a trip would cost in each vehicle class by the tariff, line by line.",
    onlyReads: true
  },
  { name: "find_webhooks", operation: "webhooks.list", purpose: "The endpoints that receive events." },
  {
    name: "explain_deliveries",
    operation: "webhooks.deliveries",
    purpose: "Why events did not reach an endpoint: each delivery with its attempts, statuses and errors."
  },
  { name: "book_trip", operation: "trips.create", purpose: "Book a trip." },
  { name: "change_trip", operation: "trips.update", purpose: "Change, confirm, complete or cancel a trip." },
  { name: "assign_drivers", operation: "trips.assign", purpose: "Replace the drivers of a trip." },
  { name: "add_customer", operation: "customers.create", purpose: "Add a customer." },
  { name: "draft_quote", operation: "quotes.create", purpose: "Write a quote as a draft." },
  { name: "send_quote", operation: "quotes.send", purpose: "Email a quote to its customer." },
  { name: "create_invoice", operation: "invoices.create", purpose: "Invoice items or trips of a customer." },
  {
    name: "record_payment",
    operation: "invoices.pay",
    purpose: "Record a payment that was received for an invoice."
  },
  { name: "send_invoice", operation: "invoicePdfs.email", purpose: "Email an invoice as a PDF." },
  {
    name: "retry_delivery",
    operation: "webhooks.retry",
    purpose: "Send the event of a failed delivery again."
  }
]
