/** Why the token of an assignment is no longer valid. */

/** The state of an assignment whose token has ended, of its trip and of its driver. */
export interface EndedAssignment {
  readonly is_completed: boolean
  readonly is_trip_cancelled: boolean
  readonly is_trip_deleted: boolean
  readonly is_driver_deleted: boolean
  /** Whether its driver cancelled the assignment, and no operator. */
  readonly is_cancelled_by_driver: boolean
  /** Whether the same driver has a later assignment to the trip that is not cancelled. */
  readonly is_renewed: boolean
  /** Whether another driver has a later assignment to the trip that is not cancelled. */
  readonly is_replaced: boolean
}

/** Why the token of an assignment is no longer valid, as a sentence for its driver. */
export const reasonOfEnd = (ended: EndedAssignment): string => {
  if (ended.is_trip_deleted) return "This link is no longer valid: the trip was deleted"
  if (ended.is_driver_deleted) return "This link is no longer valid: the driver was removed from the business"
  if (ended.is_completed) return "This link is no longer valid: the job is done"
  if (ended.is_trip_cancelled) return "This link is no longer valid: the trip was cancelled"
  if (ended.is_renewed) return "This link is no longer valid: the driver has a newer link for this trip"
  // A driver who cancelled gave the trip back: the drivers after that do not explain the end.
  if (ended.is_replaced && !ended.is_cancelled_by_driver)
    return "This link is no longer valid: the trip was given to another driver"
  return "This link is no longer valid: the driver's assignment was cancelled"
}
