import type { AdminFeature } from '@burgee/protocol/admin-feature'
import { parentText } from '../parent-text.ts'
import type { FLAG_TEXTS } from '../texts.ts'
import { type Parent, type ParentChange, shareOf } from './parent-effect.ts'
import type { DEPENDENCY_TEXTS } from './texts.ts'

/** UI texts for sentences about parents. */
export interface EffectWords {
  readonly own: (typeof DEPENDENCY_TEXTS)['en']
  readonly parents: (typeof FLAG_TEXTS)['en']['dependencies']
}

/** Describes in one sentence what a parent change does to a flag in an environment. */
export function effectText(
  words: EffectWords,
  child: string,
  { environment, after }: ParentChange,
  parent: Parent | undefined,
): string {
  const { own, parents } = words
  if (parent === undefined || after === 'everybody') return own.opens(environment, child)
  const { flag, needs } = parent
  if (after === 'nobody') return own.nobody(flag.name, stateText(own, flag, environment), environment, child)
  return own.some(flag.name, parentText(parents, needs), environment, child)
}

/** Returns the word for a parent's state (on, off or archived) in an environment. */
export function stateText(own: EffectWords['own'], parent: AdminFeature, environment: string): string {
  if (parent.archived) return own.archived
  return shareOf(parent, environment) === 'nobody' ? own.off : own.on
}
