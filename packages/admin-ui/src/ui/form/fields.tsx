import { Textarea, TextInput } from '@mantine/core'
import { useTexts } from '../../text/texts.tsx'

interface Props {
  readonly value: string
  readonly maxLength: number
  /** True if the field gets the focus when the form opens. */
  readonly isFirst?: boolean
  readonly put: (value: string) => void
}

/** Field for the name of a new resource. `label` replaces the default label "Name". */
export function NameField(props: Props & { readonly label?: string; readonly hint?: string | undefined }) {
  const t = useTexts()
  return (
    <TextInput
      label={props.label ?? t.common.name}
      description={props.hint}
      value={props.value}
      maxLength={props.maxLength}
      required
      data-autofocus={props.isFirst || undefined}
      onChange={(event) => props.put(event.currentTarget.value)}
    />
  )
}

/** Multi-line field for the description of a resource. */
export function DescriptionField({ value, maxLength, isFirst = false, put }: Props) {
  const t = useTexts()
  return (
    <Textarea
      label={t.common.description}
      value={value}
      maxLength={maxLength}
      autosize
      data-autofocus={isFirst || undefined}
      onChange={(event) => put(event.currentTarget.value)}
    />
  )
}
