/** Control characters, bidirectional marks and line separators, which change what a terminal does or shows. */
const OBEYED = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu
const LAYOUT = new Set(['\n', '\t'])

/**
 * Escapes text for output to a terminal. Control characters become `\u001b` and the like, which means the same in JSON;
 * line feeds and tabs are unchanged. Source: CWE-150
 */
export function escapeControls(text: string): string {
  return text.replace(OBEYED, (control) => (LAYOUT.has(control) ? control : escapeOf(control)))
}

/** Escapes all strings in plain data, including line feeds, so that a name cannot fake another line. */
export function escapeNames<T>(data: T): T {
  return escaped(data) as T
}

function escaped(data: unknown): unknown {
  if (typeof data === 'string') return data.replace(OBEYED, escapeOf)
  if (Array.isArray(data)) return data.map(escaped)
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [escaped(name), escaped(value)]))
}

function escapeOf(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`
}
