/** The difference between the assignments of a trip before and after a change. */
import { Equal } from "effect"
import { type Assignment, assignmentMachine, type AssignmentStatus, unanswered } from "../trip/Assignment.ts"
import type { AssignmentId } from "../../kernel/Ids.ts"
import { isSameMilestone, type MilestoneReached } from "../trip/Milestone.ts"
import { everyAssignment, type Trip } from "../trip/Trip.ts"

/**
 * The changes to store: the new statuses, the assignments whose car or answer changed, and the new and the removed milestones.
 */
export interface AssignmentChanges {
  readonly statuses: ReadonlyArray<{
    readonly status: AssignmentStatus
    readonly ids: ReadonlyArray<AssignmentId>
  }>
  readonly withOtherCar: ReadonlyArray<Assignment>
  readonly withOtherAnswer: ReadonlyArray<Assignment>
  readonly milestones: ReadonlyArray<MilestoneOf>
  readonly removedMilestones: ReadonlyArray<MilestoneOf>
}

/** A milestone of an assignment. */
interface MilestoneOf {
  readonly assignmentId: AssignmentId
  readonly reached: MilestoneReached
}

/** The milestones of the second trip's assignments that the first trip's lack. */
const addedMilestones = (before: Trip, after: Trip): ReadonlyArray<MilestoneOf> => {
  const earlier = new Map(
    everyAssignment(before).map(({ assignment_id, milestones }) => [assignment_id, milestones])
  )
  return everyAssignment(after).flatMap(({ assignment_id: assignmentId, milestones }) =>
    milestones
      .filter((reached) => !earlier.get(assignmentId)?.some((one) => isSameMilestone(one, reached)))
      .map((reached) => ({ assignmentId, reached }))
  )
}

const answerNames = Object.keys(unanswered) as ReadonlyArray<keyof typeof unanswered>

/** The assignments of the second trip whose driver answered differently in the first one. */
const withOtherAnswer = (before: Trip, after: Trip): ReadonlyArray<Assignment> => {
  const earlier = new Map(everyAssignment(before).map((assignment) => [assignment.assignment_id, assignment]))
  return everyAssignment(after).filter((assignment) => {
    const was = earlier.get(assignment.assignment_id)
    return was !== undefined && answerNames.some((name) => !Equal.equals(was[name], assignment[name]))
  })
}

/** The changes between a trip before and after. An assignment that the trip no longer has is cancelled. */
export const assignmentChangesOf = (before: Trip, after: Trip): AssignmentChanges => {
  const statusAfter = new Map(
    everyAssignment(after).map(({ assignment_id, status }) => [assignment_id, status])
  )
  const newStatus = ({ assignment_id }: Assignment) => statusAfter.get(assignment_id) ?? "cancelled"
  const carBefore = new Map(before.drivers.map(({ assignment_id, car_id }) => [assignment_id, car_id]))
  return {
    statuses: assignmentMachine.states
      .map((status) => ({
        status,
        ids: before.drivers
          .filter((assignment) => assignment.status !== status && newStatus(assignment) === status)
          .map(({ assignment_id }) => assignment_id)
      }))
      .filter(({ ids }) => ids.length > 0),
    withOtherCar: after.drivers.filter(
      ({ assignment_id, car_id }) => carBefore.has(assignment_id) && carBefore.get(assignment_id) !== car_id
    ),
    withOtherAnswer: withOtherAnswer(before, after),
    milestones: addedMilestones(before, after),
    removedMilestones: addedMilestones(after, before)
  }
}
