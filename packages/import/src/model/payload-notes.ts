import { findExpectedPayload } from '@burgee/protocol/targeting/payload'
import type { Note } from './fidelity.ts'
import type { Installation } from './installation.ts'
import type { SourceState } from './source-flags.ts'

/**
 * Reports flags with payloads that applications cannot parse: invalid JSON or numbers. The payloads are imported
 * unchanged.
 */
export function listPayloadNotes({ flags }: Pick<Installation, 'flags'>): Note[] {
  return flags.flatMap((flag) =>
    flag.states.flatMap((state) => {
      const variants = listUnreadableVariants(state)
      if (variants.length === 0) return []
      const named = [...new Set(variants)].map((name) => `"${name}"`).join(', ')
      const words = `the payload of ${named} does not match its type; it is stored unchanged, and can be saved only once it is corrected`
      return [
        { kind: 'flag' as const, name: `${flag.name} in ${state.environment}`, fidelity: 'exact' as const, words },
      ]
    }),
  )
}

function listUnreadableVariants({ variants, strategies }: SourceState): string[] {
  return [...variants, ...strategies.flatMap((strategy) => strategy.variants)]
    .filter(({ payload }) => findExpectedPayload(payload) !== undefined)
    .map(({ name }) => name)
}
