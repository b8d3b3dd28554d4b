/** The ports of the sweeps, each with what is due in its place. No read of these touches a table of the coordinator alone. */
import {
  BookingRepository,
  FlightRepository,
  ImportRepository,
  MonthlyRunRepository,
  NoticeRepository,
  QuoteRepository,
  ReminderRepository,
  SeatSubscriptionRepository
} from "@livery/domain"
import * as MonthlyRunRepositoryPg from "./billing/MonthlyRunRepositoryPg.ts"
import * as ReminderRepositoryPg from "./billing/ReminderRepositoryPg.ts"
import * as FlightRepositoryPg from "./flights/FlightRepositoryPg.ts"
import * as SeatSubscriptionRepositoryPg from "./fleet/SeatSubscriptionRepositoryPg.ts"
import * as ImportRepositoryPg from "./moving/ImportRepositoryPg.ts"
import * as NoticeRepositoryPg from "./notices/NoticeRepositoryPg.ts"
import * as BookingRepositoryPg from "./sales/BookingRepositoryPg.ts"
import * as QuoteRepositoryPg from "./sales/QuoteRepositoryPg.ts"
import { readInPlace } from "./sql/places/ReadInPlace.ts"

/** Bookings whose expiry is due. */
export const bookings = readInPlace(BookingRepository, BookingRepositoryPg.layer, ["due"])
/** Businesses that follow flights. */
export const flights = readInPlace(FlightRepository, FlightRepositoryPg.layer, ["businesses"])
/** Imports that have not ended, and old lines of ended ones. */
export const imports = readInPlace(ImportRepository, ImportRepositoryPg.layer, ["unfinished", "removeLines"])
/** Items of monthly runs that wait. */
export const monthlyRuns = readInPlace(MonthlyRunRepository, MonthlyRunRepositoryPg.layer, ["waiting"])
/** Trips whose notices or reminders are due. */
export const notices = readInPlace(NoticeRepository, NoticeRepositoryPg.layer, ["due", "dueReminders"])
/** Quotes that expire. */
export const quotes = readInPlace(QuoteRepository, QuoteRepositoryPg.layer, ["expireDue"])
/** Businesses that remind their customers of invoices. */
export const reminders = readInPlace(ReminderRepository, ReminderRepositoryPg.layer, ["businesses"])
/** Businesses whose paid seats are to be reconciled. */
export const seats = readInPlace(SeatSubscriptionRepository, SeatSubscriptionRepositoryPg.layer, ["due"])
