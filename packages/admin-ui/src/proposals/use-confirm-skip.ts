import { useQueryClient } from '@tanstack/react-query'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { useConfirm } from '../ui/dialog/confirm.tsx'
import { showFailure, showFailureReason } from '../ui/messages/feedback.ts'
import { getGuardsQuery } from './guard.ts'
import { type ChangeScope, findSkippedGuards } from './skipped-guards.ts'
import { PROPOSAL_TEXTS } from './texts.ts'

/**
 * Returns functions for changes that affect protected environments but that a change request cannot contain. Users who
 * may skip change requests must confirm. Users who may not skip change requests get a message.
 */
export function useConfirmSkip() {
  const t = useTexts()
  const own = useCatalogue(PROPOSAL_TEXTS)
  const queries = useQueryClient()
  const may = usePermissionCheck()
  const ask = useConfirm()
  /**
   * Returns text to add to the confirmation question, which may be empty. If the change is not permitted, shows a
   * message and returns undefined.
   */
  const note = async (what: string, reaches: readonly ChangeScope[]): Promise<string | undefined> => {
    try {
      const found = await Promise.all(
        reaches.map(async (one) => findSkippedGuards(one, await queries.fetchQuery(getGuardsQuery(one.project)), may)),
      )
      const [refused, skipped] = [uniteNames(found, 'refused'), uniteNames(found, 'skipped')]
      if (refused.length === 0) return skipped.length === 0 ? '' : own.skipText(skipped.join(', '))
      showFailureReason(t, what, own.skipRefused(refused.join(', ')))
    } catch (error) {
      showFailure(t, what, error)
    }
    return undefined
  }
  return {
    note,
    /** Asks for confirmation if change requests are skipped. Resolves to true if the change may proceed. */
    confirm: async (what: string, reaches: readonly ChangeScope[]): Promise<boolean> => {
      const text = await note(what, reaches)
      if (text === undefined || text === '') return text === ''
      return ask({ title: own.skipTitle, text, action: what, isDanger: true })
    },
  }
}

const uniteNames = <K extends string>(found: readonly Readonly<Record<K, string[]>>[], which: K): string[] => [
  ...new Set(found.flatMap((one) => one[which])),
]
