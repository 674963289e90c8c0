import type { InviteLink } from '@burgee/protocol/administration/invite-link'
import { Button, CopyButton, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { fetchInviteLinks, updateInviteLink } from '../api/access/invite-links.ts'
import { ROLES_QUERY } from '../api/access/roles.ts'
import { toReachableLink } from '../api/users.ts'
import type { EditSearch } from '../shell/edit-search-params.ts'
import { ProjectName } from '../shell/project/project-name.tsx'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { PEOPLE_TEXTS } from '../text/people.ts'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { ListPage } from '../ui/page/list-page.tsx'
import { RowButton } from '../ui/page/row-button.tsx'
import { Table } from '../ui/page/table.tsx'
import { CreateInviteLink } from './create-invite-link.tsx'
import { getTimeInDays } from './days-from-now.ts'
import { INVITE_LINK_TEXTS } from './texts.ts'

const route = getRouteApi('/app/invite-links')
const NEW = 'new'
const MAX_DAYS = 30
const MAX_NAMED = 5

/** Page of invite links, which can be created, copied and disabled. Shows which users signed up with each link. */
export function InviteLinksPage() {
  const t = useCatalogue(INVITE_LINK_TEXTS)
  const { edit } = route.useSearch()
  const navigate = useNavigate()
  const mayChange = usePermissionCheck()('ADMIN')
  const answer = useQuery({ queryKey: ['invite-links'], queryFn: fetchInviteLinks })
  const { title, intro, empty, emptyText } = t
  const go = (search: EditSearch): void => void navigate({ to: '/invite-links', search })
  return (
    <>
      <ListPage
        title={title}
        intro={intro}
        answer={answer}
        create={mayChange && <Button onClick={() => go({ edit: NEW })}>{t.create}</Button>}
        empty={{ title: empty, text: emptyText }}
      >
        {(links) => <LinkTable links={links} />}
      </ListPage>
      {mayChange && edit === NEW && <CreateInviteLink close={() => go({})} />}
    </>
  )
}

function LinkTable({ links }: { links: readonly InviteLink[] }) {
  const t = useCatalogue(INVITE_LINK_TEXTS)
  const { common } = useTexts()
  return (
    <Table label={t.title} columns={[t.name, t.role, t.until, t.came, t.on, common.actions]}>
      {links.map((link) => (
        <Row key={link.id} link={link} />
      ))}
    </Table>
  )
}

function Row({ link }: { link: InviteLink }) {
  const t = useCatalogue(INVITE_LINK_TEXTS)
  const { roles } = useCatalogue(PEOPLE_TEXTS)
  const { date } = useFormat()
  const { name, role, projectRoles, expiresAt, enabled } = link
  const { data: known = [] } = useQuery(ROLES_QUERY)
  const projectRole = (id: number): string => known.find((one) => one.id === id)?.name ?? `#${id}`
  const isOver = Date.parse(expiresAt) <= Date.now()
  const act = useAction()
  const set = (on: boolean) => ({
    run: () => updateInviteLink(link.secret, { enabled: on }),
    done: on ? t.isOn(name) : t.isOff(name),
  })
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        {roles[role.id]?.name ?? role.name}
        {projectRoles.map((one) => (
          <Text key={`${one.project} ${one.role}`} size="sm" c="dimmed">
            <ProjectName id={one.project} /> · {projectRole(one.role)}
          </Text>
        ))}
      </td>
      <td>
        {date(expiresAt)}
        {isOver && (
          <Text size="sm" c="var(--bad)">
            {t.expired}
          </Text>
        )}
      </td>
      <td>
        <SignedUpUsers users={link.users} />
      </td>
      <td>
        <Switch
          aria-label={t.switchLabel(name)}
          checked={enabled}
          onChange={() =>
            void act({ what: t.switchLabel(name), ...set(!enabled), undo: set(enabled), changes: ['invite-links'] })
          }
        />
      </td>
      <td>
        <Actions link={link} isOver={isOver} />
      </td>
    </tr>
  )
}

function SignedUpUsers({ users }: Pick<InviteLink, 'users'>) {
  const t = useCatalogue(INVITE_LINK_TEXTS)
  if (users.length === 0) return <Text c="dimmed">{t.nobody}</Text>
  const names = users.slice(0, MAX_NAMED).map(({ id, name, username }) => name || username || `#${id}`)
  const rest = users.length - names.length
  return `${names.join(', ')}${rest > 0 ? ` ${t.andMore(rest)}` : ''}`
}

function Actions({ link: { secret, name, url, enabled }, isOver }: { link: InviteLink; isOver: boolean }) {
  const t = useCatalogue(INVITE_LINK_TEXTS)
  const { common } = useTexts()
  const act = useAction()
  const extend = () =>
    act({
      what: t.extend,
      run: () => updateInviteLink(secret, { expiresAt: getTimeInDays(MAX_DAYS) }),
      done: t.extended(name),
      changes: ['invite-links'],
    })
  if (isOver) return <RowButton label={t.extendLabel(name)} text={t.extend} act={extend} />
  // A disabled link does not work, and a link whose secret is not readable cannot be copied.
  if (!enabled || url === '') return null
  return (
    <CopyButton value={toReachableLink(url)}>
      {({ copied, copy }) => (
        <RowButton
          label={copied ? `${common.copied}: ${name}` : t.copyLabel(name)}
          text={copied ? common.copied : t.copy}
          act={copy}
        />
      )}
    </CopyButton>
  )
}
