/** The public exports of this module. */
export * from "./CalendarFile.ts"
export * from "./MailMessage.ts"
export * as MailSender from "./MailSender.ts"
export * from "./Mailer.ts"
export * from "./MailOutbox.ts"
export * from "./EmailStatus.ts"
export * from "./FailedLetter.ts"
export * from "./LetterRepository.ts"
