import type { AdminFeature } from '@burgee/protocol/admin-feature'
import { Button, Group, Menu } from '@mantine/core'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { LIFECYCLE_TEXTS } from '../lifecycle/texts.ts'
import { useMayChange } from '../proposals/may-change.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { lazyDialog } from '../ui/loading/lazy-part.tsx'
import { showFailure, showSuccess } from '../ui/messages/feedback.ts'
import { ACTION_TEXTS } from './action-texts.ts'
import { FLAG_TEXTS } from './texts.ts'
import { useArchiveFlag } from './use-archive-flag.ts'
import { useFlagStatus } from './use-flag-status.ts'
import { useMoveTargets } from './use-move-targets.ts'

const CompleteFlag = lazyDialog(
  'CompleteFlag',
  async () => (await import('../lifecycle/complete-flag.tsx')).CompleteFlag,
)
const CopyFlag = lazyDialog('CopyFlag', async () => (await import('./copy-flag.tsx')).CopyFlag)
const EditDetails = lazyDialog('EditDetails', async () => (await import('./edit-details.tsx')).EditDetails)
const MoveFlag = lazyDialog('MoveFlag', async () => (await import('./move-flag.tsx')).MoveFlag)

/** Actions on a whole flag. */
export function FlagActions({ flag }: { flag: AdminFeature }) {
  const t = useTexts(FLAG_TEXTS)
  const words = useCatalogue(FLAG_TEXTS)
  const stages = useCatalogue(LIFECYCLE_TEXTS)
  const actions = useCatalogue(ACTION_TEXTS)
  const may = usePermissionCheck()
  const { project, name: feature } = flag
  const [open, setOpen] = useState<'edit' | 'copy' | 'move' | 'complete'>()
  const { mark, reopen } = useFlagStatus(flag)
  const { archive, revive } = useArchiveFlag(flag)
  const isCompleted = flag.lifecycle.stage === 'completed'
  const targets = useMoveTargets(project)
  const mayUpdate = may('UPDATE_FEATURE', { project })
  const mayArchive = useMayChange(project)('DELETE_FEATURE', { project })
  const mayCopy = may('CREATE_FEATURE', { project })
  const mayMove = targets.length > 0
  const close = (): void => setOpen(undefined)
  if (flag.archived) return mayUpdate && <Button onClick={() => void revive()}>{words.revive}</Button>
  if (!mayUpdate && !mayArchive && !mayCopy && !mayMove) return null
  const copyFile = async (): Promise<void> => {
    try {
      await (await import('../managed/copy-yaml.ts')).copyYaml({ project, feature })
      showSuccess(actions.copiedYaml(feature))
    } catch (error) {
      showFailure(t, actions.copyYaml, error)
    }
  }
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
          <Menu.Item onClick={() => void copyFile()}>{actions.copyYaml}</Menu.Item>
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
