import { escapeNames } from '@burgee/kit/terminal-text'
import type { VerifiedImport } from '@burgee/server/services/import/verify-import'
import { verifyJson, verifyText } from '../verify/verify-text.ts'

const MOST_NAMES = 10

/** Whether nothing differs but what the report tells of. */
export function isProven({ parts }: VerifiedImport): boolean {
  return parts.every(({ differences }) => differences.length === 0)
}

/** What was compared after an import, for a terminal. */
export function verifiedLines(verified: VerifiedImport): string[] {
  const { names, parts, told } = verified
  const more = told.length - MOST_NAMES
  const named = `${escapeNames(told.slice(0, MOST_NAMES)).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return [
    '',
    ...(parts.length === 0 ? ['There was no flag in any environment to verify.'] : [verifyText(parts, names)]),
    ...(told.length === 0 ? [] : [`Different as told above: ${named}`]),
    ...(isProven(verified) ? [] : ['It was imported, and is not the same: look at this before SDKs are sent here.']),
  ]
}

/** The same for scripts. */
export function verifiedJson({ names, parts, told }: VerifiedImport, seed: number): object {
  return { ...verifyJson(parts, names, seed), told }
}
