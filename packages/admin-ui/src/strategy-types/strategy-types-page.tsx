import type { StrategyTypeView } from '@burgee/protocol/targeting/strategy-type'
import { Badge, Button, Group, Text } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { getUsagesQuery, STRATEGY_TYPES } from '../api/queries.ts'
import { removeStrategyType, setDeprecated } from '../api/strategy-types.ts'
import type { EditSearch } from '../shell/edit-search-params.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { getStrategyTypeName, STRATEGY_NAMES } from '../strategy/strategy-type-texts.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { ListPage } from '../ui/page/list-page.tsx'
import { RowButton } from '../ui/page/row-button.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import { USAGE_TEXTS } from '../usages/texts.ts'
import { UsagesButton, UsagesDialog } from '../usages/usages-dialog.tsx'
import { StrategyTypeEditor } from './strategy-type-editor.tsx'
import { STRATEGY_DESCRIPTIONS, STRATEGY_TYPE_TEXTS } from './texts.ts'

const route = getRouteApi('/app/strategy-types')

/** Page of built-in and custom strategy types. */
export function StrategyTypesPage() {
  const t = useCatalogue(STRATEGY_TYPE_TEXTS).strategyTypes
  const { edit, uses } = route.useSearch()
  const navigate = useNavigate()
  const may = usePermissionCheck()
  const answer = useQuery(STRATEGY_TYPES)
  const go = (search: EditSearch): void => void navigate({ to: '/strategy-types', search })
  const edited = answer.data?.find(({ name, editable }) => name === edit && editable)
  const used = answer.data?.find(({ name }) => name === uses)
  const names = useCatalogue(STRATEGY_NAMES)
  const isOpen = edit === 'new' ? may('CREATE_STRATEGY') : edited !== undefined && may('UPDATE_STRATEGY')
  const close = (): void => go({})
  return (
    <>
      <ListPage
        title={t.title}
        intro={t.intro}
        answer={answer}
        wanted={{ name: edit ?? uses, isThere: edited !== undefined || used !== undefined, forget: close }}
        create={may('CREATE_STRATEGY') && <Button onClick={() => go({ edit: 'new' })}>{t.create}</Button>}
        empty={{ title: t.empty, text: t.emptyText }}
      >
        {(types) => <TypeTable types={types} go={go} />}
      </ListPage>
      {isOpen && <StrategyTypeEditor key={edit} type={edited} close={close} />}
      {used && (
        <UsagesDialog
          used={{ kind: 'strategies', id: used.name }}
          name={getStrategyTypeName(names, used)}
          close={close}
          isFixed={!used.editable}
        />
      )}
    </>
  )
}

interface TableProps {
  readonly types: readonly StrategyTypeView[]
  readonly go: (search: EditSearch) => void
}

function TypeTable({ types, go }: TableProps) {
  const { name, actions } = useTexts().common
  const { strategyTypes: t } = useCatalogue(STRATEGY_TYPE_TEXTS)
  const { uses } = useCatalogue(USAGE_TEXTS)
  const counts = useQueries({ queries: types.map((type) => getUsagesQuery({ kind: 'strategies', id: type.name })) })
  return (
    <Table label={t.title} columns={[name, t.parameters, uses.usedBy, actions]}>
      {types.map((type, index) => {
        const flags = new Set(counts[index]?.data?.map(({ featureName }) => featureName))
        return <Row key={type.name} type={type} count={flags.size} go={go} />
      })}
    </Table>
  )
}

interface RowProps {
  readonly type: StrategyTypeView
  /** Number of flags that have a strategy of this type. */
  readonly count: number
  readonly go: TableProps['go']
}

function Row({ type, count, go }: RowProps) {
  const t = useCatalogue(STRATEGY_TYPE_TEXTS).strategyTypes
  const names = useCatalogue(STRATEGY_NAMES)
  const descriptions = useCatalogue(STRATEGY_DESCRIPTIONS)
  const { name, editable, deprecated, parameters } = type
  const displayName = getStrategyTypeName(names, type)
  const description = editable ? type.description : (descriptions[name] ?? type.description)
  return (
    <tr>
      <th scope="row">
        <Group gap="xs">
          {displayName}
          {!editable && <TypeBadge text={t.builtIn} />}
          {deprecated && <TypeBadge text={t.deprecated} color="yellow" />}
        </Group>
        {displayName !== name && (
          <Text size="sm" c="dimmed" className={ui.mono ?? ''}>
            {name}
          </Text>
        )}
        {description && (
          <Text size="sm" c="dimmed">
            {description}
          </Text>
        )}
      </th>
      <td>
        {parameters.length === 0
          ? t.noParameters
          : parameters.map((one) => `${one.name} (${t.kinds[one.type]})`).join(', ')}
      </td>
      <td className={ui.short}>
        <UsagesButton count={count} name={name} show={() => go({ uses: name })} />
      </td>
      <td>
        <RowActions type={type} count={count} go={go} />
      </td>
    </tr>
  )
}

function TypeBadge({ text, color }: { text: string; color?: string }) {
  return (
    <Badge {...(color === undefined ? { variant: 'default' } : { variant: 'light', color })} size="sm" tt="none">
      {text}
    </Badge>
  )
}

function RowActions({ type, count, go }: RowProps) {
  const { edit, delete: remove } = useTexts().common
  const t = useCatalogue(STRATEGY_TYPE_TEXTS).strategyTypes
  const may = usePermissionCheck()
  const acts = useTypeActions(type)
  const { name, editable, deprecated } = type
  return (
    <Group gap="xs" wrap="nowrap">
      {may('UPDATE_STRATEGY') && editable && (
        <RowButton label={`${edit} ${name}`} text={edit} act={() => go({ edit: name })} />
      )}
      {may('UPDATE_STRATEGY') && (
        <RowButton
          label={deprecated ? t.reactivateOf(name) : t.deprecateOf(name)}
          text={deprecated ? t.reactivate : t.deprecate}
          act={acts.deprecate}
        />
      )}
      {may('DELETE_STRATEGY') && editable && (
        <RowButton
          label={t.remove(name)}
          text={remove}
          isDanger
          act={count > 0 ? () => go({ uses: name }) : acts.remove}
        />
      )}
    </Group>
  )
}

function useTypeActions({ name, deprecated }: StrategyTypeView) {
  const t = useTexts()
  const words = useCatalogue(STRATEGY_TYPE_TEXTS).strategyTypes
  const act = useAction()
  const changes = ['strategy-types']
  const turned = (isDeprecated: boolean) => ({
    run: () => setDeprecated(name, isDeprecated),
    done: isDeprecated ? words.isDeprecated(name) : words.isActive(name),
  })
  const deprecate = () =>
    act({ what: words.deprecateOf(name), ...turned(!deprecated), undo: turned(deprecated), changes })
  const remove = () =>
    act({
      what: words.remove(name),
      ask: { title: words.removeTitle(name), text: words.removeText, action: t.common.delete, isDanger: true },
      run: () => removeStrategyType(name),
      done: words.removed(name),
      changes,
    })
  return { deprecate, remove }
}
