import type { Integration, IntegrationInput, IntegrationProvider } from '@burgee/protocol/administration/integration'
import { Anchor, Checkbox, MultiSelect, Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { findLastEvent } from '../api/events.ts'
import type { WithEtag } from '../api/http.ts'
import { ENVIRONMENTS, PROJECTS } from '../api/queries.ts'
import { ConflictNotice } from '../edit-conflict/conflict-notice.tsx'
import { EditorLoader } from '../edit-conflict/editor-loader.tsx'
import { useConditionalSave } from '../edit-conflict/use-conditional-save.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { SidePanel } from '../ui/dialog/side-panel.tsx'
import { FieldGroup } from '../ui/form/field-group.tsx'
import { DescriptionField } from '../ui/form/fields.tsx'
import { Form } from '../ui/form/form.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import ui from '../ui/ui.module.css'
import { EventChoice } from './event-choice.tsx'
import { groupEventChoices } from './event-groups.ts'
import { createIntegration, fetchIntegration, replaceIntegration } from './integration-calls.ts'
import { getIntegrationName } from './integration-name.ts'
import { listMissingParameters, ParameterFields, type Parameters } from './parameter-fields.tsx'
import { getParameterProblems } from './parameter-problem.ts'
import { INTEGRATION_TEXTS } from './texts.ts'

interface Props {
  /** Id of the edited integration; undefined for a new integration. */
  readonly id: number | undefined
  readonly providers: readonly IntegrationProvider[]
  readonly close: () => void
}

/** Panel that creates or edits an integration and reports concurrent changes. */
export function IntegrationEditor({ id, providers, close }: Props) {
  const t = useCatalogue(INTEGRATION_TEXTS)
  return (
    <SidePanel title={id === undefined ? t.create : t.edit} close={close} isWide>
      <EditorLoader of={id === undefined ? undefined : ['integration', id]} read={() => fetchIntegration(id ?? 0)}>
        {(opened) => <Fields opened={opened} providers={providers} close={close} />}
      </EditorLoader>
    </SidePanel>
  )
}

interface Draft {
  readonly provider: string
  readonly enabled: boolean
  readonly description: string
  readonly parameters: Parameters
  readonly events: ReadonlySet<string>
  readonly projects: readonly string[]
  readonly environments: readonly string[]
}

const ALL = '*'

const toDraft = (from: Integration | undefined, [first]: readonly IntegrationProvider[]): Draft => ({
  provider: from?.provider ?? first?.name ?? '',
  enabled: from?.enabled ?? true,
  description: from?.description ?? '',
  parameters: from?.parameters ?? {},
  events: new Set(from?.events),
  projects: (from?.projects ?? []).filter((project) => project !== ALL),
  environments: from?.environments ?? [],
})

const toInput = ({ provider, enabled, description, parameters, events, projects, environments }: Draft) =>
  ({
    provider,
    enabled,
    description: description.trim(),
    parameters: Object.fromEntries(Object.entries(parameters).filter(([, value]) => value.trim() !== '')),
    events: [...events].sort(),
    projects: [...projects],
    environments: [...environments],
  }) satisfies IntegrationInput

interface FieldsProps extends Omit<Props, 'id'> {
  readonly opened: WithEtag<Integration> | undefined
}

function Fields({ opened, providers, close }: FieldsProps) {
  const t = useCatalogue(INTEGRATION_TEXTS)
  const [draft, setDraft] = useState(() => toDraft(opened?.value, providers))
  const put = (change: Partial<Draft>): void => setDraft({ ...draft, ...change })
  const begin = (theirs: Integration): void => setDraft(toDraft(theirs, providers))
  const { save, conflict, take } = useSave({ opened, providers, close }, begin)
  const provider = providers.find(({ name }) => name === draft.provider)
  const parameters = provider?.parameters ?? []
  const mine = toInput(draft)
  const isReady = draft.events.size > 0 && listMissingParameters(parameters, draft.parameters).length === 0
  const over = conflict && {
    notice: (
      <ConflictNotice
        kind="integration"
        event={conflict.event}
        theirs={{ body: toInput(toDraft(conflict.theirs, providers)) }}
        mine={{ body: mine }}
      />
    ),
    take,
  }
  return (
    <Form
      save={save}
      isReady={isReady}
      close={close}
      draft={mine}
      submit={() => save.mutate(mine)}
      conflict={over}
      isLong
    >
      <Kind provider={provider} providers={providers} isNew={opened === undefined} put={put} />
      <DescriptionField value={draft.description} maxLength={1000} put={(description) => put({ description })} />
      <ParameterFields
        parameters={parameters}
        values={draft.parameters}
        stored={opened?.value.parameters ?? {}}
        problems={getParameterProblems(save.error, t.refusals)}
        put={(name, value) => put({ parameters: { ...draft.parameters, [name]: value } })}
      />
      <SubscriptionFields draft={draft} provider={provider} put={put} unseen={opened?.value.hiddenProjects ?? 0} />
      <Checkbox
        label={t.enabled}
        description={t.enabledHint}
        checked={draft.enabled}
        onChange={(event) => put({ enabled: event.currentTarget.checked })}
      />
    </Form>
  )
}

interface KindProps {
  readonly provider: IntegrationProvider | undefined
  readonly providers: readonly IntegrationProvider[]
  readonly isNew: boolean
  readonly put: (change: Partial<Draft>) => void
}

/** Provider of the integration. The provider cannot be changed later. */
function Kind({ provider, providers, isNew, put }: KindProps) {
  const t = useCatalogue(INTEGRATION_TEXTS)
  const text = provider && (t.kinds[provider.name] ?? provider.description)
  return (
    <div>
      {isNew ? (
        <Select
          label={t.kind}
          data={providers.map(({ name, displayName }) => ({ value: name, label: displayName }))}
          value={provider?.name ?? null}
          allowDeselect={false}
          data-autofocus
          onChange={(name) => name !== null && put({ provider: name, parameters: {}, events: new Set() })}
        />
      ) : (
        <Text fw={600}>{provider?.displayName}</Text>
      )}
      <Text size="sm" c="dimmed" mt={4}>
        {text}{' '}
        <Anchor href={provider?.documentationUrl} target="_blank" rel="noreferrer" inherit underline="always">
          {t.howTo}
        </Anchor>
      </Text>
    </div>
  )
}

interface SubscriptionFieldsProps {
  readonly draft: Draft
  readonly provider: IntegrationProvider | undefined
  readonly put: (change: Partial<Draft>) => void
  /** Number of selected projects that the user cannot see. */
  readonly unseen: number
}

/** Fields that select events, projects and environments. */
function SubscriptionFields({ draft, provider, put, unseen }: SubscriptionFieldsProps) {
  const t = useCatalogue(INTEGRATION_TEXTS)
  const isAdmin = usePermissionCheck()('ADMIN')
  const { data: projects = [] } = useQuery(PROJECTS)
  const { data: environments = [] } = useQuery(ENVIRONMENTS)
  const choices = groupEventChoices(provider?.events ?? [], isAdmin)
  return (
    <>
      <EventChoice choices={choices} chosen={draft.events} put={(events) => put({ events })} />
      <FieldGroup title={t.where}>
        <div className={ui.fields}>
          <MultiSelect
            label={t.projects}
            description={unseen > 0 ? t.hiddenProjects(unseen) : t.projectsHint}
            placeholder={draft.projects.length + unseen === 0 ? t.allProjects : ''}
            data={projects.map(({ id, name }) => ({ value: id, label: name }))}
            value={[...draft.projects]}
            searchable
            onChange={(chosen) => put({ projects: chosen })}
          />
          <MultiSelect
            label={t.environments}
            description={t.environmentsHint}
            placeholder={draft.environments.length === 0 ? t.allEnvironments : ''}
            data={environments.map(({ name }) => name)}
            value={[...draft.environments]}
            searchable
            onChange={(chosen) => put({ environments: chosen })}
          />
        </div>
      </FieldGroup>
    </>
  )
}

function useSave({ opened, providers, close }: FieldsProps, begin: (theirs: Integration) => void) {
  const t = useCatalogue(INTEGRATION_TEXTS)
  const { common } = useTexts()
  return useConditionalSave<Integration, ReturnType<typeof toInput>>({
    opened,
    begin,
    create: createIntegration,
    replace: ({ id }, body, ifMatch) => replaceIntegration(id, body, ifMatch),
    read: ({ id }) => fetchIntegration(id),
    bodyOf: (from) => toInput(toDraft(from, providers)),
    lastChange: ({ id }) => findLastEvent({ type: 'addon-config-updated' }, (state) => state.id === id),
    changes: [['integrations']],
    done: (body) => {
      close()
      const name = getIntegrationName(body, providers)
      showSuccess(opened === undefined ? t.created(name) : `${name}: ${common.saved}`)
    },
  })
}
