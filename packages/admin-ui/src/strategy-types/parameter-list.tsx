import type { ParameterDefinition } from '@burgee/protocol/targeting/strategy-type'
import { Button, Checkbox, Group, Select, Text, TextInput } from '@mantine/core'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { FieldGroup } from '../ui/form/field-group.tsx'
import { type Keyed, replaceEntry, withKey } from '../ui/form/keyed-list.ts'
import entry from '../ui/form/list-entry.module.css'
import { RemoveButton } from '../ui/form/remove-button.tsx'
import { STRATEGY_TYPE_TEXTS } from './texts.ts'

type Kind = ParameterDefinition['type']

interface ListProps {
  readonly parameters: readonly Keyed<ParameterDefinition>[]
  /** True if two parameters have the same name. */
  readonly isTwice: boolean
  readonly put: (parameters: readonly Keyed<ParameterDefinition>[]) => void
}

/** Editor of a strategy type's parameters. */
export function ParameterList({ parameters, isTwice, put }: ListProps) {
  const t = useCatalogue(STRATEGY_TYPE_TEXTS).strategyTypes
  return (
    <FieldGroup title={t.parameters} hint={t.parametersHint}>
      {parameters.map(({ key, value }, index) => (
        <Parameter
          key={key}
          number={index + 1}
          parameter={value}
          put={(next) => put(replaceEntry(parameters, key, next))}
        />
      ))}
      {isTwice && (
        <Text size="sm" c="var(--bad)" role="alert" mb="xs">
          {t.twice}
        </Text>
      )}
      <Button variant="default" size="xs" onClick={() => put([...parameters, withKey({ name: '', type: 'string' })])}>
        {t.addParameter}
      </Button>
    </FieldGroup>
  )
}

interface Props {
  readonly number: number
  readonly parameter: ParameterDefinition
  /** Called with the changed parameter, or with undefined to remove the parameter. */
  readonly put: (next: ParameterDefinition | undefined) => void
}

function Parameter({ number, parameter, put }: Props) {
  const { common } = useTexts()
  const t = useCatalogue(STRATEGY_TYPE_TEXTS).strategyTypes
  const { name, type, description = '', required = false } = parameter
  const kinds = Object.entries(t.kinds).map(([value, label]) => ({ value, label }))
  return (
    <fieldset className={entry.entry} aria-label={t.parameter(number)}>
      <Group gap="xs" align="flex-end">
        <TextInput
          label={common.name}
          value={name}
          maxLength={100}
          required
          className={entry.grow ?? ''}
          onChange={(event) => put({ ...parameter, name: event.currentTarget.value })}
        />
        <Select
          label={t.kind}
          data={kinds}
          value={type}
          className={entry.grow ?? ''}
          onChange={(kind) => kind !== null && put({ ...parameter, type: kind as Kind })}
        />
        <RemoveButton label={t.removeParameter(name || String(number))} remove={() => put(undefined)} />
      </Group>
      <TextInput
        label={common.description}
        value={description}
        maxLength={1000}
        mt="xs"
        onChange={(event) => put({ ...parameter, description: event.currentTarget.value })}
      />
      <Checkbox
        label={t.required}
        checked={required}
        mt="xs"
        onChange={(event) => put({ ...parameter, required: event.currentTarget.checked })}
      />
    </fieldset>
  )
}
