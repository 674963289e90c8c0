import type { ContextFieldView } from '@burgee/protocol/targeting/context-field'
import { Badge, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { removeField } from '../api/context-fields.ts'
import { FIELDS, SEGMENTS } from '../api/queries.ts'
import type { EditSearch } from '../shell/edit-search-params.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { ListPage } from '../ui/page/list-page.tsx'
import { RowButton } from '../ui/page/row-button.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import { USAGE_TEXTS } from '../usages/texts.ts'
import { UsagesButton, UsagesDialog } from '../usages/usages-dialog.tsx'
import { FieldEditor } from './field-editor.tsx'
import { CONTEXT_FIELD_TEXTS } from './texts.ts'

const route = getRouteApi('/app/context-fields')
const MAX_VALUES = 4

/** Page of context fields with their legal values and usages. */
export function ContextFieldsPage() {
  const t = useCatalogue(CONTEXT_FIELD_TEXTS).fields
  const { edit, uses } = route.useSearch()
  const navigate = useNavigate()
  const may = usePermissionCheck()
  const answer = useQuery(FIELDS)
  const go = (search: EditSearch): void => void navigate({ to: '/context-fields', search })
  const named = (name: string | undefined) => answer.data?.find((field) => field.name === name)
  const edited = named(edit)
  const used = named(uses)
  const isOpen = edit === 'new' ? may('CREATE_CONTEXT_FIELD') : edited !== undefined && may('UPDATE_CONTEXT_FIELD')
  const close = (): void => go({})
  return (
    <>
      <ListPage
        title={t.title}
        intro={t.intro}
        answer={answer}
        wanted={{ name: edit ?? uses, isThere: edited !== undefined || used !== undefined, forget: close }}
        create={may('CREATE_CONTEXT_FIELD') && <Button onClick={() => go({ edit: 'new' })}>{t.create}</Button>}
        empty={{ title: t.empty, text: t.emptyText }}
      >
        {(fields) => <FieldTable fields={fields} go={go} />}
      </ListPage>
      {isOpen && <FieldEditor key={edit} name={edited?.name} close={close} />}
      {used && <FieldUsages field={used} close={close} />}
    </>
  )
}

interface TableProps {
  readonly fields: readonly ContextFieldView[]
  readonly go: (search: EditSearch) => void
}

function FieldTable({ fields, go }: TableProps) {
  const { name, actions } = useTexts().common
  const { fields: t } = useCatalogue(CONTEXT_FIELD_TEXTS)
  const { uses } = useCatalogue(USAGE_TEXTS)
  return (
    <Table label={t.title} columns={[name, t.legal, t.sticky, uses.usedBy, actions]}>
      {fields.map((field) => (
        <Row key={field.name} field={field} go={go} />
      ))}
    </Table>
  )
}

function Row({ field, go }: { field: ContextFieldView; go: TableProps['go'] }) {
  const t = useTexts()
  const words = useCatalogue(CONTEXT_FIELD_TEXTS).fields
  const { name, description, builtIn, stickiness, legalValues, usedInFeatures } = field
  const readers = useSegmentsUsingField(name)
  return (
    <tr>
      <th scope="row">
        <Group gap="xs">
          {name}
          {builtIn && (
            <Badge variant="default" size="sm" tt="none">
              {words.builtIn}
            </Badge>
          )}
        </Group>
        {description && (
          <Text size="sm" c="dimmed">
            {description}
          </Text>
        )}
      </th>
      <td>{formatValues(words, legalValues)}</td>
      <td>{stickiness ? t.common.yes : t.common.no}</td>
      <td className={ui.short}>
        <UsagesButton
          count={usedInFeatures}
          segmentCount={readers.length}
          name={name}
          show={() => go({ uses: name })}
        />
      </td>
      <td>
        <RowActions field={field} go={go} />
      </td>
    </tr>
  )
}

function formatValues(
  t: (typeof CONTEXT_FIELD_TEXTS)['en']['fields'],
  values: ContextFieldView['legalValues'],
): string {
  if (values.length === 0) return t.anyValue
  const names = values.map(({ value }) => value)
  if (names.length <= MAX_VALUES + 1) return names.join(', ')
  return t.moreValues(names.slice(0, MAX_VALUES).join(', '), names.length - MAX_VALUES)
}

function RowActions({
  field: { name, builtIn, usedInFeatures },
  go,
}: {
  field: ContextFieldView
  go: TableProps['go']
}) {
  const t = useTexts()
  const words = useCatalogue(CONTEXT_FIELD_TEXTS).fields
  const may = usePermissionCheck()
  const act = useAction()
  const readers = useSegmentsUsingField(name)
  const remove = () => {
    if (usedInFeatures > 0 || readers.length > 0) return go({ uses: name })
    const { removeTitle, removeText, removed } = words
    return act({
      what: words.remove(name),
      ask: { title: removeTitle(name), text: removeText, action: t.common.delete, isDanger: true },
      run: () => removeField(name),
      done: removed(name),
      changes: ['context-fields'],
    })
  }
  return (
    <Group gap="xs" wrap="nowrap">
      {may('UPDATE_CONTEXT_FIELD') && (
        <RowButton label={`${t.common.edit} ${name}`} text={t.common.edit} act={() => go({ edit: name })} />
      )}
      {may('DELETE_CONTEXT_FIELD') && !builtIn && (
        <RowButton label={words.remove(name)} text={t.common.delete} isDanger act={remove} />
      )}
    </Group>
  )
}

/** Returns the names of the segments that use a field in a constraint. */
function useSegmentsUsingField(field: string): string[] {
  const { data = [] } = useQuery(SEGMENTS)
  return data
    .filter(({ constraints }) => constraints.some(({ contextName }) => contextName === field))
    .map(({ name }) => name)
}

function FieldUsages({ field: { name, builtIn }, close }: { field: ContextFieldView; close: () => void }) {
  const t = useCatalogue(USAGE_TEXTS).uses
  const readers = useSegmentsUsingField(name)
  const more = readers.length === 0 ? {} : { more: <Text mt="md">{t.segments(readers.join(', '))}</Text> }
  return <UsagesDialog used={{ kind: 'context', id: name }} name={name} close={close} isFixed={builtIn} {...more} />
}
