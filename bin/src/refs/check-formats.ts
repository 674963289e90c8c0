import { formatSuggestion } from '@burgee/kit/options/nearest'
import { escapeControls, escapeNames } from '@burgee/kit/terminal-text'
import type { FlagCheck, FlagProblem } from './check-flags.ts'

/** Output formats of the check. `github` prints annotations of GitHub Actions; `sarif` prints SARIF 2.1.0. */
export const CHECK_FORMATS = ['text', 'json', 'github', 'sarif'] as const
export type CheckFormat = (typeof CHECK_FORMATS)[number]

/** Severity of each kind of problem, as written in SARIF and in annotations. */
const LEVELS = { missing: 'error', stale: 'warning' } as const

/** Formats the result of a check. */
export function formatCheck(check: FlagCheck, format: CheckFormat): string {
  switch (format) {
    case 'text':
      return [...escapeNames(check.problems).map(formatLine), formatSummary(check)].join('\n')
    case 'json':
      return JSON.stringify(check, undefined, 2)
    case 'github':
      return [...check.problems.map(formatAnnotation), formatSummary(check)].join('\n')
    case 'sarif':
      return JSON.stringify(toSarif(check), undefined, 2)
  }
}

function describe({ kind, flag, suggestion }: FlagProblem): string {
  if (kind === 'stale') return `The flag "${flag}" is stale: remove it from the code`
  const meant = formatSuggestion(suggestion === undefined ? undefined : `"${suggestion}"`)
  return `The flag "${flag}" does not exist or is archived${meant}`
}

function formatLine(problem: FlagProblem): string {
  return `${problem.path}:${problem.line}:${problem.column}: ${LEVELS[problem.kind]}: ${describe(problem)}`
}

function formatSummary({ problems, calls, flags, files, skipped }: FlagCheck): string {
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`
  const missing = problems.filter(({ kind }) => kind === 'missing').length
  const found = `${count(missing, 'error')}, ${count(problems.length - missing, 'warning')}`
  const left = [
    ...(skipped.tooLarge > 0 ? [`${count(skipped.tooLarge, 'file')} larger than 1 MiB skipped`] : []),
    ...(skipped.unreadable > 0 ? [`${count(skipped.unreadable, 'unreadable path')} skipped`] : []),
  ]
  const read = `${count(calls, 'call')} of ${count(flags, 'flag')} in ${count(files, 'file')}`
  return [`${found}: ${read}`, ...left].join('; ')
}

/** Returns a workflow command for GitHub Actions. */
function formatAnnotation(problem: FlagProblem): string {
  const { path, line, column, kind } = problem
  const place = `file=${escapeProperty(path)},line=${line},col=${column}`
  return `::${LEVELS[kind]} ${place},title=Feature flag::${escapeData(describe(problem))}`
}

const escapeData = (text: string): string =>
  escapeControls(text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'))
const escapeProperty = (text: string): string => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** Rules listed in the SARIF report. */
const RULES = [
  { id: 'missing-flag', shortDescription: { text: 'The code uses a flag that does not exist or is archived.' } },
  { id: 'stale-flag', shortDescription: { text: 'The code uses a stale flag.' } },
] as const

function toSarif({ problems }: FlagCheck): object {
  const results = problems.map((problem) => ({
    ruleId: `${problem.kind}-flag`,
    level: LEVELS[problem.kind],
    message: { text: describe(problem) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: problem.path.split('/').map(encodeURIComponent).join('/') },
          region: { startLine: problem.line, startColumn: problem.column },
        },
      },
    ],
  }))
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'burgee refs check', rules: RULES } }, columnKind: 'utf16CodeUnits', results }],
  }
}
