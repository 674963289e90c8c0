import type { ReleaseTemplate } from '@burgee/protocol/administration/release-plan'
import { Badge, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { archiveReleaseTemplate, RELEASE_TEMPLATES, removeReleaseTemplate } from '../api/release-templates.ts'
import type { EditSearch } from '../shell/edit-search-params.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { useDuration } from '../text/use-duration.ts'
import { useAction } from '../ui/messages/use-action.ts'
import { ListPage } from '../ui/page/list-page.tsx'
import { RowButton } from '../ui/page/row-button.tsx'
import { type RowAction, RowMenu } from '../ui/page/row-menu.tsx'
import { Table } from '../ui/page/table.tsx'
import styles from './release-templates.module.css'
import { TemplateEditor } from './template-editor.tsx'
import { TEMPLATE_TEXTS } from './texts.ts'

const route = getRouteApi('/app/release-templates')

/** Page of release templates. Archived templates come last. */
export function ReleaseTemplatesPage() {
  const t = useCatalogue(TEMPLATE_TEXTS)
  const { edit } = route.useSearch()
  const navigate = useNavigate()
  const may = usePermissionCheck()
  const answer = useQuery(RELEASE_TEMPLATES)
  const go = (search: EditSearch): void => void navigate({ to: '/release-templates', search })
  const edited = answer.data?.find(({ id, archivedAt }) => id === edit && archivedAt === null)
  const mayCreate = may('RELEASE_PLAN_TEMPLATE_CREATE')
  const isOpen = edit === 'new' ? mayCreate : edited !== undefined && may('RELEASE_PLAN_TEMPLATE_UPDATE')
  return (
    <>
      <ListPage
        title={t.title}
        intro={t.intro}
        answer={answer}
        wanted={{ name: edit, isThere: edited !== undefined, forget: () => go({}) }}
        create={mayCreate && <Button onClick={() => go({ edit: 'new' })}>{t.create}</Button>}
        empty={{ title: t.empty, text: t.emptyText }}
      >
        {(templates) => <TemplateTable templates={templates} edit={(id) => go({ edit: id })} />}
      </ListPage>
      {isOpen && <TemplateEditor key={edit} id={edited?.id} close={() => go({})} />}
    </>
  )
}

interface TableProps {
  readonly templates: readonly ReleaseTemplate[]
  readonly edit: (id: string) => void
}

function TemplateTable({ templates, edit }: TableProps) {
  const t = useCatalogue(TEMPLATE_TEXTS)
  const { name, actions } = useTexts().common
  const sorted = templates.toSorted((one, other) => Number(isArchived(one)) - Number(isArchived(other)))
  return (
    <Table label={t.title} columns={[name, t.steps, actions]}>
      {sorted.map((template) => (
        <tr key={template.id}>
          <th scope="row">
            {template.name}
            {isArchived(template) && (
              <Badge variant="default" tt="none" ml="xs">
                {t.archived}
              </Badge>
            )}
            {template.description && (
              <Text size="sm" c="dimmed">
                {template.description}
              </Text>
            )}
          </th>
          <td>
            <Steps milestones={template.milestones} />
          </td>
          <td>
            <RowActions template={template} edit={edit} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

const isArchived = ({ archivedAt }: ReleaseTemplate): boolean => archivedAt !== null

/** Names of the milestones, with the times between them. */
function Steps({ milestones }: Pick<ReleaseTemplate, 'milestones'>) {
  const t = useCatalogue(TEMPLATE_TEXTS)
  const describe = useDuration()
  return (
    <ol className={styles.steps} aria-label={t.milestones}>
      {milestones.map(({ id, name, transitionCondition }, index) => (
        <li key={id}>
          <strong>{name}</strong>
          {index < milestones.length - 1 && (
            <span className={styles.after}>
              {transitionCondition === null ? t.byHand : describe(transitionCondition.intervalMinutes)} →
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}

function RowActions({ template, edit }: { template: ReleaseTemplate; edit: (id: string) => void }) {
  const { common } = useTexts()
  const t = useCatalogue(TEMPLATE_TEXTS)
  const may = usePermissionCheck()
  const act = useAction()
  const { id, name } = template
  const changes = ['release-templates']
  const archive = () =>
    act({
      what: t.archiveOf(name),
      ask: { title: t.archiveTitle(name), text: t.archiveText, action: t.archive },
      run: () => archiveReleaseTemplate(id),
      done: t.archivedDone(name),
      changes,
    })
  const remove = () =>
    act({
      what: t.remove(name),
      ask: { title: t.removeTitle(name), text: t.removeText, action: common.delete, isDanger: true },
      run: () => removeReleaseTemplate(id),
      done: t.removed(name),
      changes,
    })
  const mayEdit = may('RELEASE_PLAN_TEMPLATE_UPDATE') && !isArchived(template)
  const acts: RowAction[] = []
  if (mayEdit) acts.push({ label: t.archiveOf(name), text: t.archive, act: archive })
  if (may('RELEASE_PLAN_TEMPLATE_DELETE')) {
    acts.push({ label: t.remove(name), text: common.delete, isDanger: true, act: remove })
  }
  return (
    <Group gap="xs" wrap="nowrap">
      {mayEdit && <RowButton label={`${common.edit} ${name}`} text={common.edit} act={() => edit(id)} />}
      <RowMenu label={`${common.more}: ${name}`} acts={acts} />
    </Group>
  )
}
