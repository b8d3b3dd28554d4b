/**
 * All tables of the schema: whose rows each holds, and what happens to them when a business moves to another installation
 * or a person is erased. A test compares this list with the schema.
 *
 * Rows that are valid on one installation only do not move: accounts and API keys, links, webhook endpoints with their
 * deliveries, reported positions, files, paid seats, the state of payments at the provider, locks, and tables that grow.
 */

/** A table. */
export interface Table {
  readonly name: string
  /**
   * - `business`: each row belongs to one business, and `business_id` is part of every key. A distributed database places
   *   the rows by it.
   * - `copied`: a global table that tables of businesses refer to, that authenticates their requests, or that the workers of
   *   each node read. A distributed database copies it to each node.
   * - `platform`: any other global table. A distributed database keeps it on the coordinator alone.
   */
  readonly kind: "business" | "copied" | "platform"
  /** The primary key. In a table of a business, the columns beside `business_id`. */
  readonly key: ReadonlyArray<string>
  /**
   * Whether the rows move with their business to another installation. A text is the condition, in SQL, of the rows that move
   * only together with the links of the business.
   */
  readonly moves?: true | string
  /** The column that refers to a row of the same table, which may come later in an export. */
  readonly refersToItself?: string
  /** Whether the erasure of a person changes or deletes rows. */
  readonly erased?: true
  /** The partitioned table of all generations, whose current one has the name of the table. */
  readonly history?: string
}

/** Each table comes after those that it refers to, so that rows can be inserted in this order. */
export const tables: ReadonlyArray<Table> = [
  { name: "livery_migrations", kind: "copied", key: ["migration_id"] },

  { name: "plans", kind: "copied", key: ["plan_id"] },
  { name: "businesses", kind: "copied", key: ["business_id"] },

  { name: "business_counters", kind: "business", key: [], moves: true },
  { name: "business_moves", kind: "platform", key: ["business_id"] },
  { name: "business_arrivals", kind: "platform", key: ["move_id"] },

  { name: "users", kind: "copied", key: ["user_id"], erased: true },
  { name: "account_locks", kind: "platform", key: ["user_id"] },
  { name: "business_members", kind: "copied", key: ["business_id", "user_id"], erased: true },
  { name: "driver_accounts", kind: "copied", key: ["business_id", "user_id"], erased: true },
  { name: "member_invitations", kind: "business", key: ["code_hash"], erased: true },
  { name: "verification_codes", kind: "platform", key: ["code_hash"], erased: true },
  { name: "session_families", kind: "platform", key: ["session_id"], erased: true },
  { name: "refresh_tokens", kind: "platform", key: ["token_hash"] },
  { name: "devices", kind: "platform", key: ["device_token"], erased: true },
  { name: "saved_views", kind: "platform", key: ["view_id"], erased: true },
  { name: "user_preferences", kind: "platform", key: ["user_id"], erased: true },
  { name: "linked_identities", kind: "platform", key: ["issuer", "subject"], erased: true },
  { name: "api_keys", kind: "copied", key: ["business_id", "key_hash"] },

  { name: "table_generations", kind: "platform", key: ["table_name", "generation"] },
  { name: "audit_log", kind: "platform", key: ["audit_id"], history: "audit_history", erased: true },

  { name: "platform_settings", kind: "copied", key: ["setting_key"] },
  { name: "rate_counters", kind: "platform", key: ["window_no", "key"] },
  { name: "idempotency_keys", kind: "platform", key: ["key"], erased: true },
  { name: "idempotency_keys_previous", kind: "platform", key: ["key"], erased: true },
  { name: "secret_check", kind: "copied", key: ["only_row"] },
  { name: "installation", kind: "copied", key: ["only_row"] },

  { name: "mail_outbox", kind: "platform", key: ["mail_id"], erased: true },
  { name: "mail_counts", kind: "platform", key: ["key"] },

  { name: "uploads", kind: "business", key: ["upload_id"], erased: true },

  { name: "cars", kind: "business", key: ["car_id"], moves: true },
  { name: "drivers", kind: "business", key: ["driver_id"], moves: true, erased: true },
  { name: "driver_seats", kind: "business", key: ["seat_id"] },
  { name: "seat_subscriptions", kind: "business", key: [] },
  { name: "driver_absences", kind: "business", key: ["absence_id"], moves: true, erased: true },
  { name: "driver_invitations", kind: "business", key: ["code_hash"], erased: true },

  { name: "customers", kind: "business", key: ["customer_id"], moves: true, erased: true },
  { name: "customer_email_locks", kind: "business", key: [] },

  { name: "invoices", kind: "business", key: ["invoice_id"], moves: true },
  { name: "invoice_changes", kind: "business", key: ["invoice_id", "change_id"], moves: true },
  { name: "invoice_snapshots", kind: "business", key: ["invoice_id"], moves: true, erased: true },
  { name: "invoice_reminders", kind: "business", key: ["invoice_id", "due_date", "days"], moves: true },
  { name: "invoice_numbers", kind: "business", key: [], moves: true },
  { name: "failed_letters", kind: "business", key: ["letter_id"] },
  { name: "credit_notes", kind: "business", key: ["credit_note_id"], moves: true },
  { name: "payments", kind: "business", key: ["payment_id"], moves: true },
  { name: "remittances", kind: "business", key: ["remittance_id"], moves: true },
  { name: "remittance_payments", kind: "business", key: ["remittance_id", "payment_id"], moves: true },
  // The law of bookkeeping requires bank statements unchanged: an erasure keeps the names of payers.
  { name: "bank_statements", kind: "business", key: ["statement_id"], moves: true },
  { name: "bank_entries", kind: "business", key: ["entry_id"], moves: true },
  { name: "imports", kind: "business", key: ["import_id"] },
  { name: "import_lines", kind: "business", key: ["import_id", "line"], erased: true },
  { name: "monthly_runs", kind: "business", key: ["run_id"] },
  { name: "monthly_run_items", kind: "business", key: ["run_id", "customer_id", "currency"] },
  { name: "card_intents", kind: "business", key: ["intent_id"] },
  { name: "payment_notices", kind: "business", key: ["event_id"] },

  {
    name: "trips",
    kind: "business",
    key: ["trip_id"],
    moves: true,
    refersToItself: "linked_trip_id",
    erased: true
  },
  { name: "trip_templates", kind: "business", key: ["template_id"], moves: true, erased: true },
  { name: "external_ref_locks", kind: "business", key: ["bucket"] },
  { name: "trip_search", kind: "business", key: ["trip_id"], moves: true, erased: true },

  { name: "assignments", kind: "business", key: ["assignment_id"], moves: true, erased: true },
  { name: "schedule_locks", kind: "business", key: ["resource", "resource_id"] },
  {
    name: "assignment_milestones",
    kind: "business",
    key: ["assignment_id", "milestone", "stop_index"],
    moves: true,
    erased: true
  },
  { name: "trip_changes", kind: "business", key: ["trip_id", "change_id"], moves: true, erased: true },

  { name: "notice_settings", kind: "business", key: [] },
  { name: "notice_preferences", kind: "business", key: ["customer_id"] },
  { name: "notice_marks", kind: "business", key: ["trip_id"], erased: true },
  { name: "notices", kind: "business", key: ["notice_id"], erased: true },
  { name: "stopped_numbers", kind: "business", key: ["phone_hash"] },

  { name: "driver_positions", kind: "business", key: ["assignment_id"], erased: true },
  {
    name: "driver_trail",
    kind: "business",
    key: ["assignment_id", "recorded_at", "lat", "lng"],
    history: "driver_trail_history",
    erased: true
  },
  { name: "tracking_links", kind: "business", key: ["trip_id"], moves: "true", erased: true },
  { name: "flight_settings", kind: "business", key: [], moves: true },
  { name: "flight_checks", kind: "business", key: ["trip_id"], moves: true, erased: true },
  // The owner of an office's calendar is an account, which does not move.
  { name: "calendar_links", kind: "business", key: ["kind", "owner_id"], moves: "kind <> 'office'" },

  { name: "events", kind: "business", key: ["event_id"], history: "event_history", erased: true },
  { name: "event_feeds", kind: "business", key: [] },
  { name: "event_sequencer", kind: "copied", key: ["only_row"] },
  { name: "webhook_endpoints", kind: "business", key: ["endpoint_id"] },
  {
    name: "webhook_deliveries",
    kind: "business",
    key: ["endpoint_id", "delivery_id"],
    history: "webhook_delivery_history"
  },
  { name: "webhook_claim_lock", kind: "copied", key: ["only_row"] },

  { name: "tariffs", kind: "business", key: ["tariff_id"], moves: true },
  { name: "tariff_versions", kind: "business", key: ["tariff_id", "version"], moves: true },
  { name: "trip_fares", kind: "business", key: ["trip_id"], moves: true, erased: true },
  { name: "driver_pay", kind: "business", key: ["driver_id"], moves: true },

  { name: "quotes", kind: "business", key: ["quote_id"], moves: true, erased: true },
  { name: "quote_trips", kind: "business", key: ["quote_id", "trip_id"], moves: true },
  { name: "products", kind: "business", key: ["product_id"], moves: true },
  { name: "product_loads", kind: "business", key: ["product_id", "at"], moves: true },
  { name: "bookings", kind: "business", key: ["booking_id"], moves: true, erased: true },
  { name: "booking_payments", kind: "business", key: ["booking_id"], moves: true, erased: true },

  { name: "erased_records", kind: "business", key: ["kind", "record_id"], moves: true },
  { name: "erasures", kind: "platform", key: ["erasure_key"] },
  { name: "retained_parties", kind: "business", key: ["kind", "record_id"], moves: true },

  { name: "saas_coupons", kind: "platform", key: ["coupon_id"] },
  { name: "saas_invoices", kind: "platform", key: ["saas_invoice_id"] }
]

/** The column by which a distributed database places the rows of businesses. */
export const distributionKey = "business_id"

/** The sequences that each node of a distributed database counts for itself. No column has them as its default. */
export const sequencesOfNodes: ReadonlyArray<string> = ["webhook_last_claim"]
