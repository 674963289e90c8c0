import type { EventNews } from '@burgee/protocol/event'

/** Message about the server's event log. */
export type Told =
  | { readonly kind: 'events'; readonly events: readonly EventNews[] }
  /** Events may have been missed. */
  | { readonly kind: 'gap' }
  /** True while events are streamed; otherwise they are polled every few seconds. */
  | { readonly kind: 'state'; readonly isLive: boolean }

/** Callback for messages about the event log. */
export type Tell = (told: Told) => void
