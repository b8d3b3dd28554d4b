/** The letters to customers that could not be delivered (docs/api/settings.md). */
import { Context, Effect, Layer } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { mapPage, type PageRequest } from "../kernel/Page.ts"
import { traced } from "../kernel/TracedFunction.ts"
import { failedLetterRecord } from "../mail/FailedLetter.ts"
import { LetterRepository } from "../mail/LetterRepository.ts"

export class FailedLetters extends Context.Service<FailedLetters>()("@livery/domain/FailedLetters", {
  make: Effect.gen(function* () {
    const letters = yield* LetterRepository
    return {
      /** The letters of the business that could not be delivered, the latest first. */
      list: traced("FailedLetters.list")(function* ({ business_id }: ActingBusiness, page: PageRequest) {
        return mapPage(yield* letters.failures(business_id, page), (letter) => failedLetterRecord(letter))
      })
    }
  })
}) {
  static readonly layer = Layer.effect(FailedLetters, FailedLetters.make)
}
