import { TagsInput, type TagsInputProps } from '@mantine/core'

interface Props extends Omit<TagsInputProps, 'onChange'> {
  readonly value: string[]
  /** Called with the complete list, without empty or duplicate values. */
  readonly put: (values: string[]) => void
}

/**
 * Field for a list of strings, which the user separates with Enter, comma, semicolon or line break. Also splits pasted
 * text.
 */
export function ListInput({ value, put, ...rest }: Props) {
  return (
    <TagsInput
      {...rest}
      value={value}
      splitChars={[',', '\n', ';']}
      acceptValueOnBlur
      onChange={(next) => put(splitAdded(value, next))}
    />
  )
}

/** Splits added values. Existing values may contain commas, which do not split them. */
function splitAdded(before: readonly string[], next: readonly string[]): string[] {
  const parts = next.flatMap((value) => (before.includes(value) ? [value] : value.split(/[,;\n]/)))
  return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))]
}
