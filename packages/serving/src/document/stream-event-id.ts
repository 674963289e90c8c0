/**
 * Formats the id of a stream event as `<number>:<epoch>`. SDKs treat the id as opaque. Every id contains the epoch,
 * because the epoch can change while a stream is open, for example when the database is restored.
 */
export function formatStreamEventId({ id, epoch }: { readonly id: number; readonly epoch: string }): string {
  return `${id}:${epoch}`
}

/** Returns the epoch in the id of a stream event; empty if the id contains none, as from other servers. */
export function getStreamEventEpoch(eventId: string): string {
  return /^\d{1,15}:(.*)$/.exec(eventId)?.[1] ?? ''
}
