import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { ChangeInput } from '@burgee/protocol/administration/change-request'
import { useQueryClient } from '@tanstack/react-query'
import type { FlagEnvironment, FlagRef } from '../api/flags.ts'
import { getFlagQuery } from '../api/queries.ts'
import type { LiveEdit } from '../go-live/flag-edit.ts'
import { useGoLive } from '../go-live/use-go-live.ts'
import { useLiveCheck } from '../shell/environment/use-live-check.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { useConfirm } from '../ui/dialog/confirm.tsx'
import { useGuards } from './guard.ts'
import { PROPOSAL_TEXTS } from './texts.ts'
import { usePropose } from './use-propose.ts'

/**
 * Returns functions that change a flag in any environment. In protected environments, changes are added to the user's
 * draft. In unprotected environments, changes are applied directly, with confirmation if real users are affected.
 */
export function useGuardedChange({ project, feature }: FlagRef) {
  const t = useTexts()
  const own = useCatalogue(PROPOSAL_TEXTS)
  const { isGuarded, check } = useGuards(project)
  const propose = usePropose()
  const ask = useConfirm()
  const goLive = useGoLive()
  const queries = useQueryClient()
  const liveAmong = useLiveCheck()
  return {
    isGuarded,
    /**
     * Asks for confirmation if the change affects real users in the environments. `sentence` describes the change in
     * words. If `edit` is given, the question shows who gets the flag before and after the change, and `sentence` may
     * be empty.
     */
    confirm: async (sentence: string, environments: readonly string[], edit?: LiveEdit): Promise<boolean> => {
      const live = await liveAmong(environments)
      const flag = queries.getQueryData<AdminFeature>(getFlagQuery({ project, feature }).queryKey)
      const isOn = (name: string) => flag?.environments.some((one) => one.name === name && one.enabled) === true
      const served = live.filter(isOn)
      if (served.length === 0) return true
      const title = own.saveTitle(feature, served.join(', '))
      const [environment] = served
      if (edit === undefined || environment === undefined || served.length > 1) {
        return ask({ title, text: own.saveText(sentence), action: t.common.save })
      }
      const question = { title, action: t.common.save }
      return goLive({
        items: [{ place: { project, feature, environment }, edits: [edit] }],
        question,
        ...(sentence === '' ? {} : { note: sentence }),
        isGuarded: false,
      })
    },
    /** Applies the change, or adds it to the draft. Resolves to true if it was applied. */
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

/** Returns functions for an editor of a flag in one environment; see `useGuardedChange`. */
export function useGuardedEditor(place: FlagEnvironment) {
  const own = useCatalogue(PROPOSAL_TEXTS)
  const { isGuarded, confirm, save } = useGuardedChange(place)
  const { environment } = place
  const isProposal = isGuarded(environment)
  return {
    isProposal,
    /** Label of the button; undefined for the default label. */
    action: isProposal ? own.action : undefined,
    banner: isProposal ? own.banner(environment) : undefined,
    /**
     * Asks for confirmation if real users are affected. `sentence` describes the change in `environments` in words. If
     * `edit` is given, the question shows who gets the flag before and after the change.
     */
    confirm: async (
      sentence: string,
      { environments = [environment], edit }: { readonly environments?: readonly string[]; readonly edit?: LiveEdit },
    ): Promise<boolean> => isProposal || confirm(sentence, environments, edit),
    /** Applies the change, or adds it to the draft. Resolves to true if it was applied. */
    save: (directly: () => Promise<unknown>, change: GuardedChange): Promise<boolean> =>
      save(environment, directly, change),
  }
}
