import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { ChangeInput } from '@burgee/protocol/administration/change-request'
import { useQueryClient } from '@tanstack/react-query'
import type { FlagPlace, FlagRef } from '../api/flags.ts'
import { flagQuery } from '../api/queries.ts'
import { useLiveCheck } from '../shell/environment/use-live-check.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { useConfirm } from '../ui/dialog/confirm.tsx'
import { useGuard } from './guard.ts'
import { PROPOSAL_TEXTS } from './texts.ts'
import { useProposal } from './use-proposal.ts'

/**
 * How a flag is changed in any of its environments: where changes are approved first they go into the person's draft; where
 * real users get them at once, it asks before, as switches do.
 */
export function useGuardedChange({ project, feature }: FlagRef) {
  const t = useTexts()
  const own = useCatalogue(PROPOSAL_TEXTS)
  const { isGuarded, check } = useGuard(project)
  const propose = useProposal()
  const ask = useConfirm()
  const queries = useQueryClient()
  const liveAmong = useLiveCheck()
  return {
    isGuarded,
    /** Asks before it changes what real users get in some environments; `sentence` says what. */
    confirm: async (sentence: string, environments: readonly string[]): Promise<boolean> => {
      const live = await liveAmong(environments)
      const flag = queries.getQueryData<AdminFeature>(flagQuery({ project, feature }).queryKey)
      const isOn = (name: string) => flag?.environments.some((one) => one.name === name && one.enabled) === true
      const served = live.filter(isOn)
      if (served.length === 0) return true
      const title = own.saveTitle(feature, served.join(', '))
      return ask({ title, text: own.saveText(sentence), action: t.common.save })
    },
    /** Does it directly, or proposes it; true where it is done. */
    save: async (environment: string, directly: () => Promise<unknown>, change: GuardedChange): Promise<boolean> => {
      if (!(await check(environment))) {
        await directly()
        return true
      }
      await propose({ project, environment }, [{ feature, ...change }])
      return false
    },
  }
}

type GuardedChange = Omit<ChangeInput, 'feature'>

/** The same for an editor, which is about one environment. */
export function useGuardedEditor(place: FlagPlace) {
  const own = useCatalogue(PROPOSAL_TEXTS)
  const { isGuarded, confirm, save } = useGuardedChange(place)
  const { environment } = place
  const isProposal = isGuarded(environment)
  return {
    isProposal,
    /** What the button says; undefined for the usual. */
    action: isProposal ? own.action : undefined,
    banner: isProposal ? own.banner(environment) : undefined,
    /** Asks before it changes what real users get; `sentence` says what, `environments` where. */
    confirm: async (sentence: string, environments: readonly string[] = [environment]): Promise<boolean> =>
      isProposal || confirm(sentence, environments),
    /** Does it directly, or proposes it; true where it is done. */
    save: (directly: () => Promise<unknown>, change: GuardedChange): Promise<boolean> =>
      save(environment, directly, change),
  }
}
