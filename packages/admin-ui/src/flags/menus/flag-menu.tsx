import { Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { type ListedFlag, patchFlag, setFavorite } from '../../api/flags.ts'
import { useMayChange } from '../../proposals/may-change.ts'
import { usePermissionCheck } from '../../shell/session/session.tsx'
import { useTexts } from '../../text/texts.tsx'
import { lazyDialog } from '../../ui/loading/lazy-part.tsx'
import { showFailure, showSuccess } from '../../ui/messages/feedback.ts'
import { useAction } from '../../ui/messages/use-action.ts'
import { MENU_TEXTS } from './menu-texts.ts'

const BulkDialog = lazyDialog('BulkDialog', async () => (await import('../bulk/bulk-dialog.tsx')).BulkDialog)

interface Props {
  readonly project: string
  readonly flag: ListedFlag
  readonly target: ReactNode
  readonly close: () => void
}

/**
 * Menu of actions on one flag of the list. Opens as soon as it is loaded: loading starts when the user wants to open
 * it.
 */
export function FlagMenu({ project, flag, target, close }: Props) {
  const t = useTexts(MENU_TEXTS)
  const may = usePermissionCheck()
  const mayArchive = useMayChange(project)('DELETE_FEATURE', { project })
  const navigate = useNavigate()
  const [isArchiving, setArchiving] = useState(false)
  const { copyName, setIsFavorite } = useFlagActions(project, flag)
  const isArchived = flag.archivedAt !== null
  const mayUpdate = may('UPDATE_FEATURE', { project })
  const { name: feature } = flag
  if (isArchiving) {
    return (
      <>
        {target}
        <BulkDialog project={project} kind="archive" flags={[flag]} isArchived={isArchived} close={close} />
      </>
    )
  }
  const open = () => void navigate({ to: '/projects/$project/features/$feature', params: { project, feature } })
  return (
    <Menu position="bottom-start" width={230} shadow="md" defaultOpened onClose={close}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={open}>{t.menus.open}</Menu.Item>
        <Menu.Item onClick={() => void copyName()}>{t.menus.copyName}</Menu.Item>
        <Menu.Item onClick={() => void setIsFavorite(!flag.favorite)}>
          {flag.favorite ? t.menus.removeFavorite : t.menus.addFavorite}
        </Menu.Item>
        {mayUpdate && !isArchived && <TypeMenu project={project} flag={flag} />}
        {(isArchived ? mayUpdate : mayArchive) && (
          <Menu.Item
            closeMenuOnClick={false}
            {...(isArchived ? {} : { c: 'var(--bad)' })}
            onClick={() => setArchiving(true)}
          >
            {isArchived ? t.menus.revive : t.menus.archive}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Menu of flag types. The current type is checked. */
function TypeMenu({ project, flag: { name: feature, type } }: Pick<Props, 'project' | 'flag'>) {
  const t = useTexts(MENU_TEXTS)
  const act = useAction()
  const change = (value: string) => patchFlag({ project, feature }, [{ op: 'replace', path: '/type', value }])
  const describe = (value: string) => t.menus.typeChanged(feature, t.types[value] ?? value)
  const choose = (value: string) =>
    act({
      what: t.menus.changeType,
      run: () => change(value),
      done: describe(value),
      changes: ['flags', 'flag'],
      undo: { run: () => change(type), done: describe(type) },
    })
  return (
    <Menu.Sub>
      <Menu.Sub.Target>
        <Menu.Sub.Item>{t.menus.changeType}</Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown>
        {Object.entries(t.types).map(([value, label]) => (
          <Menu.Item key={value} disabled={value === type} onClick={() => void choose(value)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Sub.Dropdown>
    </Menu.Sub>
  )
}

function useFlagActions(project: string, { name: feature }: Pick<ListedFlag, 'name'>) {
  const t = useTexts(MENU_TEXTS)
  const act = useAction()
  const copyName = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(feature)
      showSuccess(t.menus.copied(feature))
    } catch (error) {
      showFailure(t, t.menus.copyName, error)
    }
  }
  const setIsFavorite = (isOne: boolean) =>
    act({
      what: isOne ? t.menus.addFavorite : t.menus.removeFavorite,
      run: () => setFavorite({ project, feature }, isOne),
      done: isOne ? t.menus.addedFavorite(feature) : t.menus.removedFavorite(feature),
      changes: ['flags', 'flag'],
    })
  return { copyName, setIsFavorite }
}
