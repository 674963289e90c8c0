import type { AdminFeature } from '@burgee/protocol/admin-feature'
import { Button, Group, Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { reviveAll } from '../api/bulk.ts'
import { archiveFlag, patchFlag, uncompleteFlag } from '../api/flags.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { listArchiveItems } from '../go-live/planned-change.ts'
import { useGoLive } from '../go-live/use-go-live.ts'
import { LIFECYCLE_TEXTS } from '../lifecycle/texts.ts'
import { useMayChange } from '../proposals/may-change.ts'
import { PROPOSAL_TEXTS } from '../proposals/texts.ts'
import { useSharedDraft } from '../proposals/use-shared-draft.ts'
import { useLiveCheck } from '../shell/environment/use-live-check.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { useConfirm } from '../ui/dialog/confirm.tsx'
import { lazyDialog } from '../ui/loading/lazy-part.tsx'
import { showFailure, showSuccess } from '../ui/messages/feedback.ts'
import { useAction } from '../ui/messages/use-action.ts'
import { ACTION_TEXTS } from './action-texts.ts'
import { CopyFlag } from './copy-flag.tsx'
import { EditDetails } from './edit-details.tsx'
import { FLAG_TEXTS } from './texts.ts'
import { useMoveTargets } from './use-move-targets.ts'

const CompleteFlag = lazyDialog(
  'CompleteFlag',
  async () => (await import('../lifecycle/complete-flag.tsx')).CompleteFlag,
)
const MoveFlag = lazyDialog('MoveFlag', async () => (await import('./move-flag.tsx')).MoveFlag)

/** Actions on a whole flag. */
export function FlagActions({ flag }: { flag: AdminFeature }) {
  const t = useTexts(FLAG_TEXTS)
  const words = useCatalogue(FLAG_TEXTS)
  const stages = useCatalogue(LIFECYCLE_TEXTS)
  const may = usePermissionCheck()
  const { project, name: feature } = flag
  const [open, setOpen] = useState<'edit' | 'copy' | 'move' | 'complete'>()
  const { mark, reopen, archive, revive } = useFlagChanges(flag)
  const isCompleted = flag.lifecycle.stage === 'completed'
  const targets = useMoveTargets(project)
  const mayUpdate = may('UPDATE_FEATURE', { project })
  const mayArchive = useMayChange(project)('DELETE_FEATURE', { project })
  const mayCopy = may('CREATE_FEATURE', { project })
  const mayMove = targets.length > 0
  const close = (): void => setOpen(undefined)
  if (flag.archived) return mayUpdate && <Button onClick={() => void revive()}>{words.revive}</Button>
  if (!mayUpdate && !mayArchive && !mayCopy && !mayMove) return null
  return (
    <Group>
      {mayUpdate && (
        <Button variant="default" onClick={() => setOpen('edit')}>
          {t.flag.editDetails}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<ChevronDown size={14} aria-hidden="true" />}>
            {t.common.more}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {mayUpdate && (
            <Menu.Item onClick={() => void mark(!flag.stale)}>
              {flag.stale ? t.flag.markActive : t.flag.markStale}
            </Menu.Item>
          )}
          {mayUpdate && (
            <Menu.Item onClick={isCompleted ? () => void reopen() : () => setOpen('complete')}>
              {isCompleted ? stages.reopen : stages.complete}
            </Menu.Item>
          )}
          {mayCopy && <Menu.Item onClick={() => setOpen('copy')}>{words.clone}</Menu.Item>}
          {mayMove && <Menu.Item onClick={() => setOpen('move')}>{words.move.open}</Menu.Item>}
          {mayArchive && (
            <Menu.Item c="var(--bad)" onClick={() => void archive()}>
              {t.flag.archive}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {open === 'complete' && <CompleteFlag flag={flag} close={close} />}
      {open === 'edit' && <EditDetails flag={flag} close={close} />}
      {open === 'copy' && <CopyFlag project={project} feature={feature} close={close} />}
      {open === 'move' && <MoveFlag project={project} feature={feature} targets={targets} close={close} />}
    </Group>
  )
}

function useFlagChanges(flag: AdminFeature) {
  const { project, name: feature, environments, lastSeenAt } = flag
  const t = useTexts(FLAG_TEXTS)
  const words = useCatalogue(FLAG_TEXTS)
  const told = useCatalogue(ACTION_TEXTS)
  const ask = useConfirm()
  const goLive = useGoLive()
  const proposals = useCatalogue(PROPOSAL_TEXTS)
  const shared = useSharedDraft(project)
  const { ago } = useFormat()
  const navigate = useNavigate()
  const refetch = useRefetch()
  const refresh = () => refetch(['flag', project, feature], ['flags', project], ['events'])
  const stages = useCatalogue(LIFECYCLE_TEXTS)
  const act = useAction()
  const liveAmong = useLiveCheck()
  const setStale = (value: boolean) => patchFlag({ project, feature }, [{ op: 'replace', path: '/stale', value }])
  const mark = (isStale: boolean) => {
    const [what, done] = isStale ? [t.flag.markStale, told.markedStale] : [t.flag.markActive, told.markedActive]
    return act({
      what,
      run: () => setStale(isStale),
      done: done(feature),
      changes: ['flag', 'flags'],
      undo: { run: () => setStale(!isStale), done: (isStale ? told.markedActive : told.markedStale)(feature) },
    })
  }
  const reopen = () =>
    act({
      what: stages.reopen,
      run: () => uncompleteFlag({ project, feature }),
      done: stages.reopened(feature),
      changes: ['flag', 'flags'],
    })
  const archive = async (): Promise<void> => {
    const { archiveTitle, archive: action } = t.flag
    try {
      const draft = await shared.find()
      const on = environments.filter(({ enabled }) => enabled).map(({ name }) => name)
      const live = await liveAmong(on)
      const approval = draft === undefined ? [] : [proposals.sharedBanner(draft)]
      const text = [t.flags.archiveText, ...approval]
      const button = draft === undefined ? { action, isDanger: true } : { action: proposals.action }
      const question = { title: archiveTitle(feature), ...button }
      const items = listArchiveItems(project, flag, (name) => live.includes(name))
      const seen = lastSeenAt === null ? told.neverEvaluated : told.lastEvaluated(ago(lastSeenAt))
      const isConfirmed =
        items.length === 0
          ? ask({ ...question, text: [seen, ...text].join(' ') })
          : goLive({ items, question, note: text.join(' '), isGuarded: draft !== undefined })
      if (!(await isConfirmed)) return
      if (draft !== undefined) {
        await shared.propose(draft, [{ feature, action: 'archiveFeature' }])
        return
      }
      await archiveFlag({ project, feature })
      await navigate({ to: '/projects/$project', params: { project } })
      await refresh()
      showSuccess(t.flag.archiveDone(feature), { label: t.common.undo, run: () => void revive() })
    } catch (error) {
      showFailure(t, action, error)
    }
  }
  const revive = async (): Promise<void> => {
    try {
      await reviveAll(project, [feature])
      await refresh()
      showSuccess(words.revived(feature))
    } catch (error) {
      showFailure(t, words.revive, error)
    }
  }
  return { mark, reopen, archive, revive }
}
