/** The statements of requests that are about several businesses at once. */

/** A statement that runs in the background after events were written. */
const sequencer = "FROM event_sequencer"

/**
 * Statements that are about several businesses at once. A distributed database runs them once per node (followed
 * trips) or on every node (what an account drives).
 */
export const ofSeveralBusinesses = [
  { about: "the trips that are followed", holds: "AS f (business_id, trip_id)" },
  {
    about: "the businesses that an account drives for",
    holds: "AS business FROM drivers d JOIN businesses b"
  },
  { about: "the businesses of an account", holds: "SELECT d.business_id FROM drivers d JOIN users u" },
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
