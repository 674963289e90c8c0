import type { InboxFlag } from '@burgee/protocol/administration/inbox'
import { Group } from '@mantine/core'
import { Archive } from 'lucide-react'
import { RemovalCommit } from '../flag/code/code-place.tsx'
import { INBOX_TEXTS } from '../inbox/texts.ts'
import { ProjectName } from '../shell/project/project-name.tsx'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useSnooze } from '../stale/use-snooze.ts'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { LinkButton } from '../ui/page/link-button.tsx'
import { RowButton } from '../ui/page/row-button.tsx'
import { HomeRow } from './home-row.tsx'

/** Time for which a dismissed proposal stays away: the maximum time of a snooze. */
const DISMISSED_MS = 365 * 86_400_000

/** Proposal to archive a flag that no code refers to anymore. */
export function UnusedFlagRow({ flag: { project, feature, removal, lastSeenAt } }: { flag: InboxFlag }) {
  const t = useCatalogue(INBOX_TEXTS)
  const { ago } = useFormat()
  const mayUpdate = usePermissionCheck()('UPDATE_FEATURE', { project })
  const snooze = useSnooze()
  const dismiss = () => snooze(project, [feature], new Date(Date.now() + DISMISSED_MS).toISOString())
  return (
    <HomeRow
      icon={<Archive size={17} aria-hidden="true" />}
      name={feature}
      about={
        <>
          <span>{t.readyToArchive}</span>
          <RemovalCommit removal={removal} />
          <span>{lastSeenAt === null ? t.neverEvaluated : t.lastEvaluated(ago(lastSeenAt))}</span>
          <ProjectName id={project} />
        </>
      }
      action={
        <Group gap="xs" wrap="nowrap">
          {mayUpdate && <RowButton label={t.actionOf(t.dismiss, feature)} text={t.dismiss} act={dismiss} />}
          <LinkButton
            to="/projects/$project/features/$feature"
            params={{ project, feature }}
            search={{ tab: 'code' }}
            variant="filled"
            aria-label={t.actionOf(t.openFlag, feature)}
          >
            {t.openFlag}
          </LinkButton>
        </Group>
      }
    />
  )
}
