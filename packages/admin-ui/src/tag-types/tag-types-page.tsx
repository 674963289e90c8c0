import type { TagType } from '@burgee/protocol/tag-type'
import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { TAG_TYPES } from '../api/queries.ts'
import { fetchAllTags, removeTagType } from '../api/tag-types.ts'
import type { EditSearch } from '../shell/edit-search-params.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { ListPage } from '../ui/page/list-page.tsx'
import { RowButton } from '../ui/page/row-button.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import { TagTypeEditor } from './tag-type-editor.tsx'
import styles from './tag-types.module.css'
import { TAG_TYPE_TEXTS } from './texts.ts'

const route = getRouteApi('/app/tag-types')

/** Page of tag types. The tag type is the part of a tag before the colon. */
export function TagTypesPage() {
  const t = useCatalogue(TAG_TYPE_TEXTS).tagTypes
  const { edit } = route.useSearch()
  const navigate = useNavigate()
  const may = usePermissionCheck()
  const answer = useQuery(TAG_TYPES)
  const go = (search: EditSearch): void => void navigate({ to: '/tag-types', search })
  const edited = answer.data?.find(({ name }) => name === edit)
  const isOpen = edit === 'new' ? may('CREATE_TAG_TYPE') : edited !== undefined && may('UPDATE_TAG_TYPE')
  return (
    <>
      <ListPage
        title={t.title}
        intro={t.intro}
        answer={answer}
        wanted={{ name: edit, isThere: edited !== undefined, forget: () => go({}) }}
        create={may('CREATE_TAG_TYPE') && <Button onClick={() => go({ edit: 'new' })}>{t.create}</Button>}
        empty={{ title: t.empty, text: t.emptyText }}
      >
        {(types) => <TypeTable types={types} edit={(name) => go({ edit: name })} />}
      </ListPage>
      {isOpen && <TagTypeEditor key={edit} type={edited} close={() => go({})} />}
    </>
  )
}

function TypeTable({ types, edit }: { types: readonly TagType[]; edit: (name: string) => void }) {
  const t = useCatalogue(TAG_TYPE_TEXTS).tagTypes
  const { name, actions } = useTexts().common
  const { data: tags = [] } = useQuery({ queryKey: ['tags'], queryFn: fetchAllTags })
  const counts = Map.groupBy(tags, ({ type }) => type)
  return (
    <Table label={t.title} columns={[name, { number: t.tags }, actions]}>
      {types.map((type) => (
        <Row key={type.name} type={type} count={counts.get(type.name)?.length ?? 0} edit={edit} />
      ))}
    </Table>
  )
}

interface RowProps {
  readonly type: TagType
  /** Number of tags of this type. */
  readonly count: number
  readonly edit: (name: string) => void
}

function Row({ type, count, edit }: RowProps) {
  const { number } = useFormat()
  const { name, description, icon } = type
  return (
    <tr>
      <th scope="row">
        {icon && (
          <span aria-hidden="true" className={styles.symbol}>
            {icon}
          </span>
        )}
        {name}
        {description && (
          <Text size="sm" c="dimmed">
            {description}
          </Text>
        )}
      </th>
      <td className={ui.number}>{number(count)}</td>
      <td>
        <RowActions type={type} count={count} edit={edit} />
      </td>
    </tr>
  )
}

function RowActions({ type: { name }, count, edit }: RowProps) {
  const t = useTexts()
  const words = useCatalogue(TAG_TYPE_TEXTS).tagTypes
  const may = usePermissionCheck()
  const act = useAction()
  const { removeTitle, removeText, removed } = words
  const remove = () =>
    act({
      what: words.remove(name),
      ask: {
        title: removeTitle(name),
        text: removeText(count),
        action: t.common.delete,
        isDanger: true,
        ...(count === 0 ? {} : { typed: name }),
      },
      run: () => removeTagType(name),
      done: removed(name),
      changes: ['tag-types', 'tags', 'flag', 'flags'],
    })
  return (
    <Group gap="xs" wrap="nowrap">
      {may('UPDATE_TAG_TYPE') && (
        <RowButton label={`${t.common.edit} ${name}`} text={t.common.edit} act={() => edit(name)} />
      )}
      {may('DELETE_TAG_TYPE') && <RowButton label={words.remove(name)} text={t.common.delete} isDanger act={remove} />}
    </Group>
  )
}
