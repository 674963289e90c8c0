import type { AdminFeature } from '@burgee/protocol/admin-feature'
import { useNavigate } from '@tanstack/react-router'
import { reviveAll } from '../api/bulk.ts'
import { archiveFlag } from '../api/flags.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { listArchiveItems } from '../go-live/planned-change.ts'
import { useGoLive } from '../go-live/use-go-live.ts'
import { PROPOSAL_TEXTS } from '../proposals/texts.ts'
import { useSharedDraft } from '../proposals/use-shared-draft.ts'
import { useLiveCheck } from '../shell/environment/use-live-check.ts'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { useConfirm } from '../ui/dialog/confirm.tsx'
import { showFailure, showSuccess } from '../ui/messages/feedback.ts'
import { ACTION_TEXTS } from './action-texts.ts'
import { FLAG_TEXTS } from './texts.ts'

/**
 * Returns functions that archive and revive a flag. Archiving asks for a confirmation and offers undo. If archiving
 * needs a change request, the change is added to the shared draft instead.
 */
export function useArchiveFlag(flag: AdminFeature) {
  const { project, name: feature } = flag
  const t = useTexts(FLAG_TEXTS)
  const words = useCatalogue(FLAG_TEXTS)
  const shared = useSharedDraft(project)
  const confirm = useConfirmArchive(flag)
  const navigate = useNavigate()
  const refetch = useRefetch()
  const refresh = () => refetch(['flag', project, feature], ['flags', project], ['events'])
  const revive = async (): Promise<void> => {
    try {
      await reviveAll(project, [feature])
      await refresh()
      showSuccess(words.revived(feature))
    } catch (error) {
      showFailure(t, words.revive, error)
    }
  }
  const archive = async (): Promise<void> => {
    try {
      const draft = await shared.find()
      if (!(await confirm(draft))) return
      if (draft !== undefined) {
        await shared.propose(draft, [{ feature, action: 'archiveFeature' }])
        return
      }
      await archiveFlag({ project, feature })
      await navigate({ to: '/projects/$project', params: { project } })
      await refresh()
      showSuccess(t.flag.archiveDone(feature), { label: t.common.undo, run: () => void revive() })
    } catch (error) {
      showFailure(t, t.flag.archive, error)
    }
  }
  return { archive, revive }
}

type SharedDraft = Awaited<ReturnType<ReturnType<typeof useSharedDraft>['find']>>

/** Returns a function that asks before a flag is archived. Names the environments whose users lose the flag. */
function useConfirmArchive(flag: AdminFeature): (draft: SharedDraft) => Promise<boolean> {
  const { project, name: feature, environments, lastSeenAt } = flag
  const t = useTexts(FLAG_TEXTS)
  const actions = useCatalogue(ACTION_TEXTS)
  const proposals = useCatalogue(PROPOSAL_TEXTS)
  const ask = useConfirm()
  const goLive = useGoLive()
  const liveAmong = useLiveCheck()
  const { ago } = useFormat()
  return async (draft) => {
    const on = environments.filter(({ enabled }) => enabled).map(({ name }) => name)
    const live = await liveAmong(on)
    const approval = draft === undefined ? [] : [proposals.sharedBanner(draft)]
    const text = [t.flags.archiveText, ...approval]
    const button = draft === undefined ? { action: t.flag.archive, isDanger: true } : { action: proposals.action }
    const question = { title: t.flag.archiveTitle(feature), ...button }
    const items = listArchiveItems(project, flag, (name) => live.includes(name))
    const seen = lastSeenAt === null ? actions.neverEvaluated : actions.lastEvaluated(ago(lastSeenAt))
    return items.length === 0
      ? ask({ ...question, text: [seen, ...text].join(' ') })
      : goLive({ items, question, note: text.join(' '), isGuarded: draft !== undefined })
  }
}
