import { userInfo } from "node:os"

/** The author of a command in the audit log: the user of the operating system. */
export const actor = () => `cli:${userInfo().username}`
