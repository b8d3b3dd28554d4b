/** What a signed-in person sees. Its code is loaded only then, so that the form to sign in is there sooner. */
import { later } from "../components/Later.tsx"
import type { Worded } from "./Step.tsx"

export const Home = later<Worded>(async () => (await import("./Home.tsx")).Home)
