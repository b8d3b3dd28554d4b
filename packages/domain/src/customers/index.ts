/** The public exports of this module. */
export * from "./Customer.ts"
export * from "./CustomerRepository.ts"
export * from "./Customers.ts"
export * from "./CustomerSearch.ts"
