/** The dialogs of the board. */
export { AssignDialog } from "./AssignDialog.tsx"
export { CancelDialog, ReopenDialog } from "./Ending.tsx"
export { DriverDialog } from "./DriverDialog.tsx"
export { ForceDialog, SwapDialog } from "./Confirming.tsx"
export { JobForm } from "./JobForm.tsx"
