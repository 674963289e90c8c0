import type { AdminFeature } from '@burgee/protocol/admin-feature'
import { describeParent } from '../parent-text.ts'
import type { FLAG_TEXTS } from '../texts.ts'
import { getFlagShare, type Parent, type ParentChange } from './parent-effect.ts'
import type { DEPENDENCY_TEXTS } from './texts.ts'

/** UI strings for sentences about parents. */
export interface EffectTexts {
  readonly own: (typeof DEPENDENCY_TEXTS)['en']
  readonly parents: (typeof FLAG_TEXTS)['en']['dependencies']
}

/** Describes in one sentence the effect of a parent change on a flag in an environment. */
export function describeEffect(
  words: EffectTexts,
  child: string,
  { environment, after }: ParentChange,
  parent: Parent | undefined,
): string {
  const { own, parents } = words
  if (parent === undefined || after === 'everybody') return own.opens(environment, child)
  const { flag, needs } = parent
  if (after === 'nobody') return own.nobody(flag.name, describeParentState(own, flag, environment), environment, child)
  return own.some(flag.name, describeParent(parents, needs), environment, child)
}

/** Returns the word for a parent's state (on, off or archived) in an environment. */
export function describeParentState(own: EffectTexts['own'], parent: AdminFeature, environment: string): string {
  if (parent.archived) return own.archived
  return getFlagShare(parent, environment) === 'nobody' ? own.off : own.on
}
