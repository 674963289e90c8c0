import type { Kind } from '@burgee/import/model/fidelity'
import { escapeNames } from '@burgee/kit/terminal-text'
import type { VerifiedImport } from '@burgee/server/admin/import/verify-import'
import type { OperatorImportReport } from '@burgee/server/boot/operator/import'
import { formatComparison, toComparisonJson } from '../verify/verify-text.ts'

const MAX_NAMES = 10

/** Exit codes of a completed import. A failed import has the code 1. */
export const EXIT_CODES = { equal: 0, unexplained: 2, reported: 3 } as const

/** Kinds of objects that affect the flags that SDKs get. */
const DECISIVE_KINDS: ReadonlySet<Kind> = new Set(['strategy type', 'segment', 'flag', 'dependency', 'token'])

/** Returns the exit code, which depends on whether SDKs get the same flags from this server as from the source. */
export function getExitCode({ notes, verified }: OperatorImportReport): number {
  if (verified !== undefined && !isProven(verified)) return EXIT_CODES.unexplained
  const isReported = notes.some(({ kind, fidelity }) => fidelity !== 'exact' && DECISIVE_KINDS.has(kind))
  return isReported || (verified?.reported.length ?? 0) > 0 ? EXIT_CODES.reported : EXIT_CODES.equal
}

/** Returns true if the comparison found no differences that the import had not reported. */
function isProven({ parts }: VerifiedImport): boolean {
  return parts.every(({ differences }) => differences.length === 0)
}

const COMPARED_WITH_SOURCE = 'Compared with the configuration that the source serves to SDKs.'
const COMPARED_WITH_READING = 'Compared with the data read from the source, which cannot serve SDKs.'

/** Formats the result of the comparison after an import for a terminal. */
export function formatVerified(verified: VerifiedImport): string[] {
  const { names, parts, reported: reportedNames, isFromSource } = verified
  const more = reportedNames.length - MAX_NAMES
  const named = `${escapeNames(reportedNames.slice(0, MAX_NAMES)).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return [
    '',
    ...(parts.length === 0 ? ['No environment has a flag to verify.'] : [formatComparison(parts, names)]),
    ...(parts.length === 0 ? [] : [isFromSource ? COMPARED_WITH_SOURCE : COMPARED_WITH_READING]),
    ...(reportedNames.length === 0 ? [] : [`Different as reported above: ${named}`]),
    ...(isProven(verified) ? [] : ['The import differs from the source: check this before SDKs use this server.']),
  ]
}

/** Returns the result of the comparison as JSON. */
export function toVerifiedJson({ names, parts, reported: told, isFromSource }: VerifiedImport, seed: number): object {
  return { ...toComparisonJson(parts, names, seed), told, against: isFromSource ? 'source' : 'reading' }
}
