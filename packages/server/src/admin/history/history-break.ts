import type { HistoryEnd } from '@burgee/protocol/administration/flag-history'

/**
 * Event at which the known history of a flag or segment begins. A `gap` is an event that does not record the state
 * before it. A `mismatch` is an event that contradicts the known state after it, because the log lacks a change.
 */
export class HistoryBreak {
  readonly kind: 'gap' | 'mismatch'
  readonly why: HistoryEnd

  constructor(kind: 'gap' | 'mismatch', why: HistoryEnd = 'untold') {
    this.kind = kind
    this.why = why
  }
}

/** Break at an event that does not record the state before it. */
export const GAP = new HistoryBreak('gap')
/** Break at an event that contradicts the known state after it. */
export const MISMATCH = new HistoryBreak('mismatch')
/** Break at an import, whose events do not record the state before it. */
export const IMPORTED = new HistoryBreak('gap', 'imported')
