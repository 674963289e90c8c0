import type { BuiltInStrategy } from '@burgee/protocol/targeting/built-in-strategy'
import type { StrategyTypeView } from '@burgee/protocol/targeting/strategy-type'
import type { Catalogue } from '../text/languages.ts'

const en = {
  flexibleRollout: 'Gradual rollout',
  default: 'All users',
  userWithId: 'Listed users',
  remoteAddress: 'IP addresses',
  applicationHostname: 'Hosts',
} satisfies Partial<Record<BuiltInStrategy, string>>

const de: typeof en = {
  flexibleRollout: 'Schrittweiser Rollout',
  default: 'Alle Benutzer',
  userWithId: 'Aufgelistete Benutzer',
  remoteAddress: 'IP-Adressen',
  applicationHostname: 'Hosts',
}

/** Names of the built-in strategy types that can be chosen for new strategies, in the editor's order. */
export const STRATEGY_NAMES: Catalogue<Readonly<Record<string, string>>> = { en, de }

/** Returns the display name of a strategy type, from `STRATEGY_NAMES` if it is listed there. */
export function getStrategyTypeName(
  names: Readonly<Record<string, string>>,
  { name, title }: Pick<StrategyTypeView, 'name' | 'title'>,
): string {
  return (Object.hasOwn(names, name) ? names[name] : undefined) ?? (title || name)
}
