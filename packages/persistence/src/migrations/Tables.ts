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
   * - `copied`: a global table that tables of businesses refer to, or that authenticates their requests. A distributed
   *   database copies it to each node.
   * - `platform`: any other global table.
   */
  readonly of: "business" | "copied" | "platform"
  /** The primary key. In a table of a business, the columns beside `business_id`. */
  readonly key: ReadonlyArray<string>
  /** Whether the rows move with their business to another installation. */
  readonly moves?: true
  /** The column that refers to a row of the same table, which may come later in an export. */
  readonly refersToItself?: string
  /** Whether the erasure of a person changes or deletes rows. */
  readonly erased?: true
  /** The partitioned table of all generations, whose current one has the name of the table. */
  readonly history?: string
}

/** Each table comes after those that it refers to, so that rows can be inserted in this order. */
export const tables: ReadonlyArray<Table> = [
  { name: "livery_migrations", of: "platform", key: ["migration_id"] },

  { name: "plans", of: "copied", key: ["plan_id"] },
  { name: "businesses", of: "copied", key: ["business_id"] },

  { name: "users", of: "copied", key: ["user_id"], erased: true },
  { name: "business_members", of: "copied", key: ["business_id", "user_id"], erased: true },
  { name: "member_invitations", of: "business", key: ["code_hash"], erased: true },
  { name: "verification_codes", of: "platform", key: ["code_hash"], erased: true },
  { name: "session_families", of: "platform", key: ["session_id"], erased: true },
  { name: "refresh_tokens", of: "platform", key: ["token_hash"] },
  { name: "devices", of: "platform", key: ["device_token"], erased: true },
  { name: "linked_identities", of: "platform", key: ["issuer", "subject"], erased: true },
  { name: "api_keys", of: "copied", key: ["business_id", "key_hash"] },

  { name: "table_generations", of: "platform", key: ["table_name", "generation"] },
  { name: "audit_log", of: "platform", key: ["audit_id"], history: "audit_history", erased: true },

  { name: "platform_settings", of: "platform", key: ["setting_key"] },
  { name: "rate_counters", of: "platform", key: ["window_no", "key"] },
  { name: "idempotency_keys", of: "platform", key: ["key"], erased: true },
  { name: "idempotency_keys_previous", of: "platform", key: ["key"], erased: true },
  { name: "secret_check", of: "platform", key: ["only_row"] },
  { name: "installation", of: "platform", key: ["only_row"] },

  { name: "mail_outbox", of: "platform", key: ["mail_id"], erased: true },
  { name: "mail_counts", of: "platform", key: ["key"] },

  { name: "uploads", of: "business", key: ["upload_id"], erased: true },

  { name: "cars", of: "business", key: ["car_id"], moves: true },
  { name: "drivers", of: "business", key: ["driver_id"], moves: true, erased: true },
  { name: "driver_seats", of: "business", key: ["seat_id"] },
  { name: "seat_subscriptions", of: "business", key: [] },
  { name: "driver_absences", of: "business", key: ["absence_id"], moves: true, erased: true },
  { name: "driver_invitations", of: "business", key: ["code_hash"], erased: true },

  { name: "customers", of: "business", key: ["customer_id"], moves: true, erased: true },
  { name: "customer_email_locks", of: "business", key: [] },

  { name: "invoices", of: "business", key: ["invoice_id"], moves: true },
  { name: "invoice_snapshots", of: "business", key: ["invoice_id"], moves: true },
  { name: "invoice_reminders", of: "business", key: ["invoice_id", "due_date", "days"], moves: true },
  { name: "invoice_numbers", of: "business", key: [], moves: true },
  { name: "credit_notes", of: "business", key: ["credit_note_id"], moves: true },
  { name: "payments", of: "business", key: ["payment_id"], moves: true },
  { name: "card_intents", of: "business", key: ["intent_id"] },
  { name: "payment_notices", of: "business", key: ["event_id"] },

  {
    name: "trips",
    of: "business",
    key: ["trip_id"],
    moves: true,
    refersToItself: "linked_trip_id",
    erased: true
  },
  { name: "external_ref_locks", of: "business", key: ["bucket"] },
  { name: "trip_search", of: "business", key: ["trip_id"], moves: true, erased: true },

  { name: "assignments", of: "business", key: ["assignment_id"], moves: true, erased: true },
  { name: "schedule_locks", of: "business", key: ["resource", "resource_id"] },
  {
    name: "assignment_milestones",
    of: "business",
    key: ["assignment_id", "milestone", "stop_index"],
    moves: true,
    erased: true
  },
  { name: "trip_changes", of: "business", key: ["trip_id", "change_id"], moves: true, erased: true },

  { name: "driver_positions", of: "business", key: ["assignment_id"], erased: true },
  {
    name: "driver_trail",
    of: "business",
    key: ["assignment_id", "recorded_at", "lat", "lng"],
    history: "driver_trail_history",
    erased: true
  },
  { name: "tracking_links", of: "business", key: ["trip_id"], erased: true },

  { name: "events", of: "business", key: ["event_id"], history: "event_history", erased: true },
  { name: "event_feeds", of: "business", key: [] },
  { name: "event_sequencer", of: "platform", key: ["only_row"] },
  { name: "webhook_endpoints", of: "business", key: ["endpoint_id"] },
  {
    name: "webhook_deliveries",
    of: "business",
    key: ["endpoint_id", "delivery_id"],
    history: "webhook_delivery_history"
  },
  { name: "webhook_claim_lock", of: "platform", key: ["only_row"] },

  { name: "tariffs", of: "business", key: ["tariff_id"], moves: true },
  { name: "tariff_versions", of: "business", key: ["tariff_id", "version"], moves: true },
  { name: "trip_fares", of: "business", key: ["trip_id"], moves: true, erased: true },
  { name: "driver_pay", of: "business", key: ["driver_id"], moves: true },

  { name: "quotes", of: "business", key: ["quote_id"], moves: true, erased: true },
  { name: "quote_trips", of: "business", key: ["quote_id", "trip_id"], moves: true },
  { name: "products", of: "business", key: ["product_id"], moves: true },
  { name: "product_loads", of: "business", key: ["product_id", "at"], moves: true },
  { name: "bookings", of: "business", key: ["booking_id"], moves: true, erased: true },
  { name: "booking_payments", of: "business", key: ["booking_id"], moves: true, erased: true },

  { name: "erased_records", of: "business", key: ["kind", "record_id"], moves: true },
  { name: "erasures", of: "platform", key: ["erasure_key"] },
  { name: "retained_parties", of: "business", key: ["kind", "record_id"], moves: true },

  { name: "saas_coupons", of: "platform", key: ["coupon_id"] },
  { name: "saas_invoices", of: "platform", key: ["saas_invoice_id"] }
]
