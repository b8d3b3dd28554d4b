/** Notices of the business as push messages, for a signed-in driver who turns them on in this browser. */
import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import { sendSignedIn } from "../../api/Session.ts"
import { Notice } from "../../components/Notice.tsx"
import { laterWords as words } from "./Words.ts"

type State = "unknown" | "off" | "on" | "blocked"

const isSupported = () =>
  "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis

/** Registers the subscription of this browser as a device; the server keeps each once. */
const register = async (subscription: PushSubscription): Promise<void> => {
  await sendSignedIn("/me/devices", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      platform: "web",
      device_token: JSON.stringify(subscription.toJSON()),
      device_name: "Web"
    })
  })
}

const stateOf = async (): Promise<State> => {
  if (Notification.permission === "denied") return "blocked"
  const registration = await navigator.serviceWorker.getRegistration("./drive")
  const subscription = await registration?.pushManager.getSubscription()
  if (!subscription) return "off"
  await register(subscription)
  return "on"
}

/** Asks the browser, subscribes by the key of the server, and registers the subscription. */
const turnOn = async (): Promise<State> => {
  if ((await Notification.requestPermission()) !== "granted") return "blocked"
  const { public_key } = await sendSignedIn<{ readonly public_key: string | null }>("/me/push-key")
  if (public_key === null) return "unknown"
  const { pushManager } = await navigator.serviceWorker.ready
  // A subscription by a former key of the server is of no use any more.
  await (await pushManager.getSubscription())?.unsubscribe()
  await register(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: public_key }))
  return "on"
}

export const Push = (): JSX.Element | null => {
  const [state, setState] = useState<State>("unknown")
  const [isFailed, setFailed] = useState(false)
  useEffect(() => {
    if (isSupported())
      stateOf().then(setState, () => {
        setState("off")
      })
  }, [])
  if (state === "blocked") return <p class="muted small">{words.pushBlocked}</p>
  if (state === "on") return <p class="muted small">{words.pushIsOn}</p>
  if (state === "unknown") return null
  const start = async () => {
    setFailed(false)
    try {
      setState(await turnOn())
    } catch {
      setFailed(true)
    }
  }
  return (
    <p>
      {isFailed && (
        <Notice tone="bad" role="alert">
          {words.pushFailed}
        </Notice>
      )}
      <button type="button" class="button" onClick={() => void start()}>
        {words.pushTurnOn}
      </button>
    </p>
  )
}
