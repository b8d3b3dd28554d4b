/** The default words of notices. */
import type { NoticeKind } from "../rules/NoticeKind.ts"

/**
 * The words of one language: a greeting, and one sentence for each kind, which is the subject, the text and the short text at once.
 * They have the placeholders of templates.
 */
export interface NoticeWords extends Readonly<Record<NoticeKind, string>> {
  readonly greeting: string
}
