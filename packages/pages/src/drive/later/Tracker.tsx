/** The address for an app that reports positions while the screen is locked. */
import type { JSX } from "preact"
import { apiBase, tokenInAddress } from "../../api/Api.ts"
import { toast } from "../../components/Toast.tsx"
import type { AllWords } from "./Words.ts"

export const Tracker = ({ words }: { readonly words: AllWords }): JSX.Element | null => {
  const token = tokenInAddress()
  if (token === "") return null
  const address = `${apiBase}/driver/track?token=${encodeURIComponent(token)}`
  const copy = async () => {
    await navigator.clipboard.writeText(address)
    toast(words.copied)
  }
  return (
    <details class="card tracker">
      <summary>{words.tracker}</summary>
      <p class="muted">{words.trackerHelp}</p>
      <p class="address" dir="ltr" aria-label={words.trackerAddress} role="group">
        {address}
      </p>
      <button type="button" class="button" onClick={() => void copy().catch(() => undefined)}>
        {words.copyAddress}
      </button>
    </details>
  )
}
