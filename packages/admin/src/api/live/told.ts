import type { EventNews } from '@burgee/protocol/event'

/** What pages hear of the server's log. */
export type Told =
  | { readonly kind: 'events'; readonly events: readonly EventNews[] }
  /** Something may have happened that nobody was told of. */
  | { readonly kind: 'gap' }
  /** Whether events come by themselves; otherwise they are asked for every few seconds. */
  | { readonly kind: 'state'; readonly isLive: boolean }

/** Hears it. */
export type Tell = (told: Told) => void
