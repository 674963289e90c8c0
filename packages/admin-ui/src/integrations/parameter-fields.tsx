import { type IntegrationParameter, MASK } from '@burgee/protocol/administration/integration'
import { Button, Group, Textarea, TextInput } from '@mantine/core'
import { useCatalogue } from '../text/texts.tsx'
import { useSubmitAttempted } from '../ui/form/submit-attempted.ts'
import styles from './integrations.module.css'
import { INTEGRATION_TEXTS } from './texts.ts'

const MAX_VALUE_LENGTH = 20_000

/** Parameters by name. Values of the parameters; stored secrets appear as a mask. */
export type Parameters = Readonly<Record<string, string>>

interface Props {
  readonly parameters: readonly IntegrationParameter[]
  readonly values: Parameters
  /** Values as stored; empty for a new integration and for a different kind of integration. */
  readonly stored: Parameters
  readonly problems: Readonly<Record<string, string>>
  readonly put: (name: string, value: string) => void
}

/** Fields for the parameters of a provider. */
export function ParameterFields({ parameters, values, stored, problems, put }: Props) {
  return parameters.map((parameter) => (
    <ParameterField
      key={parameter.name}
      parameter={parameter}
      value={values[parameter.name] ?? ''}
      isStored={stored[parameter.name] === MASK}
      problem={problems[parameter.name]}
      put={(value) => put(parameter.name, value)}
    />
  ))
}

/** Returns the names of required parameters that are missing. */
export const listMissingParameters = (parameters: readonly IntegrationParameter[], values: Parameters): string[] =>
  parameters.filter(({ name, required }) => required && (values[name] ?? '').trim() === '').map(({ name }) => name)

interface FieldProps {
  readonly parameter: IntegrationParameter
  readonly value: string
  readonly isStored: boolean
  readonly problem: string | undefined
  readonly put: (value: string) => void
}

/**
 * Field for one parameter. Stored secrets are never shown: their field is empty, and leaving it empty keeps the stored
 * value.
 */
function ParameterField({ parameter, value, isStored, problem, put }: FieldProps) {
  const t = useCatalogue(INTEGRATION_TEXTS)
  const hasTried = useSubmitAttempted()
  const { name, displayName, description, placeholder, type, required, sensitive } = parameter
  const words = t.parameters[name]
  const isKept = value === MASK
  const isMissing = hasTried && required && value.trim() === ''
  const common = {
    label: words?.label ?? displayName,
    description: words?.hint ?? description,
    value: isKept ? '' : value,
    placeholder: isKept ? t.stored : placeholder,
    // Show only the asterisk: this component itself reports missing values and other problems.
    withAsterisk: required,
    maxLength: MAX_VALUE_LENGTH,
    autoComplete: 'off',
    spellCheck: false,
    error: problem ?? (isMissing && t.refusals.required),
    onChange: (event: { currentTarget: { value: string } }) => {
      const typed = event.currentTarget.value
      put(typed === '' && isStored ? MASK : typed)
    },
  }
  const field =
    type === 'textfield' ? (
      <Textarea {...common} autosize minRows={2} maxRows={12} classNames={{ input: styles.code ?? '' }} />
    ) : (
      <TextInput {...common} {...(type === 'url' ? { inputMode: 'url' as const } : {})} />
    )
  if (!sensitive || !isKept || required) return field
  return (
    <div>
      {field}
      <Group mt={4}>
        <Button size="compact-xs" variant="subtle" onClick={() => put('')} aria-label={t.forgetLabel(common.label)}>
          {t.forget}
        </Button>
      </Group>
    </div>
  )
}
