import type { AdminFeatureEnvironment } from '@burgee/protocol/admin-feature'
import type { ChangeInput, ChangePayload } from '@burgee/protocol/administration/change-request'
import type { StrategyInput } from '@burgee/protocol/targeting/strategy'
import type { VariantInput } from '@burgee/protocol/targeting/variant'
import { withStrategyDefaults, withVariantDefaults } from '../change-requests/state-comparison.ts'
import { findDifferences, isMeaningful } from '../diff/diff.ts'

type Change = Pick<ChangeInput, 'action' | 'payload'>
type FlagState = Pick<AdminFeatureEnvironment, 'enabled' | 'strategies' | 'variants'>

/** Actions that `isWithoutEffect` can compare with the state of a flag. Any other action counts as having an effect. */
const COMPARED_ACTIONS: ReadonlySet<string> = new Set(['updateEnabled', 'updateStrategy', 'patchVariant'])

/** Returns the flag whose state determines whether a change has an effect; undefined if the change always has one. */
export function findComparedFlag({ feature, action }: Pick<ChangeInput, 'feature' | 'action'>): string | undefined {
  return COMPARED_ACTIONS.has(action) ? (feature ?? undefined) : undefined
}

/** Returns true if a change would leave the flag in the environment as it is, so that there is nothing to review. */
export function isWithoutEffect({ action, payload }: Change, now: FlagState): boolean {
  switch (action) {
    case 'updateEnabled': {
      const { enabled, shouldActivateDisabledStrategies } = payload as ChangePayload<'updateEnabled'>
      return enabled === now.enabled && shouldActivateDisabledStrategies !== true
    }
    case 'updateStrategy': {
      const { id, allowEmpty: _, ...next } = payload as ChangePayload<'updateStrategy'>
      const before = now.strategies.find((one) => one.id === id)
      if (before === undefined) return false
      const after = { ...before, constraints: [], variants: [], ...next } as StrategyInput
      return areEqual(withStrategyDefaults(before as StrategyInput), withStrategyDefaults(after))
    }
    case 'patchVariant': {
      const { variants } = payload as ChangePayload<'patchVariant'>
      return areEqual(withVariantDefaults((now.variants ?? []) as VariantInput[]), withVariantDefaults(variants))
    }
    default:
      return false
  }
}

const areEqual = (before: unknown, after: unknown): boolean => !findDifferences(before, after).some(isMeaningful)
