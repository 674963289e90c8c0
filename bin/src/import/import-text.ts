import type { Note } from '@burgee/import/model/fidelity'
import { escapeNames } from '@burgee/kit/terminal-text'
import type { ImportReport } from '@burgee/server/admin/import/import-order'

/** Maximum number of lines for each kind of note. `--json` prints all notes. */
const MAX_LINES = 20
/** Maximum number of object names per line. */
const MAX_NAMES = 10
const COLUMNS = ['found', 'imported', 'skipped'] as const

/** Formats the report of an import or dry run: a table, and notes on single items. */
export function formatReport(report: ImportReport): string[] {
  const { counts, notes } = escapeNames({ counts: report.counts, notes: report.notes })
  const width = Math.max(0, ...counts.map(({ kind }) => kind.length))
  const numbers = (row: Readonly<Record<(typeof COLUMNS)[number], number | string>>): string =>
    COLUMNS.map((column) => String(row[column]).padStart(column.length + 2)).join('')
  return [
    `${' '.repeat(width)}${numbers({ found: 'found', imported: 'imported', skipped: 'skipped' })}`,
    ...counts.map((count) => `${count.kind.padEnd(width)}${numbers(count)}`),
    ...formatNotes(
      'Imported with changes:',
      notes.filter(({ fidelity }) => fidelity === 'approximated'),
    ),
    ...formatNotes(
      'Not imported:',
      notes.filter(({ fidelity }) => fidelity === 'not carried'),
    ),
    ...formatNotes(
      'Notes:',
      notes.filter(({ fidelity }) => fidelity === 'exact'),
    ),
  ]
}

function formatNotes(heading: string, notes: readonly Note[]): string[] {
  if (notes.length === 0) return []
  const lines = [...Map.groupBy(notes, ({ kind, words }) => `${kind}\n${words}`).values()].map(formatNote)
  const rest = lines.length - MAX_LINES
  return [
    '',
    heading,
    ...lines.slice(0, MAX_LINES).map((line) => `  ${line}`),
    ...(rest > 0 ? [`  and ${rest} more (--json has all)`] : []),
  ]
}

/** Formats notes with the same text as one line. */
function formatNote(notes: readonly Note[]): string {
  const [{ kind = '', words = '' } = {}] = notes
  const names = notes.slice(0, MAX_NAMES).map(({ name }) => name)
  const rest = notes.length - names.length
  return `${kind} ${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}: ${words}`
}
