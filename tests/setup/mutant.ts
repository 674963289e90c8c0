import { readFileSync } from 'node:fs'
import type { Plugin } from 'vitest/config'
import { applyMutant } from '../../scripts/mutants.mjs'

/**
 * Loads one source with a small change, which `npm run mutate` describes in the variable BURGEE_MUTANT. Does nothing
 * without the variable. Threads and processes that tests start load the source unchanged.
 */
export function mutant(): Plugin {
  const { BURGEE_MUTANT } = process.env
  if (BURGEE_MUTANT === undefined) return { name: 'mutant' }
  const { file, ...change } = JSON.parse(BURGEE_MUTANT) as { file: string; start: number; end: number; to: string }
  return {
    name: 'mutant',
    enforce: 'pre',
    load: (id) => (id.split('?')[0] === file ? applyMutant(readFileSync(file, 'utf8'), change) : undefined),
  }
}
