import type { FeatureListItem } from '@burgee/protocol/admin-feature'
import { Button, Checkbox, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ProjectName } from '../shell/project/project-name.tsx'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { RowButton } from '../ui/page/row-button.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import styles from './archive.module.css'
import { ARCHIVE_TEXTS } from './texts.ts'
import { useArchive } from './use-archive.ts'

/** Table of archived flags with actions for one or several flags. */
export function ArchiveTable({ flags }: { flags: readonly FeatureListItem[] }) {
  const t = useTexts()
  const { archive: own } = useCatalogue(ARCHIVE_TEXTS)
  const may = usePermissionCheck()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const mayOf = ({ project }: FeatureListItem) => ({
    revive: may('UPDATE_FEATURE', { project }),
    remove: may('DELETE_FEATURE', { project }),
  })
  const choosable = flags.filter((flag) => mayOf(flag).revive || mayOf(flag).remove)
  const selected = choosable.filter(({ name }) => chosen.has(name))
  const choose = (names: readonly string[], isChosen: boolean): void => {
    const next = new Set(chosen)
    for (const name of names) next[isChosen ? 'add' : 'delete'](name)
    setChosen(next)
  }
  const mayAny = choosable.length > 0
  return (
    <>
      {mayAny && (
        <Group mb="xs" className={styles.bar ?? ''}>
          <Checkbox
            label={own.selectAll}
            checked={selected.length === choosable.length}
            indeterminate={selected.length > 0 && selected.length < choosable.length}
            onChange={(event) =>
              choose(
                choosable.map(({ name }) => name),
                event.currentTarget.checked,
              )
            }
          />
          <BulkBar
            flags={selected}
            mayRevive={selected.every((flag) => mayOf(flag).revive)}
            mayRemove={selected.every((flag) => mayOf(flag).remove)}
            clear={() => setChosen(new Set())}
          />
        </Group>
      )}
      <Table
        label={own.title}
        columns={[t.common.name, t.common.project, t.common.type, own.archivedAt, t.common.lastEvaluated].concat(
          mayAny ? [t.common.actions] : [],
        )}
      >
        {flags.map((flag) => (
          <Row
            key={flag.name}
            flag={flag}
            may={mayOf(flag)}
            hasActions={mayAny}
            isChosen={chosen.has(flag.name)}
            choose={(isChosen) => choose([flag.name], isChosen)}
          />
        ))}
      </Table>
    </>
  )
}

/** Returns true if an application has evaluated a flag since the flag was archived. */
const isStillEvaluated = ({ archivedAt, lastSeenAt }: FeatureListItem): boolean =>
  archivedAt !== null && lastSeenAt !== null && Date.parse(lastSeenAt) > Date.parse(archivedAt)

interface RowProps {
  readonly flag: FeatureListItem
  readonly may: { readonly revive: boolean; readonly remove: boolean }
  readonly hasActions: boolean
  readonly isChosen: boolean
  readonly choose: (isChosen: boolean) => void
}

function Row({ flag, may, hasActions, isChosen, choose }: RowProps) {
  const t = useTexts()
  const { archive: own } = useCatalogue(ARCHIVE_TEXTS)
  const { ago, date } = useFormat()
  const { revive, remove } = useArchive()
  const { name, project, description, type, archivedAt, lastSeenAt } = flag
  const link = (
    <Link to="/projects/$project/features/$feature" params={{ project, feature: name }} className={ui.link ?? ''}>
      {name}
    </Link>
  )
  return (
    <tr>
      <th scope="row">
        <Group gap="sm" wrap="nowrap" align="start">
          {(may.revive || may.remove) && (
            <Checkbox
              aria-label={own.select(name)}
              checked={isChosen}
              onChange={(event) => choose(event.currentTarget.checked)}
            />
          )}
          <div>
            {link}
            {description && (
              <Text size="sm" c="dimmed" lineClamp={2}>
                {description}
              </Text>
            )}
          </div>
        </Group>
      </th>
      <td>
        <ProjectName id={project} />
      </td>
      <td>{(t.types as Readonly<Record<string, string>>)[type] ?? type}</td>
      <td className={ui.short}>{archivedAt === null ? '–' : date(archivedAt)}</td>
      <td className={ui.short} title={lastSeenAt === null ? t.list.notSeenHint : undefined}>
        {isStillEvaluated(flag) && (
          <Text size="sm" c="var(--warn)" title={own.stillEvaluatedHint}>
            {own.stillEvaluated}
          </Text>
        )}
        {lastSeenAt === null ? t.common.never : ago(lastSeenAt)}
      </td>
      {hasActions && (
        <td>
          <Group gap="xs">
            {may.revive && <RowButton label={own.reviveLabel(name)} text={own.revive} act={() => revive([flag])} />}
            {may.remove && (
              <RowButton label={own.deleteLabel(name)} text={own.delete} isDanger act={() => remove([flag])} />
            )}
          </Group>
        </td>
      )}
    </tr>
  )
}

interface BulkProps {
  readonly flags: readonly FeatureListItem[]
  readonly mayRevive: boolean
  readonly mayRemove: boolean
  readonly clear: () => void
}

/** Bar with actions for all selected flags. */
function BulkBar({ flags, mayRevive, mayRemove, clear }: BulkProps) {
  const { archive: own } = useCatalogue(ARCHIVE_TEXTS)
  const { revive, remove } = useArchive()
  const perform = async (act: (flags: readonly FeatureListItem[]) => Promise<boolean>): Promise<void> => {
    if (await act(flags)) clear()
  }
  if (flags.length === 0) return null
  return (
    <Group gap="xs" role="group" aria-label={own.selected(flags.length)}>
      <Text size="sm" fw={600} role="status">
        {own.selected(flags.length)}
      </Text>
      {mayRevive && (
        <Button size="compact-sm" variant="default" onClick={() => void perform(revive)}>
          {own.revive}
        </Button>
      )}
      {mayRemove && (
        <Button size="compact-sm" variant="light" color="red" onClick={() => void perform(remove)}>
          {own.delete}
        </Button>
      )}
      <Button size="compact-sm" variant="subtle" onClick={clear}>
        {own.clear}
      </Button>
    </Group>
  )
}
