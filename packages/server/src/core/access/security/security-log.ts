import { Fields, type FieldValue, type Logger } from '@burgee/kit/log/logger'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import { toAccessEntries } from './access-events.ts'
import type { SecurityEntry, SecurityEvent, SecurityLog } from './security-entry.ts'

const WINDOW_MS = 60_000
const MAX_PER_EVENT_TYPE = 60
const MAX_PER_WINDOW = 300

/**
 * Creates a security log that writes lines of level info. Anyone can cause denials, so the log is limited to 60 lines
 * per event type and 300 lines in total per minute. Logs the number of suppressed lines before the next line of a later
 * minute, or one minute after the first suppressed line, whichever is earlier.
 */
export function createSecurityLog(logger: Logger, monotonic: MonotonicClock): SecurityLog {
  let begun = Number.NEGATIVE_INFINITY
  let logged = 0
  let counts = new Map<SecurityEvent, number>()
  let suppressed = new Map<SecurityEvent, number>()
  let timer: NodeJS.Timeout | undefined
  const say = (name: string, fields: Readonly<Record<string, FieldValue>>) =>
    logger.info(`security ${name}`, new Fields({ category: 'security', event: name, ...fields }))
  const begin = (now: number) => {
    clearTimeout(timer)
    timer = undefined
    for (const [of, count] of suppressed) say('suppressed', { of, count })
    ;[begun, logged, counts, suppressed] = [now, 0, new Map(), new Map()]
  }
  const note = (entry: SecurityEntry) => {
    const now = monotonic()
    if (now - begun >= WINDOW_MS) begin(now)
    const { event } = entry
    const count = counts.get(event) ?? 0
    if (count >= MAX_PER_EVENT_TYPE || logged >= MAX_PER_WINDOW) {
      suppressed.set(event, (suppressed.get(event) ?? 0) + 1)
      timer ??= setTimeout(() => begin(monotonic()), WINDOW_MS).unref()
      return
    }
    counts.set(event, count + 1)
    logged += 1
    say(event, toFields(entry))
  }
  return {
    record: note,
    recordChanges: (author, events) => toAccessEntries(author, events).forEach(note),
    close: () => begin(monotonic()),
  }
}

function toFields(entry: SecurityEntry): Readonly<Record<string, FieldValue>> {
  const { result, status, reason, actor, actorId, address, via, details } = entry
  return {
    result,
    ...(status === undefined ? {} : { status }),
    ...(reason === undefined ? {} : { reason }),
    actor,
    actorId,
    address,
    method: via?.method ?? null,
    route: via?.route ?? null,
    ...details,
  }
}
