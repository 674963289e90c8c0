import type { EventSummary } from '@burgee/protocol/event'

/** Message about the server's event log. */
export type LiveMessage =
  | { readonly kind: 'events'; readonly events: readonly EventSummary[] }
  /** Delivery receipts of recent changes may have changed. */
  | { readonly kind: 'delivery' }
  /** The page may have missed events. */
  | { readonly kind: 'gap' }
  /** True while events are streamed; false while events are polled every few seconds. */
  | { readonly kind: 'state'; readonly isLive: boolean }

/** Callback for messages about the event log. */
export type LiveMessageListener = (message: LiveMessage) => void
