import type { Event } from '@burgee/protocol/event'

/** Facility "log audit" (13) and severity "notice" (5). Source: RFC 5424 section 6.2.1 */
const PRIORITY = 13 * 8 + 5
/** Value of a header field that is not known. */
const NIL = '-'
const MAX_HOST = 255
const MAX_MESSAGE_ID = 32

/**
 * Formats an event as a syslog message, preceded by its length in bytes: the message id is the event type, and the text
 * is the JSON of the event. Source: RFC 5424; RFC 6587 section 3.4.1
 */
export function formatSyslogMessage(event: Event, host: string): string {
  const header = [
    `<${PRIORITY}>1`,
    new Date(event.createdAt).toISOString(),
    toField(host, MAX_HOST),
    'burgee',
    NIL,
    toField(event.type, MAX_MESSAGE_ID),
    NIL,
  ]
  const message = `${header.join(' ')} ${JSON.stringify(event)}`
  return `${Buffer.byteLength(message)} ${message}`
}

/** Returns the printable ASCII characters of a header field. */
function toField(value: string, maxLength: number): string {
  const field = value.replaceAll(/[^\u0021-\u007e]/g, '').slice(0, maxLength)
  return field === '' ? NIL : field
}
