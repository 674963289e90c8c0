import { escapeControls } from '@burgee/kit/terminal-text'

const MS_PER_SECOND = 1000
const INTERVAL_MS = { terminal: 200, file: 10_000 } as const
const BAR_WIDTH = 30

/** Destination of progress lines. */
export interface ProgressSink {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/**
 * Reports the progress of an import and the estimated remaining time. On a terminal, updates one line. Elsewhere,
 * prints a new line every ten seconds.
 */
export function createImportProgress(
  sink: ProgressSink,
  clock: () => number,
): { readonly report: (kind: string, done: number, of: number) => void; readonly end: () => void } {
  const begun = new Map<string, number>()
  const everyMs = sink.isTTY === true ? INTERVAL_MS.terminal : INTERVAL_MS.file
  let saidMs = clock()
  let isOpen = false
  return {
    report(kind, done, of) {
      const now = clock()
      const since = begun.get(kind) ?? now
      begun.set(kind, since)
      const isLast = done >= of && isOpen
      if (now - saidMs < everyMs && !isLast) return
      saidMs = now
      const line = escapeControls(formatProgress({ kind, done, of, elapsedMs: now - since }))
      sink.write(sink.isTTY === true ? `\r\x1b[2K${line}` : `${line}\n`)
      isOpen = true
    },
    end() {
      if (isOpen && sink.isTTY === true) sink.write('\r\x1b[2K')
    },
  }
}

/** Formats progress: `event  [######      ] 52,000 of 100,000 (52 %), about 12 s more`. */
export function formatProgress(now: {
  readonly kind: string
  readonly done: number
  readonly of: number
  readonly elapsedMs: number
}): string {
  const { kind, done, of, elapsedMs } = now
  const part = of === 0 ? 1 : Math.min(1, done / of)
  const bar = '#'.repeat(Math.floor(part * BAR_WIDTH)).padEnd(BAR_WIDTH)
  const restMs = done === 0 ? undefined : (elapsedMs / done) * (of - done)
  const rest = restMs === undefined || done >= of ? '' : `, about ${Math.ceil(restMs / MS_PER_SECOND)} s more`
  const [shown, all] = [done, of].map((number) => number.toLocaleString('en-US'))
  return `${kind} [${bar}] ${shown} of ${all} (${Math.floor(part * 100)} %)${rest}`
}
