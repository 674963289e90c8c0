import { TagsInput, type TagsInputProps } from '@mantine/core'

interface Props extends Omit<TagsInputProps, 'onChange'> {
  readonly value: string[]
  /** Hears the whole list: nothing empty, nothing twice. */
  readonly put: (values: string[]) => void
}

/** A field for a list of texts: Enter, a comma, a semicolon or a line break ends one, also within what is pasted. */
export function ListInput({ value, put, ...rest }: Props) {
  return (
    <TagsInput
      {...rest}
      value={value}
      splitChars={[',', '\n', ';']}
      acceptValueOnBlur
      onChange={(next) => put(separated(value, next))}
    />
  )
}

/** The list with what was added taken apart; a comma within what was there before stays. */
function separated(before: readonly string[], next: readonly string[]): string[] {
  const parts = next.flatMap((value) => (before.includes(value) ? [value] : value.split(/[,;\n]/)))
  return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))]
}
