import type { HistoryEnd } from '@burgee/protocol/administration/flag-history'

/**
 * Event before which the history of a flag or segment is not known. A `gap` is an event that does not record the state
 * before the event. A `mismatch` is an event that contradicts the state reconstructed so far, because the log lacks a
 * change.
 */
export class HistoryBreak {
  readonly kind: 'gap' | 'mismatch'
  readonly why: HistoryEnd

  constructor(kind: 'gap' | 'mismatch', why: HistoryEnd = 'untold') {
    this.kind = kind
    this.why = why
  }
}

/** Break at an event that does not record the previous state. */
export const GAP = new HistoryBreak('gap')
/** Break at an event that contradicts the state reconstructed so far. */
export const MISMATCH = new HistoryBreak('mismatch')
/** Break at an import, whose events do not record the previous state. */
export const IMPORTED = new HistoryBreak('gap', 'imported')
