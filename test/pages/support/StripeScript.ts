/**
 * A small emulation of Stripe.js, which the tests serve at `https://js.stripe.com/v3/`: it draws a form for a card, and pays the
 * intent through `https://api.stripe.com`, as the real script does. A card that needs authentication asks for it before it pays. An answer with `redirect` leads to that
 * address, as a bank's own page does.
 */
export const stripeScript = `
window.Stripe = (key, { locale } = {}) => {
  const cards = {
    "4242424242424242": "pm_card_visa",
    "4000000000000002": "pm_card_visa_chargeDeclined",
    "4000002760003184": "pm_card_authenticationRequired"
  }
  const call = async (intent, action, values) => {
    const response = await fetch("https://api.stripe.com/v1/payment_intents/" + intent + action, {
      method: "POST",
      headers: { Authorization: "Bearer " + key },
      body: new URLSearchParams(values)
    })
    return response.json()
  }
  const inElement = (text, name) => {
    const label = document.createElement("label")
    label.textContent = text
    const input = document.createElement("input")
    input.name = name
    label.append(input)
    return label
  }
  return {
    elements: ({ clientSecret, appearance }) => {
      if (typeof clientSecret !== "string" || !clientSecret.includes("_secret_")) throw new Error("clientSecret")
      const elements = { clientSecret, locale, appearance, number: () => "" }
      return Object.assign(elements, {
        create: (type) => {
          if (type !== "payment") throw new Error("Only the Payment Element is known")
          const label = inElement("Card number", "cardnumber")
          return {
            unmount: () => label.remove(),
            mount: (place) => {
              place.append(label)
              elements.number = () => label.querySelector("input").value.replaceAll(" ", "")
            }
          }
        }
      })
    },
    confirmPayment: async ({ confirmParams, elements, redirect }) => {
      if (redirect !== "if_required" && confirmParams?.return_url === undefined) throw new Error("return_url")
      const card = cards[elements.number()]
      if (card === undefined)
        return { error: { type: "validation_error", message: "Your card number is incomplete." } }
      const client_secret = elements.clientSecret
      const intent = client_secret.split("_secret_")[0]
      const values = { client_secret, payment_method: card, return_url: confirmParams.return_url }
      let answer = await call(intent, "/confirm", values)
      if (answer.status === "requires_action")
        answer = await call(intent, confirm("Your bank asks: is it you?") ? "/authenticated" : "/refused", values)
      if (answer.redirect !== undefined) {
        location.href = answer.redirect
        return new Promise(() => {})
      }
      if (answer.error !== undefined) return { error: answer.error }
      return { paymentIntent: { id: answer.id, status: answer.status } }
    }
  }
}
`
