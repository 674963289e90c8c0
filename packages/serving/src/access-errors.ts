/** Thrown if the proxy has no configuration yet and cannot answer. Source: spec "Proxy readiness". */
export class NotReady extends Error {}

/** Thrown if the client key is missing or unknown. */
export class Unauthorized extends Error {}
