/** The form of Stripe (Payment Element). Its script is loaded only when a payer opens it. */
import type { JSX } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { Notice } from "../components/Notice.tsx"
import { format, language } from "../i18n/Language.ts"
import type { CardPayment } from "./Invoice.ts"
import { confirm, step } from "./state.ts"
import type { PayWords } from "./words/en.ts"

interface StripeElement {
  readonly mount: (element: HTMLElement) => void
  readonly unmount: () => void
}

interface StripeElements {
  readonly create: (name: "payment") => StripeElement
}

interface StripeScript {
  readonly elements: (options: object) => StripeElements
  readonly confirmPayment: (options: object) => Promise<{ readonly error?: { readonly message?: string } }>
}

interface Ready {
  readonly stripe: StripeScript
  readonly elements: StripeElements
}

type MakeStripe = (key: string, options: object) => StripeScript

const address = "https://js.stripe.com/v3/"

let loading: Promise<MakeStripe> | undefined

/** Loads the script once. After a failure, the next call tries again. */
const loadScript = () => {
  loading ??= new Promise<MakeStripe>((resolve, reject) => {
    const script = document.createElement("script")
    const fail = () => {
      loading = undefined
      script.remove()
      reject(new Error(address))
    }
    script.src = address
    script.addEventListener("load", () => {
      const { Stripe } = globalThis as { readonly Stripe?: MakeStripe }
      if (Stripe === undefined) fail()
      else resolve(Stripe)
    })
    script.addEventListener("error", fail)
    document.head.append(script)
  })
  return loading
}

const isDark = () => matchMedia("(prefers-color-scheme: dark)").matches

export const StripeCard = ({
  payment,
  publishableKey,
  words
}: {
  readonly payment: CardPayment
  readonly publishableKey: string
  readonly words: PayWords
}): JSX.Element => {
  const place = useRef<HTMLDivElement>(null)
  const [ready, setReady] = useState<Ready>()
  const [isBroken, setBroken] = useState(false)
  const [trial, setTrial] = useState(0)
  useEffect(() => {
    let isGone = false
    let form: StripeElement | undefined
    const mount = async () => {
      const makeStripe = await loadScript()
      if (isGone || place.current === null) return
      const stripe = makeStripe(publishableKey, { locale: language })
      const appearance = { theme: isDark() ? "night" : "stripe" }
      const elements = stripe.elements({ clientSecret: payment.client_secret, appearance })
      form = elements.create("payment")
      form.mount(place.current)
      setReady({ stripe, elements })
    }
    mount().catch(() => setBroken(!isGone))
    return () => {
      isGone = true
      form?.unmount()
    }
  }, [payment.client_secret, publishableKey, trial])
  const send = async ({ elements, stripe }: Ready) => {
    const { error } = await stripe.confirmPayment({
      elements,
      redirect: "if_required",
      confirmParams: { return_url: location.href }
    })
    return error === undefined ? undefined : (error.message ?? words.declined)
  }
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (ready !== undefined) void confirm(() => send(ready))
      }}
    >
      {isBroken && (
        <Notice tone="bad" role="alert">
          {words.unreachable}
        </Notice>
      )}
      {isBroken && (
        <button
          type="button"
          class="button"
          onClick={() => {
            setBroken(false)
            setTrial(trial + 1)
          }}
        >
          {words.retry}
        </button>
      )}
      <div class="provider" ref={place} />
      <button
        type="submit"
        class="button primary"
        aria-disabled={ready === undefined || step.value === "sending"}
      >
        {words.payNow.replace("{amount}", format.money(payment.amount, payment.currency))}
      </button>
    </form>
  )
}
