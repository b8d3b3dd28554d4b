/**
 * The schema: one file for each module, named after the module of the domain that it serves. Each runs once, in the
 * order of their numbers.
 *
 * The tables of a business have `business_id` as the first column of their keys, their unique indexes and the foreign
 * keys between them. So no row can refer to another business, and the tables can be distributed by that column. The
 * comment of each other table says that it is global (docs/engineering/0002-postgresql-everywhere.md).
 */
import { business } from "./0001_business.ts"
import { identity } from "./0002_identity.ts"
import { audit } from "./0003_audit.ts"
import { platform } from "./0004_platform.ts"
import { mail } from "./0005_mail.ts"
import { uploads } from "./0006_uploads.ts"
import { fleet } from "./0007_fleet.ts"
import { customers } from "./0008_customers.ts"
import { billing } from "./0009_billing.ts"
import { trips } from "./0010_trips.ts"
import { assignments } from "./0011_assignments.ts"
import { tracking } from "./0012_tracking.ts"
import { webhooks } from "./0013_webhooks.ts"
import { fares } from "./0014_fares.ts"
import { sales } from "./0015_sales.ts"
import { privacy } from "./0016_privacy.ts"
import { administration } from "./0017_administration.ts"
import { linkKeys } from "./0018_link_keys.ts"
import { auditTexts } from "./0019_audit_texts.ts"
import { responsesByBusiness } from "./0020_responses_by_business.ts"
import { sealedInvoices } from "./0021_sealed_invoices.ts"
import { pickupPin } from "./0022_pickup_pin.ts"
import { partPayments } from "./0023_part_payments.ts"
import { erasedSnapshots } from "./0024_erased_snapshots.ts"
import { driveTime } from "./0025_drive_time.ts"
import { invoiceLife } from "./0026_invoice_life.ts"
import { taxes } from "./0027_taxes.ts"
import { tariffs } from "./0028_tariffs.ts"
import { remittances } from "./0029_remittances.ts"
import { accounting } from "./0030_accounting.ts"
import { office } from "./0031_office.ts"
import { departures } from "./0033_departures.ts"
import { failedLetters } from "./0034_failed_letters.ts"
import { monthlyRuns } from "./0037_monthly_runs.ts"
import { invoiceNumbering } from "./0038_invoice_numbering.ts"
import { bankStatements } from "./0039_bank_statements.ts"
import { creditNoteNumbering } from "./0040_credit_note_numbering.ts"
import { dunning } from "./0041_dunning.ts"
import { notices } from "./0044_notices.ts"
import { calendarLinks } from "./0046_calendar_links.ts"
import { flights } from "./0047_flights.ts"
import { imports } from "./0048_imports.ts"
import { driverHomes } from "./0050_driver_homes.ts"
import { acceptedJobs } from "./0051_accepted_jobs.ts"
import { tripTemplates } from "./0054_trip_templates.ts"
import { businessCounters } from "./0055_business_counters.ts"
import { narrowEvents } from "./0056_narrow_events.ts"
import { emailCredits } from "./0057_email_credits.ts"
import { moves } from "./0059_moves.ts"
import { importDelimiter } from "./0060_import_delimiter.ts"
import { driverAccounts } from "./0061_driver_accounts.ts"

/** The SQL of each migration by its name, in order, as a text or a list of statements. Applied ones are recorded and never run again. */
export const migrations: Readonly<Record<string, string | ReadonlyArray<string>>> = {
  "0001_business": business,
  "0002_identity": identity,
  "0003_audit": audit,
  "0004_platform": platform,
  "0005_mail": mail,
  "0006_uploads": uploads,
  "0007_fleet": fleet,
  "0008_customers": customers,
  "0009_billing": billing,
  "0010_trips": trips,
  "0011_assignments": assignments,
  "0012_tracking": tracking,
  "0013_webhooks": webhooks,
  "0014_fares": fares,
  "0015_sales": sales,
  "0016_privacy": privacy,
  "0017_administration": administration,
  "0018_link_keys": linkKeys,
  "0019_audit_texts": auditTexts,
  "0020_responses_by_business": responsesByBusiness,
  "0021_sealed_invoices": sealedInvoices,
  "0022_pickup_pin": pickupPin,
  "0023_part_payments": partPayments,
  "0024_erased_snapshots": erasedSnapshots,
  "0025_drive_time": driveTime,
  "0026_invoice_life": invoiceLife,
  "0027_taxes": taxes,
  "0028_tariffs": tariffs,
  "0029_remittances": remittances,
  "0030_accounting": accounting,
  "0031_office": office,
  "0033_departures": departures,
  "0034_failed_letters": failedLetters,
  "0037_monthly_runs": monthlyRuns,
  "0038_invoice_numbering": invoiceNumbering,
  "0039_bank_statements": bankStatements,
  "0040_credit_note_numbering": creditNoteNumbering,
  "0041_dunning": dunning,
  "0044_notices": notices,
  "0046_calendar_links": calendarLinks,
  "0047_flights": flights,
  "0048_imports": imports,
  "0050_driver_homes": driverHomes,
  "0051_accepted_jobs": acceptedJobs,
  "0054_trip_templates": tripTemplates,
  "0055_business_counters": businessCounters,
  "0056_narrow_events": narrowEvents,
  "0057_email_credits": emailCredits,
  "0059_moves": moves,
  "0060_import_delimiter": importDelimiter,
  "0061_driver_accounts": driverAccounts
}
