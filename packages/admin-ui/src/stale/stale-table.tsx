import type { StaleFlag, StaleReason } from '@burgee/protocol/administration/stale-flags'
import { Checkbox, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { RemovalCommit } from '../flag/code/code-place.tsx'
import { REMOVAL_TEXTS } from '../flag/code/removal-texts.ts'
import type { BulkKind } from '../flags/bulk/bulk-action.ts'
import { isRecentlyEvaluated } from '../flags/bulk/flag-usage.ts'
import type { Selection } from '../flags/selection.ts'
import { AuthorName } from '../people/person.tsx'
import { useMayChange } from '../proposals/may-change.ts'
import { ProjectName } from '../shell/project/project-name.tsx'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { RowButton } from '../ui/page/row-button.tsx'
import { RowMenu } from '../ui/page/row-menu.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import { SnoozeDialog } from './snooze-dialog.tsx'
import { StaleDialog } from './stale-bar.tsx'
import { STALE_TEXTS } from './texts.ts'
import { useSnooze } from './use-snooze.ts'

interface Props {
  readonly flags: readonly StaleFlag[]
  /** Selected flags; undefined if the user cannot select several flags. */
  readonly selection: Selection | undefined
}

/** Table of flags that can be removed, with actions and with the reasons in sentences. */
export function StaleTable({ flags, selection }: Props) {
  const t = useTexts()
  const own = useCatalogue(STALE_TEXTS)
  return (
    <>
      {selection !== undefined && <SelectAll flags={flags} selection={selection} />}
      <Table label={own.title} columns={[own.flag, own.why, own.owner, t.common.actions]}>
        {flags.map((one) => (
          <Row key={one.feature.name} flag={one} selection={selection} />
        ))}
      </Table>
    </>
  )
}

/** Checkbox that selects all displayed flags or clears the selection. */
function SelectAll({ flags, selection }: { flags: readonly StaleFlag[]; selection: Selection }) {
  const own = useCatalogue(STALE_TEXTS)
  const count = flags.filter(({ feature }) => selection.has(feature.name)).length
  return (
    <Checkbox
      label={own.selectAll}
      mb="xs"
      checked={count === flags.length}
      indeterminate={count > 0 && count < flags.length}
      onChange={(event) =>
        selection.put(
          flags.map(({ feature }) => feature),
          event.currentTarget.checked,
        )
      }
    />
  )
}

function Row({ flag, selection }: { flag: StaleFlag; selection: Selection | undefined }) {
  const own = useCatalogue(STALE_TEXTS)
  const { ago, date } = useFormat()
  const { feature, reasons, owner, snooze } = flag
  const { name, project } = feature
  return (
    <tr>
      <th scope="row">
        <Group gap="sm" wrap="nowrap">
          {selection !== undefined && (
            <Checkbox
              aria-label={own.select(name)}
              checked={selection.has(name)}
              onChange={(event) => selection.put([feature], event.currentTarget.checked)}
            />
          )}
          <span>
            <Link
              to="/projects/$project/features/$feature"
              params={{ project, feature: name }}
              className={ui.link ?? ''}
            >
              {name}
            </Link>
            {selection === undefined && (
              <Text size="xs" c="dimmed">
                <ProjectName id={project} />
              </Text>
            )}
          </span>
        </Group>
      </th>
      <td>
        <Stack gap={4}>
          {reasons.map((reason) => (
            <Reason key={reason.kind} reason={reason} createdAt={feature.createdAt} />
          ))}
          {reasons.every(({ kind }) => kind !== 'unseen') && (
            <Text size="sm" c={isRecentlyEvaluated(feature, Date.now()) ? 'var(--bad)' : 'dimmed'}>
              {feature.lastSeenAt === null ? own.neverSeen : own.unseen(ago(feature.lastSeenAt))}
            </Text>
          )}
          <CodeLine flag={flag} />
          {snooze !== null && (
            <Text size="sm" c="dimmed">
              {own.until(date(snooze.until), snooze.createdBy)}
            </Text>
          )}
        </Stack>
      </td>
      <td>
        {feature.createdBy === null ? (
          (owner ?? own.nobody)
        ) : (
          <AuthorName author={{ id: feature.createdBy.id, username: feature.createdBy.name }} />
        )}
      </td>
      <td>
        <Actions flag={flag} />
      </td>
    </tr>
  )
}

/** Number of places of the flag in the code, or the commit that removed it. Renders nothing if no scan has found it. */
function CodeLine({ flag: { feature, code } }: { flag: StaleFlag }) {
  const t = useCatalogue(REMOVAL_TEXTS)
  if (code === null) return null
  const { name, project } = feature
  return (
    <Text size="sm" c="dimmed">
      {code.references === 0 && code.removal !== null ? (
        <RemovalCommit removal={code.removal} />
      ) : (
        <Link
          to="/projects/$project/features/$feature"
          params={{ project, feature: name }}
          search={{ tab: 'code' }}
          className={ui.link ?? ''}
        >
          {t.places(code.references)}
        </Link>
      )}
    </Text>
  )
}

function Reason({ reason, createdAt }: { reason: StaleReason; createdAt: string }) {
  const own = useCatalogue(STALE_TEXTS)
  const { ago, date, number } = useFormat()
  switch (reason.kind) {
    case 'marked':
      return <span>{own.marked}</span>
    case 'overdue':
      return <span>{own.overdue(number(reason.lifetimeDays), ago(createdAt))}</span>
    case 'open':
      return <span>{own.open(reason.environments.join(', '), date(reason.since))}</span>
    case 'unseen':
      return <span>{reason.since === null ? own.neverSeen : own.unseen(ago(reason.since))}</span>
  }
}

function Actions({ flag: { feature, snooze } }: { flag: StaleFlag }) {
  const own = useCatalogue(STALE_TEXTS)
  const may = usePermissionCheck()
  const wake = useSnooze()
  const [open, setOpen] = useState<BulkKind | 'snooze'>()
  const { name, project, stale } = feature
  const mayUpdate = may('UPDATE_FEATURE', { project })
  const mayArchive = useMayChange(project)('DELETE_FEATURE', { project })
  const close = (): void => setOpen(undefined)
  const acts = [
    ...(mayUpdate && !stale ? [{ label: own.markLabel(name), text: own.mark, act: () => setOpen('stale') }] : []),
    ...(mayArchive
      ? [{ label: own.archiveLabel(name), text: own.archive, isDanger: true, act: () => setOpen('archive') }]
      : []),
  ]
  return (
    <Group gap="xs" wrap="nowrap">
      {mayUpdate &&
        (snooze === null ? (
          <RowButton label={own.snoozeLabel(name)} text={own.snooze} act={() => setOpen('snooze')} />
        ) : (
          <RowButton label={own.wakeLabel(name)} text={own.wake} act={() => wake(project, [name], null)} />
        ))}
      <RowMenu label={own.more(name)} acts={acts} />
      {open === 'snooze' && <SnoozeDialog project={project} names={[name]} close={close} />}
      {(open === 'stale' || open === 'archive') && (
        <StaleDialog project={project} kind={open} flags={[feature]} close={close} />
      )}
    </Group>
  )
}
