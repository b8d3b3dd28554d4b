/** The statements of requests that are about several businesses at once. */

/** A statement that runs in the background after events were written. */
const sequencer = "FROM event_sequencer"

/** Statements that are about several businesses at once. A distributed database runs them on every node. */
export const ofSeveralBusinesses = [
  {
    about: "the businesses that an account drives for",
    holds: "AS business FROM drivers d JOIN businesses b"
  },
  { about: "whether an account drives for any business", holds: "FROM drivers WHERE user_id" },
  {
    about: "whether a driver's account serves another business",
    holds: "UNION ALL SELECT business_id FROM drivers"
  },
  { about: "the drivers of an erased account", holds: "UPDATE drivers SET user_id = NULL WHERE user_id" },
  { about: "the invitations to an erased account", holds: "DELETE FROM member_invitations WHERE email" },
  {
    about: "the drivers of the platform's users, for super-admins",
    holds: "FROM drivers d WHERE d.user_id = ANY"
  },
  {
    about: "the email credits of businesses, for super-admins",
    holds: "FROM business_counters WHERE business_id = ANY"
  }
]

/** Whether a statement, on one line, is one of them or the sequencer's. */
export const isOfSeveral = (text: string): boolean =>
  text.includes(sequencer) || ofSeveralBusinesses.some(({ holds }) => text.includes(holds))

/** The statements of ports, beside those of requests, that are about all businesses, by a part of their text. */
export const ofAllBusinesses: Readonly<Record<string, ReadonlyArray<string>>> = {
  "what is due, which workers find on each node": [
    "FROM business_counters c JOIN businesses b",
    "FROM bookings b WHERE deleted_at IS NULL AND (b.status",
    "FROM flight_settings s JOIN businesses b",
    "FROM imports WHERE finished_at IS NULL",
    "FROM monthly_run_items WHERE sending = 'pending'",
    "FROM monthly_run_items WHERE outcome = 'pending'",
    "FROM notice_marks WHERE due_at",
    "FROM notice_settings s JOIN businesses b",
    "FROM seat_subscriptions s JOIN businesses b"
  ],
  "what is due, which one worker finds on every node": [
    "FROM card_intents WHERE ended_at IS NULL",
    "DELETE FROM import_lines l USING"
  ],
  "the numbers of the monitoring": ["SELECT count(*)::int AS events"],
  "the check of all invoices and payments": [
    "FROM credit_notes WHERE (business_id, invoice_id) >",
    "FROM invoices i WHERE (i.business_id, i.invoice_id) >",
    "SELECT count(*)::int AS count FROM invoices",
    "'INV-' AS prefix",
    "FROM payments WHERE (business_id, invoice_id) >",
    "FROM payments WHERE business_id >=",
    "FROM remittances r LEFT JOIN remittance_payments e",
    "FROM trips WHERE (business_id, invoice_id) >",
    "FROM trips t WHERE (t.business_id, t.trip_id) IN"
  ]
}
