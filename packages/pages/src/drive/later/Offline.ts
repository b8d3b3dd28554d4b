/** Keeps this page on the phone, so that it opens without a connection. */

interface ScriptPolicies {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (address: string) => string }
  ) => { readonly createScriptURL: (address: string) => string }
}

/** The address of the worker, in the form that the page's security policy asks for. */
const trusted = (address: string): string => {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: ScriptPolicies }
  const policy = trustedTypes?.createPolicy("livery", { createScriptURL: (text) => text })
  return policy?.createScriptURL(address) ?? address
}

const register = async () => {
  await navigator.serviceWorker.register(trusted("./drive-worker.js"), { scope: "./drive" })
  const { active } = await navigator.serviceWorker.ready
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has one origin
  active?.postMessage(loaded.filter((name) => name.includes("/assets/")))
}

/** Registers the worker that keeps the page and the files that it has loaded. Without one, the page works with a connection. */
export const keepPage = (): void => {
  if ("serviceWorker" in navigator && import.meta.env.PROD) register().catch(() => undefined)
}
