/** The words of the driver's page. `phases` has the headline of each phase of a job. */
import type { Phase } from "../Job.ts"
import shared, { type SharedWords } from "../../words/en.ts"

const own = {
  title: "Your job",
  jobs: "Your jobs",
  noJobs: "No jobs at the moment",
  noJobsHelp: "New jobs appear here by themselves.",
  signInFirst: "Sign in to see your jobs",
  signIn: "Sign in",
  goneHelp:
    "Your job has ended, or the office has sent you a newer link. Ask the office if you expected a job here.",
  setOut: "Set out",
  arrive: "I have arrived",
  board: "Passenger is on board",
  atStop: "Arrived at stop {number}",
  finish: "Finish the ride",
  close: "Close the job",
  callPassenger: "Call the passenger",
  callOffice: "Call the office",
  navigate: "Navigate",
  map: "Map",
  sign: "Greeting sign",
  pickup: "Pickup",
  dropoff: "Destination",
  stop: "Stop {number}",
  lastContact: "Last contact: {age}",
  noContact: "No connection.",
  waiting: "Waiting reports: {count}. They are sent by themselves as soon as there is a connection.",
  positionOff: "Your position is not reported. Allow this page to use it, in the settings of your browser.",
  refused: "The last report was refused:"
}

/** The words of the driver's page. */
export type DriveWords = SharedWords &
  Readonly<Record<keyof typeof own, string>> & { readonly phases: Readonly<Record<Phase, string>> }

const words: DriveWords = {
  ...shared,
  ...own,
  phases: {
    unconfirmed: "The office has not confirmed this trip yet",
    ready: "Ready to set out",
    coming: "On the way to the pickup",
    waiting: "Waiting for the passenger",
    onBoard: "Passenger on board",
    noShow: "The passenger did not come",
    done: "This job is done",
    declined: "You declined this job",
    cancelled: "This job was cancelled"
  }
}
export default words
