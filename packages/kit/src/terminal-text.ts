/**
 * Control characters, bidirectional marks and line separators, all of which can change the behavior or the output of a
 * terminal.
 */
const TERMINAL_CONTROLS = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu
const ALLOWED_CONTROLS = new Set(['\n', '\t'])

/**
 * Escapes text for output to a terminal. Control characters become escape sequences such as `\u001b`, which mean the
 * same in JSON. Line feeds and tabs are left unchanged. Source: CWE-150
 */
export function escapeControls(text: string): string {
  return text.replace(TERMINAL_CONTROLS, (control) =>
    ALLOWED_CONTROLS.has(control) ? control : toUnicodeEscape(control),
  )
}

/** Escapes all strings in plain data. Line feeds are escaped as well, so that a name cannot imitate a separate line. */
export function escapeNames<T>(data: T): T {
  return escapeData(data) as T
}

function escapeData(data: unknown): unknown {
  if (typeof data === 'string') return data.replace(TERMINAL_CONTROLS, toUnicodeEscape)
  if (Array.isArray(data)) return data.map(escapeData)
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [escapeData(name), escapeData(value)]))
}

function toUnicodeEscape(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`
}
