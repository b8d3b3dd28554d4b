/**
 * The users of each index of the schema that enforces no rule. A test compares them with the schema, so that no index is written
 * without a use, and none is dropped unnoticed.
 */

/**
 * The indexes that the plans of a test read, by what the test reads. The test bounds what is read, not by which index: PostgreSQL may choose
 * another one that is as good.
 */
export const readBy = {
  "lists of a business": [
    "cars_by_active",
    "cars_by_name",
    "customers_by_name",
    "customers_by_search",
    "drivers_by_active",
    "drivers_by_name",
    "products_by_active",
    "products_by_name"
  ],
  "the platform's lists": [
    "audit_log_by_action",
    "audit_log_by_actor",
    "audit_log_by_business",
    "audit_log_by_subject",
    "business_members_by_user",
    "businesses_by_search",
    "saas_invoices_by_business",
    "saas_invoices_by_status",
    "users_by_account_type",
    "users_by_search"
  ],
  sales: [
    "booking_payments_by_both",
    "booking_payments_by_customer",
    "booking_payments_by_product",
    "booking_payments_by_status",
    "bookings_by_customer",
    "bookings_by_product",
    "bookings_by_start",
    "bookings_by_status",
    "invoices_by_customer",
    "invoices_by_customer_and_day",
    "invoices_by_day",
    "invoices_by_status",
    "invoices_by_status_and_day",
    "invoices_listed",
    "quotes_by_creation",
    "quotes_by_customer",
    "quotes_by_status"
  ],
  "a driver's jobs": [
    "assignments_by_driver",
    "assignments_by_status",
    "assignments_by_trip",
    "assignments_en_route",
    "assignments_windows",
    "trips_deleted"
  ],
  "the erasure of an account": ["audit_log_by_text"],
  "the erasure of a person with invoices": ["invoice_snapshots_by_trip"],
  deliveries: ["webhook_deliveries_claimed", "webhook_deliveries_failed", "webhook_deliveries_waiting"],
  absences: ["driver_absences_by_driver"],
  "trips by status, payment status, invoice and time": [
    "trips_by_date",
    "trips_by_status",
    "trips_invoiced",
    "trips_uninvoiced"
  ],
  "rare trips": [
    "assignments_by_car",
    "assignments_long_by_car",
    "cars_by_class",
    "trip_search_by_word",
    "trips_by_car",
    "trips_by_customer",
    "trips_by_flight",
    "trips_by_group",
    "trips_by_update",
    "trips_long_by_car",
    "trips_long_by_date"
  ],
  "the request path": ["assignments_by_ended_token", "assignments_long"],
  "free drivers": ["driver_absences_long"],
  "free drivers near a place or by class": ["drivers_by_car", "trips_by_dropoff"]
} as const satisfies Readonly<Record<string, ReadonlyArray<string>>>

/** The other indexes: the file of the statement that uses each, and what the statement does. */
export const otherUsers: Readonly<Record<string, readonly [file: string, does: string]>> = {
  business_arrivals_closed: ["platform/Arrivals.ts", "tells whether a business is being moved here"],
  driver_accounts_by_user: [
    "identity/DriversOfAccounts.ts",
    "finds the businesses of a driver's account on a distributed database"
  ],
  saved_views_by_user: ["identity/ScreenRepositoryPg.ts", "lists the views of a user"],
  trips_by_deletion: [
    "trips/DispatchBoardRepositoryPg.ts",
    "finds the trips that were deleted lately, for the followers of the board"
  ],
  bank_entries_by_statement: ["billing/BankStatementRepositoryPg.ts", "lists the entries of a statement"],
  booking_payments_by_invoice: [
    "billing/InvoicedBookingsPg.ts",
    "finds the bookings that are paid with an invoice whose status changes"
  ],
  bookings_by_trip: ["billing/InvoicedBookingsPg.ts", "finds the bookings of trips that are invoiced"],
  bookings_to_expire: ["sales/BookingRepositoryPg.ts", "finds the bookings that are due to expire"],
  businesses_by_link_key: ["business/BusinessRepositoryPg.ts", "finds the business of a link"],
  businesses_by_subscription_item: [
    "business/SubscriptionStatusRepositoryPg.ts",
    "finds the business of a subscription at the payment provider"
  ],
  card_intents_open: [
    "billing/CardIntentRepositoryPg.ts",
    "finds the open payments whose outcome is asked for"
  ],
  card_intents_by_invoice: ["billing/CardIntentRepositoryPg.ts", "finds the open payments of an invoice"],
  credit_notes_by_day: ["billing/BookRepositoryPg.ts", "reads the books of some days"],
  credit_notes_by_invoice: ["billing/CreditNoteRepositoryPg.ts", "lists the credit notes of an invoice"],
  devices_by_user: ["identity/DeviceRepositoryPg.ts", "lists the devices of a user"],
  driver_invitations_by_driver: [
    "fleet/DriverInvitationRepositoryPg.ts",
    "replaces the invitation of a driver"
  ],
  driver_seats_by_driver: ["fleet/DriverRepositoryPg.ts", "keeps a driver who had a seat"],
  driver_seats_taken: ["fleet/SeatRepositoryPg.ts", "counts the seats of a business"],
  events_without_position: ["webhooks/EventPositionsPg.ts", "assigns positions to new events"],
  invoices_by_fee_of: [
    "billing/ReminderRepositoryPg.ts",
    "finds the open fees of an invoice, which are added to its reminder"
  ],
  invoices_by_issue: ["billing/BookRepositoryPg.ts", "reads the books of some days"],
  invoices_open_by_due_day: ["billing/InvoicePages.ts", "lists the invoices that are overdue"],
  invoices_by_voiding: ["billing/BookRepositoryPg.ts", "reads the books of some days"],
  invoices_by_creation: ["billing/InvoiceRepositoryPg.ts", "counts the invoices of a month"],
  invoices_by_hash: ["billing/InvoiceRepositoryPg.ts", "finds the invoice of a payment link"],
  invoices_referring_to_customer: [
    "customers/CustomerRepositoryPg.ts",
    "looks for invoices that refer to a customer who is deleted"
  ],
  invoices_with_excess: [
    "billing/InvoiceRepositoryPg.ts",
    "finds the invoices that hold credit of a customer"
  ],
  invoices_to_remind: ["billing/ReminderRepositoryPg.ts", "finds the invoices that are due for a reminder"],
  customers_by_external_ref: ["moving/MatchRepositoryPg.ts", "finds the customers of imported lines"],
  imports_unfinished: ["moving/ImportRepositoryPg.ts", "finds the imports that wait for the worker"],
  imports_by_end: ["moving/ImportRepositoryPg.ts", "finds the imports whose lines are removed"],
  import_lines_waiting: ["moving/ImportRepositoryPg.ts", "finds the next lines of an import"],
  import_lines_by_status: ["moving/ImportRepositoryPg.ts", "lists the refused lines of an import"],
  monthly_run_items_to_raise: [
    "billing/MonthlyRunRepositoryPg.ts",
    "finds the invoices that a run has to raise"
  ],
  monthly_run_items_to_send: [
    "billing/MonthlyRunRepositoryPg.ts",
    "finds the invoices that a run has to email"
  ],
  mail_counts_expired: ["mail/MailOutboxPg.ts", "deletes the counts of the past hour"],
  mail_outbox_due: ["mail/MailOutboxPg.ts", "claims the mail that is due"],
  notice_marks_due: ["notices/NoticeRepositoryPg.ts", "finds the changed trips whose notices are due"],
  notices_by_reference: [
    "notices/NoticeRepositoryPg.ts",
    "finds the text message that a receipt of the gateway is about"
  ],
  notices_by_trip: ["notices/NoticeRepositoryPg.ts", "lists the notices of a trip"],
  payments_by_day: ["billing/BookRepositoryPg.ts", "reads the books of some days"],
  payments_of_credit: [
    "billing/AccountRepositoryPg.ts",
    "finds the uses of credit, and their returns, for the check of sums"
  ],
  payments_by_invoice: ["billing/PaymentRepositoryPg.ts", "lists the payments of an invoice"],
  quotes_by_token: ["sales/QuoteRepositoryPg.ts", "finds the quote of a link"],
  quotes_to_expire: ["sales/QuoteRepositoryPg.ts", "finds the quotes that are due to expire"],
  refresh_tokens_by_session: [
    "identity/SessionRepositoryPg.ts",
    "deletes the tokens of an ended session, by the foreign key"
  ],
  saas_invoices_by_coupon: [
    "administration/SaasCouponRepositoryPg.ts",
    "counts the businesses that used a coupon"
  ],
  seat_subscriptions_due: [
    "fleet/SeatSubscriptionRepositoryPg.ts",
    "finds the subscriptions that are due to be reconciled"
  ],
  session_families_by_end: ["identity/SessionRepositoryPg.ts", "deletes ended sessions"],
  session_families_by_user: ["identity/SessionRepositoryPg.ts", "revokes the sessions of a user"],
  tariffs_by_id: ["fares/TariffRepositoryPg.ts", "lists the tariffs of a business"],
  trips_by_invoice: ["billing/InvoiceRepositoryPg.ts", "finds the trips of an invoice"],
  trips_without_customer_by_email: [
    "trips/TripRepositoryPg.ts",
    "links earlier trips to a new customer by the email address"
  ],
  verification_codes_by_expiry: ["identity/VerificationCodeRepositoryPg.ts", "deletes expired codes"],
  verification_codes_newest: ["identity/VerificationCodeRepositoryPg.ts", "finds the newest code of a user"],
  webhook_endpoints_in_use: ["webhooks/EndpointRepositoryPg.ts", "lists the endpoints of a business"]
}
