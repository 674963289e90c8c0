import { Checkbox, MultiSelect, Select, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FIELDS, SEGMENTS, STRATEGY_TYPES } from '../api/queries.ts'
import { useTexts } from '../text/texts.tsx'
import { ListInput } from '../ui/form/list-input.tsx'
import ui from '../ui/ui.module.css'
import { ConstraintList } from './constraint-editor.tsx'
import { findListParameter } from './list-parameter.ts'
import { RolloutField } from './rollout-field.tsx'
import type { StrategyDraft } from './strategy-draft.ts'
import { getStrategyTypeName } from './strategy-type-texts.ts'
import { STRATEGY_TEXTS } from './texts.ts'
import { VariantList } from './variant-list.tsx'

interface Props {
  readonly draft: StrategyDraft
  readonly feature: string
  /** Stored rollout percentage, for showing the effect of an edit; undefined for a new strategy. */
  readonly before?: number | undefined
  /** True for the default strategy of an environment, which cannot be disabled. */
  readonly isDefault?: boolean
  readonly put: (change: Partial<StrategyDraft>) => void
}

/** Form with all properties of a strategy. */
export function StrategyForm({ draft, feature, before, isDefault = false, put }: Props) {
  const t = useTexts(STRATEGY_TEXTS)
  const { data: types = [] } = useQuery(STRATEGY_TYPES)
  const own = types.filter(({ name, deprecated }) => !Object.hasOwn(t.strategy.kinds, name) && !deprecated)
  const kinds = [
    ...Object.entries(t.strategy.kinds).map(([value, label]) => ({ value, label })),
    ...own.map((type) => ({ value: type.name, label: getStrategyTypeName(t.strategy.kinds, type) })),
  ]
  const isKnown = kinds.some(({ value }) => value === draft.name)
  const current = types.find(({ name }) => name === draft.name)?.title || draft.name
  const choose = (name: string | null): void => {
    if (name === null || name === draft.name) return
    const rollout = { rollout: '100', stickiness: 'default', groupId: feature }
    put({ name, parameters: name === 'flexibleRollout' ? rollout : {} })
  }
  return (
    <Stack gap="md">
      <Select
        label={t.strategy.kind}
        data={isKnown ? kinds : [...kinds, { value: draft.name, label: current }]}
        value={draft.name}
        onChange={choose}
      />
      <Parameters draft={draft} before={before} put={put} />
      <SegmentChoice draft={draft} put={put} />
      <ConstraintList constraints={draft.constraints} put={(constraints) => put({ constraints })} />
      <VariantList variants={draft.variants} put={(variants) => put({ variants })} hint={t.strategy.variantsHint} />
      <fieldset className={ui.part}>
        <TextInput
          label={`${t.strategy.title} (${t.common.optional})`}
          description={t.strategy.titleHint}
          value={draft.title}
          maxLength={200}
          onChange={(event) => put({ title: event.currentTarget.value })}
        />
        {!isDefault && (
          <Checkbox
            mt="md"
            label={t.strategy.disabled}
            description={t.strategy.disabledHint}
            checked={draft.disabled}
            onChange={(event) => put({ disabled: event.currentTarget.checked })}
          />
        )}
      </fieldset>
    </Stack>
  )
}

type PartProps = Omit<Props, 'feature'>

/** Splits a list parameter at commas, dropping empty parts. */
const splitList = (text = ''): string[] => text.split(',').filter((one) => one.trim() !== '')

function Parameters({ draft, before, put }: PartProps) {
  const t = useTexts(STRATEGY_TEXTS)
  const set = (name: string, value: string): void => put({ parameters: { ...draft.parameters, [name]: value } })
  const list = findListParameter(draft.name)
  if (draft.name === 'flexibleRollout') return <Rollout draft={draft} before={before} put={put} />
  if (draft.name === 'default') return null
  if (list !== undefined) {
    return (
      <ListInput
        label={t.strategy.kinds[draft.name]}
        description={t.strategy.valuesHint}
        value={splitList(draft.parameters[list])}
        put={(next) => set(list, next.join(','))}
      />
    )
  }
  return <CustomParameters draft={draft} set={set} />
}

/** Fields for the parameters of a custom strategy type, including stored parameters that the type does not define. */
function CustomParameters({ draft, set }: { draft: StrategyDraft; set: (name: string, value: string) => void }) {
  const { data: types = [] } = useQuery(STRATEGY_TYPES)
  const defined = types.find(({ name }) => name === draft.name)?.parameters ?? []
  const others = Object.keys(draft.parameters).filter((name) => defined.every((one) => one.name !== name))
  const all = [...defined, ...others.map((name) => ({ name, type: 'string', description: '', required: false }))]
  return all.map(({ name, type, description = '', required = false }) => {
    const value = draft.parameters[name] ?? ''
    const common = { label: name, description, required }
    switch (type) {
      case 'boolean':
        return (
          <Checkbox
            key={name}
            {...common}
            required={false}
            checked={value === 'true'}
            onChange={(event) => set(name, String(event.currentTarget.checked))}
          />
        )
      case 'list':
        return <ListInput key={name} {...common} value={splitList(value)} put={(next) => set(name, next.join(','))} />
      default:
        return (
          <TextInput
            key={name}
            {...common}
            value={value}
            {...(type === 'string' ? {} : { inputMode: 'decimal' })}
            onChange={(event) => set(name, event.currentTarget.value)}
          />
        )
    }
  })
}

function Rollout({ draft, before, put }: PartProps) {
  const t = useTexts(STRATEGY_TEXTS)
  const { data: fields = [] } = useQuery(FIELDS)
  const { rollout = '0', stickiness = 'default', groupId = '' } = draft.parameters
  const set = (change: Record<string, string>): void => put({ parameters: { ...draft.parameters, ...change } })
  const labels: Readonly<Record<string, string>> = {
    default: t.strategy.stickinessDefault,
    random: t.strategy.stickinessRandom,
  }
  const sticky = fields.filter((field) => field.stickiness).map(({ name }) => name)
  return (
    <>
      <RolloutField percent={Number(rollout)} before={before} put={(value) => set({ rollout: String(value) })} />
      <Select
        label={t.strategy.stickiness}
        description={t.strategy.stickinessHint}
        data={[...new Set(['default', 'random', ...sticky, stickiness])].map((value) => ({
          value,
          label: labels[value] ?? value,
        }))}
        value={stickiness}
        onChange={(value) => set({ stickiness: value ?? 'default' })}
      />
      <TextInput
        label={t.strategy.groupId}
        description={t.strategy.groupIdHint}
        value={groupId}
        onChange={(event) => set({ groupId: event.currentTarget.value })}
      />
    </>
  )
}

function SegmentChoice({ draft, put }: Omit<PartProps, 'before'>) {
  const t = useTexts(STRATEGY_TEXTS)
  const { data: segments = [] } = useQuery(SEGMENTS)
  if (segments.length === 0) return null
  return (
    <MultiSelect
      label={t.strategy.segments}
      description={t.strategy.segmentsHint}
      data={segments.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={draft.segments.map(String)}
      searchable
      onChange={(ids) => put({ segments: ids.map(Number) })}
    />
  )
}
