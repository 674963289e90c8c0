import type { ProjectOverview, UpdateProject } from '@burgee/protocol/project'
import { Radio, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { updateProject } from '../api/project-settings.ts'
import { FIELDS } from '../api/queries.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { PROJECT_TEXTS } from '../projects/texts.ts'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { Form } from '../ui/form/form.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import { DefinitionList } from '../ui/page/definition-list.tsx'
import { Section } from '../ui/page/section.tsx'
import { FlagRulesFields, type RulesDraft, toRulesDraft, toRulesInput } from './flag-rules.tsx'
import { MissedEventsNote } from './missed-events-note.tsx'
import { PROJECT_SETTING_TEXTS } from './texts.ts'

const PRIVATE = 'private'

interface Props {
  readonly overview: ProjectOverview
  readonly mayUpdate: boolean
}

interface Draft {
  readonly name: string
  readonly description: string
  readonly defaultStickiness: string
  readonly mode: string
  readonly rules: RulesDraft
}

/** Name, description and defaults of a project. Read-only if the user lacks the permission. */
export function GeneralSettings({ overview, mayUpdate }: Props) {
  const t = useTexts()
  const { settings: own } = useCatalogue(PROJECT_SETTING_TEXTS)
  const { projects } = useCatalogue(PROJECT_TEXTS)
  const { number, date } = useFormat()
  const flags = overview.featureTypeCounts.reduce((sum, { count }) => sum + count, 0)
  const facts = [
    [projects.id, overview.id],
    [own.created, date(overview.createdAt)],
    [t.nav.flags, number(flags)],
    [own.archivedFlags, number(overview.archivedFeatureCount)],
    [projects.health, flags === 0 ? '–' : t.common.percent(number(overview.health))],
  ] as const
  const texts = [
    [t.common.description, overview.description || '–'],
    [own.stickiness, overview.defaultStickiness],
    [own.mode, own.modes[overview.mode]?.name ?? overview.mode],
    [own.pattern, overview.featureNaming.pattern ?? '–'],
    [own.limit, overview.featureLimit === null ? '–' : number(overview.featureLimit)],
  ] as const
  return (
    <Section title={own.general}>
      <Stack>
        <DefinitionList facts={mayUpdate ? facts : [...facts, ...texts]} />
        {mayUpdate && <SettingsForm overview={overview} />}
      </Stack>
    </Section>
  )
}

function SettingsForm({ overview }: { overview: ProjectOverview }) {
  const t = useTexts()
  const { settings: own } = useCatalogue(PROJECT_SETTING_TEXTS)
  const { projects } = useCatalogue(PROJECT_TEXTS)
  const [draft, setDraft] = useState<Draft>(() => ({
    ...overview,
    description: overview.description ?? '',
    rules: toRulesDraft(overview),
  }))
  const put = (change: Partial<Draft>): void => setDraft({ ...draft, ...change })
  const { name, description, defaultStickiness, mode, rules } = draft
  const save = useSave(overview.id)
  const wanted = toRulesInput(rules)
  const input = { name: name.trim(), description, defaultStickiness, mode, ...wanted } as UpdateProject
  return (
    <Form
      save={save}
      draft={[input, rules]}
      isReady={input.name !== '' && wanted !== undefined}
      submit={() => save.mutate(input)}
    >
      <TextInput
        label={projects.name}
        value={name}
        maxLength={200}
        required
        onChange={(event) => put({ name: event.currentTarget.value })}
      />
      <Textarea
        label={t.common.description}
        value={description}
        maxLength={5000}
        autosize
        minRows={2}
        onChange={(event) => put({ description: event.currentTarget.value })}
      />
      <Stickiness value={defaultStickiness} put={(next) => put({ defaultStickiness: next })} />
      <Radio.Group label={own.mode} value={mode} onChange={(next) => put({ mode: next })}>
        <Stack gap="xs" mt={4}>
          {Object.entries(own.modes).map(([value, { name: label, text }]) => (
            <Radio key={value} value={value} label={label} description={text} />
          ))}
        </Stack>
      </Radio.Group>
      {mode === PRIVATE && overview.mode !== PRIVATE && <MissedEventsNote project={overview.id} />}
      <FlagRulesFields draft={rules} put={(change) => put({ rules: { ...rules, ...change } })} />
    </Form>
  )
}

function Stickiness({ value, put }: { value: string; put: (value: string) => void }) {
  const { settings: own } = useCatalogue(PROJECT_SETTING_TEXTS)
  const { data: fields = [] } = useQuery(FIELDS)
  const names = new Set([...fields.filter(({ stickiness }) => stickiness).map(({ name }) => name), value])
  const choices = [...names].filter((name) => name !== 'default' && name !== 'random')
  return (
    <Select
      label={own.stickiness}
      description={own.stickinessHint}
      data={[
        { value: 'default', label: own.stickinessDefault },
        ...choices.map((name) => ({ value: name, label: name })),
        { value: 'random', label: own.stickinessRandom },
      ]}
      value={value}
      onChange={(next) => put(next ?? 'default')}
    />
  )
}

function useSave(project: string) {
  const t = useTexts()
  const refetch = useRefetch()
  return useMutation({
    mutationFn: (body: UpdateProject) => updateProject(project, body),
    onSuccess: async () => {
      await refetch(['projects'], ['project', project], ['events'])
      showSuccess(t.common.saved)
    },
  })
}
