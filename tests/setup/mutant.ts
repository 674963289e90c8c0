import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Plugin } from 'vitest/config'
import { instrument } from '../../scripts/mutation-hits.mjs'

const SOURCE = /^packages\/\w[\w-]*\/src\/.*(?<!\.test)\.ts$/

/**
 * Loads sources for `npm run mutate`. Either changes one source slightly, as `scripts/mutation-runner.mjs` requests, or
 * records which functions ran in all sources. Threads and processes that tests start load unchanged sources.
 */
export function mutant(root: string): Plugin {
  const { BURGEE_MUTANTS, BURGEE_MUTANT_HITS } = process.env
  if (BURGEE_MUTANTS === undefined) return { name: 'mutant' }
  const current = globalThis as { burgeeMutant?: { readonly file: string; readonly code: string } }
  return {
    name: 'mutant',
    enforce: 'pre',
    load: (id) => {
      const [path = ''] = id.split('?')
      const change = current.burgeeMutant
      if (change?.file === path) return change.code
      if (BURGEE_MUTANT_HITS === undefined || !SOURCE.test(relative(root, path))) return undefined
      return instrument(readFileSync(path, 'utf8'), relative(root, path))
    },
  }
}
