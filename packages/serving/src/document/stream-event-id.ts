/**
 * Formats the id of a stream event as `<number>:<epoch>`. SDKs do not interpret ids. Every event has an epoch, because
 * it may change within a stream, for example when the database is restored.
 */
export function formatStreamEventId({ id, epoch }: { readonly id: number; readonly epoch: string }): string {
  return `${id}:${epoch}`
}

/** Returns the epoch in the id of a stream event; empty if it has none, as with other servers. */
export function getStreamEventEpoch(eventId: string): string {
  return /^\d{1,15}:(.*)$/.exec(eventId)?.[1] ?? ''
}
