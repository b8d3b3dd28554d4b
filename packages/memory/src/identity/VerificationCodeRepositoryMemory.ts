import { type CodePurpose, isNewestOnly, VerificationCodeRepository } from "@livery/domain"
import { DateTime, Option } from "effect"
import type { CodeRow } from "../store/Rows.ts"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(VerificationCodeRepository, ({ codes, step }) => {
  const isNewest = ({ code_id, purpose, userId }: CodeRow) =>
    !codes.find((other) => other.userId === userId && other.purpose === purpose && other.code_id > code_id)

  const valid = (codeHash: string, purpose: CodePurpose, now: DateTime.Utc) =>
    codes.find(
      (code) =>
        code.codeHash === codeHash &&
        code.purpose === purpose &&
        code.userId !== null &&
        !code.isUsed &&
        DateTime.isGreaterThan(code.expiresAt, now) &&
        (!isNewestOnly(purpose) || isNewest(code))
    )

  return {
    issue: (code) =>
      step(() => {
        const code_id = codes.next()
        codes.set(code_id, { ...code, code_id, isUsed: false })
      }),
    ownerOf: (codeHash, purpose, now) =>
      step(() => Option.fromNullishOr(valid(codeHash, purpose, now)?.userId)),
    redeem: (codeHash, purpose, now) =>
      step(() => {
        const code = valid(codeHash, purpose, now)
        if (code !== undefined) codes.change(code.code_id, { isUsed: true })
        return Option.fromNullishOr(code?.userId)
      }),
    void: (userId, purpose) =>
      step(() => {
        for (const code of codes.where((one) => one.userId === userId && one.purpose === purpose))
          codes.change(code.code_id, { isUsed: true })
      })
  }
})
