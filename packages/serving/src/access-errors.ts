/** Thrown if there are no flags to answer from yet. Source: spec "Proxy readiness". */
export class NotReady extends Error {}

/** Thrown if the client key is missing or unknown. */
export class Unauthorized extends Error {}
