import { userInfo } from "node:os"

/** Who is recorded in the audit log: whoever is signed in to this machine. */
export const actor = () => `cli:${userInfo().username}`
