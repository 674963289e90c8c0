import type { Kind } from '@burgee/import/model/fidelity'
import { escapeNames } from '@burgee/kit/terminal-text'
import type { OperatorReport } from '@burgee/server/operator/import'
import type { VerifiedImport } from '@burgee/server/services/import/verify-import'
import { verifyJson, verifyText } from '../verify/verify-text.ts'

const MOST_NAMES = 10

/** Exit codes of a completed import; 1 is a failed one. */
export const EXIT_CODES = { equal: 0, unexplained: 2, reported: 3 } as const

/** Kinds of items that determine what SDKs get. */
const DECIDING: ReadonlySet<Kind> = new Set(['strategy type', 'segment', 'flag', 'dependency', 'token'])

/** Returns the exit code that tells whether SDKs get the same flags here as from the source. */
export function exitCode({ notes, verified }: OperatorReport): number {
  if (verified !== undefined && !isProven(verified)) return EXIT_CODES.unexplained
  const isReported = notes.some(({ kind, fidelity }) => fidelity !== 'exact' && DECIDING.has(kind))
  return isReported || (verified?.told.length ?? 0) > 0 ? EXIT_CODES.reported : EXIT_CODES.equal
}

/** Returns true if there are no differences other than reported ones. */
function isProven({ parts }: VerifiedImport): boolean {
  return parts.every(({ differences }) => differences.length === 0)
}

const ASKED = 'Compared with what the source itself gives to SDKs.'
const READ = 'Compared with what was read of the source, which cannot be asked what it gives to SDKs.'

/** Formats the result of the comparison after an import for a terminal. */
export function verifiedLines(verified: VerifiedImport): string[] {
  const { names, parts, told, isAsked } = verified
  const more = told.length - MOST_NAMES
  const named = `${escapeNames(told.slice(0, MOST_NAMES)).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return [
    '',
    ...(parts.length === 0 ? ['There was no flag in any environment to verify.'] : [verifyText(parts, names)]),
    ...(parts.length === 0 ? [] : [isAsked ? ASKED : READ]),
    ...(told.length === 0 ? [] : [`Different as told above: ${named}`]),
    ...(isProven(verified) ? [] : ['It was imported, and is not the same: look at this before SDKs are sent here.']),
  ]
}

/** Returns the result of the comparison as JSON. */
export function verifiedJson({ names, parts, told, isAsked }: VerifiedImport, seed: number): object {
  return { ...verifyJson(parts, names, seed), told, against: isAsked ? 'source' : 'reading' }
}
