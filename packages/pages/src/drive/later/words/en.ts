/** The words of the parts that are loaded after the first view. */
const words = {
  answer: "Your answer",
  accepted: "You accepted this job",
  notAccepted: "Not accepted yet",
  acceptJob: "Accept the job",
  decline: "Decline",
  declineAsk: "Decline this job?",
  declineHelp: "The office then looks for another driver.",
  declineReason: "Reason, if you like",
  finishAsk: "Finish the ride?",
  finishHelp: "The job ends, and its link ends with it.",
  noShow: "Passenger does not come",
  possibleIn: "possible in {time}",
  noShowAsk: "Report that the passenger did not come?",
  noShowHelp: "The office sees the time and your position.",
  earlyAsk: "Set out now already? The pickup is only later:",
  closeSign: "Close",
  passenger: "Passenger",
  people: "People",
  participants: "Participants",
  luggage: "Luggage",
  childSeats: "Child seats",
  flight: "Flight",
  car: "Car",
  details: "Details",
  pinTitle: "The passenger’s code",
  pinHelp: "The passenger sees four digits on the tracking page.",
  pinWrong: "This is not the passenger’s code. Please ask again.",
  pinTooMany: "Too many codes were tried. Wait a minute, then try again.",
  pinNone: "Without a code, ask the office to report the passenger on board.",
  tracker: "Position while the screen is locked",
  trackerHelp:
    "This page reports your position only while it is open. An app such as Traccar Client or OwnTracks also does so while the screen is locked: enter this address there as the server. It is for this job only, so keep it secret.",
  trackerAddress: "Address for the app",
  copyAddress: "Copy the address",
  pushTurnOn: "Tell me about jobs in this browser",
  pushIsOn: "This browser tells you about your jobs.",
  pushBlocked: "This browser refuses notifications. Allow them in its settings to be told about jobs.",
  pushFailed: "Notifications could not be turned on. Please try again."
}

/** The words of these parts. */
export type LaterWords = Readonly<Record<keyof typeof words, string>>
export default words as LaterWords
